package blobs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"syscall"
	"testing"
)

// crammed is a folder whose disk is full.
type crammed struct{ place }

func (crammed) write(context.Context, string, string, io.Reader) error {
	return &fs.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC}
}

// A store without room says so.
func TestFull(t *testing.T) {
	s := open(t, onFolder(t))
	s.place = crammed{s.place}
	err := second(s.Put(t.Context(), "a", "image/png", &pattern{n: 10}, 10))
	if !errors.Is(err, ErrFull) || Cause(err) != "disk full" {
		t.Errorf("got %v, whose cause is %q", err, Cause(err))
	}
}
