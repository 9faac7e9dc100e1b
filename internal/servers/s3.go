package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
)

// Credentials of an S3's only user, as the AWS SDK reads them from its environment.
const (
	S3AccessKey = "test-access-key"
	S3SecretKey = "test-secret-key"
)

// S3 is a server that speaks S3: a versitygw, whose buckets are folders.
type S3 struct {
	Process
	home string
}

// StartS3 starts a server whose files are below dir. Its program is the one on the PATH, or the
// one that make versitygw has built.
func StartS3(ctx context.Context, dir string) (*S3, error) {
	path, err := program("versitygw", ".tools", "../../.tools", "../../../.tools")
	if errors.Is(err, ErrNotInstalled) {
		return nil, fmt.Errorf("versitygw: %w (make versitygw builds it)", ErrNotInstalled)
	}
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp(dir, "s3-")
	if err != nil {
		return nil, err
	}
	data, metadata := filepath.Join(home, "data"), filepath.Join(home, "metadata")
	if err := errors.Join(os.Mkdir(data, 0o700), os.Mkdir(metadata, 0o700)); err != nil {
		return nil, err
	}
	addr, err := FreeAddr()
	if err != nil {
		return nil, err
	}
	s := &S3{home: home, Process: Process{
		Addr: addr, Name: "versitygw", Log: filepath.Join(home, "log"),
		Argv: []string{path, "--port", addr, "--region", "us-east-1", "posix", "--sidecar", metadata, data},
		Env:  []string{"ROOT_ACCESS_KEY=" + S3AccessKey, "ROOT_SECRET_KEY=" + S3SecretKey},
	}}
	s.Ready = func(ctx context.Context) error {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		return conn.Close()
	}
	return s, s.Start(ctx)
}

// MakeBucket makes a bucket.
func (s *S3) MakeBucket(name string) error {
	return os.Mkdir(filepath.Join(s.home, "data", name), 0o700)
}

// S3URL returns the address of a bucket on a server as gocloud.dev's s3blob takes it.
func S3URL(addr, bucket string) string {
	q := url.Values{"endpoint": {"http://" + addr}, "region": {"us-east-1"}, "use_path_style": {"true"}}
	return "s3://" + bucket + "?" + q.Encode()
}
