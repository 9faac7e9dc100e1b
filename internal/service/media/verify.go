package media

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

// errAltered is the error of a read that ends with other bytes than those that were approved.
var errAltered = errors.New("media: the stored file isn't the one that the revision names")

// verified returns a reader whose last Read fails if the bytes don't have a hash: SHA-256, in
// hex.
func verified(r io.ReadCloser, want string) io.ReadCloser {
	return &verifying{ReadCloser: r, sum: sha256.New(), want: want}
}

type verifying struct {
	io.ReadCloser

	sum  hash.Hash
	want string
}

// Read implements io.Reader.
func (v *verifying) Read(p []byte) (int, error) {
	n, err := v.ReadCloser.Read(p)
	_, _ = v.sum.Write(p[:n])
	if errors.Is(err, io.EOF) && hex.EncodeToString(v.sum.Sum(nil)) != v.want {
		err = errAltered
	}
	return n, err
}
