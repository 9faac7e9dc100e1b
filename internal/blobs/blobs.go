// Package blobs keeps the bytes of files: in a folder of this machine, or in a bucket of a
// store that speaks S3.
//
// A Put either has all its bytes there or leaves nothing that Get returns, even if the process
// is killed. What the process couldn't clean up itself, Sweep removes a day later.
package blobs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/url"
	"regexp"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"missiond/internal/clock"
	"missiond/mission"
)

// MaxBytes is the largest file of a store, in bytes.
const MaxBytes = mission.MaxVideoBytes

// Limits of time.
const (
	// stallLimit is how long a Put or a Get may go on without a byte.
	stallLimit = 30 * time.Second
	// callLimit is how long a call may take that carries no file.
	callLimit = 30 * time.Second
	// checkLimit is how long Check may take.
	checkLimit = 5 * time.Second
	// abandoned is the age at which Sweep removes what a Put has left: none lasts that long.
	abandoned = 24 * time.Hour
)

// Errors of stores.
var (
	ErrNotFound = errors.New("there is no such file")
	ErrTooLarge = errors.New("the file is too large")
	// ErrRange is the error of a Get that begins at the file's end or after it.
	ErrRange = errors.New("the range begins after the file's end")
	// ErrStalled is the error of a Put or a Get that got no further for 30 seconds.
	ErrStalled = errors.New("no byte was passed on for too long")
	// ErrFull is the error of a Put for which the store has no room.
	ErrFull = errors.New("the store is full")

	errNoBucket = errors.New("there is no bucket")
)

// Store is a place for files, by keys. Keys have letters, digits, "_", "-", "." and "/": parts of
// 200 bytes at most between slashes, none of which begins with a dot, and 512 bytes together.
// They end neither in ".tmp" nor in ".attrs", which are the names of a folder's own files; and a
// key isn't another's folder. It is safe for concurrent use.
type Store struct {
	bucket *blob.Bucket
	place  place
	stall  time.Duration
}

// place is what a folder and a bucket of S3 don't have in common.
type place interface {
	// write writes what r reads, and shows it once r has ended without an error.
	write(ctx context.Context, key, contentType string, r io.Reader) error
	// pastEnd reports whether an error says that a range begins after the file's end.
	pastEnd(err error) bool
	deleteAll(ctx context.Context, prefix string) error
	check(ctx context.Context) error
	// sweep removes what writes have left that began before a time, and returns how many.
	sweep(ctx context.Context, before time.Time) (int, error)
}

// Open opens the store at an address: file:///folder, which is made if it isn't there, or
// s3://bucket with the parameters of gocloud.dev's s3blob (region, endpoint, use_path_style …),
// whose credentials come from the environment as the AWS SDK reads them. It doesn't call the
// server: Check does. Errors: if the address isn't one of these, or the folder can't be made.
func Open(ctx context.Context, address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{} // the error has all of it, and a password perhaps
	}
	s := &Store{stall: stallLimit}
	switch u.Scheme {
	case "file":
		s.bucket, s.place, err = openFolder(u)
	case "s3":
		s.bucket, s.place, err = openS3(ctx, u)
	default:
		err = errors.New("the address must be file:///folder or s3://bucket?region=…")
	}
	if err != nil {
		return nil, fmt.Errorf("blobs: %w", err)
	}
	return s, nil
}

// Written is what a Put has written.
type Written struct {
	Bytes int64
	Hash  string // SHA-256, in hex
}

// Put writes a file of at most so many bytes, of MaxBytes at most; one with the same key is
// replaced. It holds a few megabytes of the file in memory. After an error nothing of it is shown, and
// a Read of r may still be under way. Errors: ErrTooLarge; ErrStalled; ErrFull; ctx's; r's; that of a
// key, a content type or a limit that isn't one; the store's.
func (s *Store) Put(ctx context.Context, key, contentType string, r io.Reader, most int64) (Written, error) {
	err := checkKey(key)
	switch {
	case err != nil:
	case contentType == "":
		err = errors.New("the content type is missing")
	case most < 0 || most > MaxBytes:
		err = fmt.Errorf("the limit must be between 0 and %d bytes", int64(MaxBytes))
	}
	if err != nil {
		return Written{}, fmt.Errorf("blobs: put %q: %w", key, err)
	}
	written, err := s.put(ctx, key, contentType, r, most)
	if err != nil {
		return Written{}, fmt.Errorf("blobs: put %s: %w", key, err)
	}
	return written, nil
}

func (s *Store) put(ctx context.Context, key, contentType string, r io.Reader, most int64) (Written, error) {
	ctx, w := watched(ctx, s.stall)
	defer w.end()
	in := &input{Reader: w.source(ctx, r), hash: sha256.New(), most: most}
	if err := s.place.write(ctx, key, contentType, in); err != nil {
		if full(err) {
			err = fmt.Errorf("%w: %w", ErrFull, err)
		}
		return Written{}, cmp.Or(context.Cause(ctx), in.err, err)
	}
	return Written{Bytes: in.n, Hash: hex.EncodeToString(in.hash.Sum(nil))}, nil
}

// input is a reader that counts and hashes what it reads, up to a limit.
type input struct {
	io.Reader

	hash    hash.Hash
	n, most int64
	err     error // what ended it, but for io.EOF
}

// Read reads. Errors: ErrTooLarge beyond the limit; the reader's.
func (i *input) Read(p []byte) (int, error) {
	n, err := i.Reader.Read(p)
	_, _ = i.hash.Write(p[:n])
	if i.n += int64(n); i.n > i.most {
		err = fmt.Errorf("%w: it has more than %d bytes", ErrTooLarge, i.most)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		i.err = err
	}
	return n, err
}

// Attributes are what a store knows of a file.
type Attributes struct {
	// Bytes is the size of the whole file.
	Bytes       int64
	ContentType string
}

// Get opens a file from an offset, in bytes: at most length bytes of it, or all up to its end if
// length is -1. The end of ctx also ends the reads. The caller closes the reader. Errors, of
// reads too: ErrNotFound; ErrRange; ErrStalled; ctx's; that of a key or a range that isn't one;
// the store's.
func (s *Store) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, Attributes, error) {
	err := checkKey(key)
	if err == nil && (offset < 0 || length < -1 || length == 0) {
		err = errors.New("the offset must be 0 or more, the length 1 or more, or -1")
	}
	if err != nil {
		return nil, Attributes{}, fmt.Errorf("blobs: get %q: %w", key, err)
	}
	r, attrs, err := s.get(ctx, key, offset, length)
	if err != nil {
		return nil, Attributes{}, fmt.Errorf("blobs: get %s: %w", key, err)
	}
	return r, attrs, nil
}

func (s *Store) get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, Attributes, error) {
	if offset > MaxBytes {
		return nil, Attributes{}, ErrRange
	}
	within, w := watched(ctx, s.stall)
	r, err := s.bucket.NewRangeReader(within, key, offset, min(length, MaxBytes), nil)
	if err != nil {
		err = cmp.Or(context.Cause(within), err)
		w.end()
		return nil, Attributes{}, s.missing(ctx, err)
	}
	w.pause()
	attrs := Attributes{Bytes: r.Size(), ContentType: r.ContentType()}
	if offset >= attrs.Bytes && (offset > 0 || length > 0) {
		w.end()
		return nil, Attributes{}, errors.Join(ErrRange, r.Close())
	}
	return &reader{ReadCloser: r, ctx: within, watch: w}, attrs, nil
}

// missing returns the error of a Get that the store's is: ErrNotFound only if the store itself is
// there.
func (s *Store) missing(ctx context.Context, err error) error {
	switch {
	case s.place.pastEnd(err):
		return ErrRange
	case gcerrors.Code(err) == gcerrors.NotFound:
		return cmp.Or(s.Check(ctx), ErrNotFound)
	}
	return err
}

// DeleteAll deletes all files whose keys begin with a prefix, which ends in "/". It isn't an
// error if there are none. Errors: that of a prefix that isn't one; ctx's; the store's, with some
// files deleted and others not.
func (s *Store) DeleteAll(ctx context.Context, prefix string) error {
	folder, ok := strings.CutSuffix(prefix, "/")
	err := checkKey(folder)
	if !ok {
		err = errors.New(`a prefix must end in "/"`)
	}
	if err == nil {
		err = s.place.deleteAll(ctx, prefix)
	}
	if err != nil {
		return fmt.Errorf("blobs: delete %q: %w", prefix, err)
	}
	return nil
}

// Check returns an error if the store can't be used now: if the folder isn't there or nothing can
// be written to it; if the bucket isn't there or the server doesn't let it be listed within five
// seconds.
func (s *Store) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	if err := s.place.check(ctx); err != nil {
		return fmt.Errorf("blobs: %w", err)
	}
	return nil
}

// Sweep removes what Puts have left that didn't end, because their process or the server was
// killed, and that are older than a day. It returns how many of them. Errors: ctx's; the store's.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	n, err := s.place.sweep(ctx, clock.Real().Now().Add(-abandoned))
	if err != nil {
		return n, fmt.Errorf("blobs: sweep: %w", err)
	}
	return n, nil
}

// Bounds of keys, in bytes. Files' names may have 255, of which a folder's temporary files add 21.
const maxKey = 512

var keyForm = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199})*$`)

func checkKey(key string) error {
	switch {
	case len(key) > maxKey:
		return fmt.Errorf("a key may have %d bytes, not %d", maxKey, len(key))
	case !keyForm.MatchString(key):
		return errors.New(`a key must have letters, digits, "_", "-", "." and "/" only, and no part that is empty, begins with "." or has more than 200 bytes`)
	case strings.HasSuffix(key, temporary), strings.HasSuffix(key, sidecar):
		return fmt.Errorf("a key may not end in %s or %s", temporary, sidecar)
	}
	return nil
}
