package media

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"

	"missiond/mission"
)

// verified returns a reader of a file's bytes whose last Read fails if they don't have a hash: SHA-256, in
// hex. They are others than those that were approved then, for good: mission.FileMissing.
func verified(r io.ReadCloser, size int64, want string) io.ReadCloser {
	return &verifying{ReadCloser: r, sum: sha256.New(), left: size, want: want}
}

type verifying struct {
	io.ReadCloser

	sum  hash.Hash
	left int64
	want string
}

// Read implements io.Reader.
func (v *verifying) Read(p []byte) (int, error) {
	n, err := v.ReadCloser.Read(p)
	_, _ = v.sum.Write(p[:n])
	v.left -= int64(n)
	switch {
	case !errors.Is(err, io.EOF):
	case v.left > 0:
		err = io.ErrUnexpectedEOF
	case hex.EncodeToString(v.sum.Sum(nil)) != v.want:
		err = mission.FileMissing()
	}
	return n, err
}
