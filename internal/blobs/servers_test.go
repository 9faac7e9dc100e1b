package blobs

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"missiond/internal/servers"
	"missiond/internal/testkit"
)

// eachS3 runs a test on servers of S3 with the bucket "files", for which the environment has credentials. The gate's is one
// of this process, which takes any credentials; the full suite holds it equal to a real one.
func eachS3(t *testing.T, test func(t *testing.T, addr string)) {
	t.Helper()
	t.Run("gofakes3", func(t *testing.T) {
		setCredentials(t)
		server := httptest.NewServer(fake(t))
		t.Cleanup(server.Close)
		test(t, server.Listener.Addr().String())
	})
	t.Run("versitygw", func(t *testing.T) {
		testkit.Full(t)
		test(t, versitygw(t))
	})
}

// fake returns a gofakes3 with the bucket "files", without what it does otherwise than S3: it knows no uploads, rather than none,
// in a bucket before the first one, and a file keeps the checksum of one that it replaces.
func fake(t *testing.T) http.Handler {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	of := gofakes3.New(backend).Server()
	for _, first := range []*http.Request{
		httptest.NewRequest(http.MethodPost, "/files/first?uploads", nil), httptest.NewRequest(http.MethodDelete, "/files/first?uploadId=1", nil),
	} {
		of.ServeHTTP(httptest.NewRecorder(), first)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("X-Amz-Checksum-Crc32")
		of.ServeHTTP(w, r)
	})
}

// versitygw returns the address of a real server of S3 with the bucket "files", for which the environment has credentials.
func versitygw(t *testing.T) (addr string) {
	t.Helper()
	testkit.SkipIfShort(t)
	setCredentials(t)
	server, err := servers.StartS3(t.Context(), t.TempDir())
	if err != nil {
		testkit.NotStarted(t, "S3", err)
	}
	t.Cleanup(server.Kill)
	if err := server.MakeBucket("files"); err != nil {
		t.Fatal(err)
	}
	return server.Addr
}

func setCredentials(t *testing.T) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", servers.S3AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", servers.S3SecretKey)
}
