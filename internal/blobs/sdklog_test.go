package blobs

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the SDK logs while it looks for credentials is in the service's log, and nowhere else.
func TestLogOfSDK(t *testing.T) {
	metadata := httptest.NewServer(http.NotFoundHandler()) // a machine without tokens: the SDK falls back, and says so
	defer metadata.Close()
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_PROFILE": "", "AWS_EC2_METADATA_DISABLED": "",
		"AWS_CONFIG_FILE": filepath.Join(t.TempDir(), "none"), "AWS_SHARED_CREDENTIALS_FILE": filepath.Join(t.TempDir(), "none"),
		"AWS_EC2_METADATA_SERVICE_ENDPOINT": metadata.URL,
	} {
		t.Setenv(name, value)
	}
	errs, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errs.Close() }()
	var log bytes.Buffer
	before, stderr := slog.Default(), os.Stderr
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	os.Stderr = errs
	defer func() { os.Stderr = stderr; slog.SetDefault(before) }()
	for _, address := range []string{"s3://bucket?region=r", "s3://bucket?region=r&role=arn:aws:iam::1:role/a"} {
		log.Reset()
		s, err := Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(t.Context()); err == nil || !strings.Contains(log.String(), "IMDSv1") {
			t.Errorf("%s: got %v, and the log %q", address, err, log.String())
		}
	}
	if said, err := os.ReadFile(errs.Name()); err != nil || len(said) > 0 {
		t.Errorf("standard error has %q, %v", said, err)
	}
}
