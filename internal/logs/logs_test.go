package logs

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// stuck blocks in its first write until it is released.
type stuck struct {
	bytes.Buffer

	began, release chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	if s.Len() == 0 {
		close(s.began)
		<-s.release
	}
	return s.Buffer.Write(p)
}

// While nobody reads, lines are dropped beyond the bound and counted; those that were
// taken come whole and in their order.
func TestNobodyReads(t *testing.T) {
	to := &stuck{began: make(chan struct{}), release: make(chan struct{})}
	w := NewWriter(to)
	const lines = 10_000
	text := strings.Repeat("x", 100)
	for i := range lines {
		if n, err := fmt.Fprintf(w, "%06d %s\n", i, text); n != 108 || err != nil {
			t.Fatalf("a write returned %d, %v", n, err)
		}
		if i == 0 {
			<-to.began
		}
	}
	if w.Dropped() == 0 {
		t.Fatal("no line was dropped")
	}
	close(to.release)
	w.Flush(time.Minute)
	got := strings.Split(strings.TrimSuffix(to.String(), "\n"), "\n")
	if len(got)+int(w.Dropped()) != lines {
		t.Errorf("%d lines were written and %d dropped, of %d", len(got), w.Dropped(), lines)
	}
	for i, line := range got {
		if line != fmt.Sprintf("%06d %s", i, text) {
			t.Fatalf("line %d is %q", i, line)
		}
	}
}

// closed is a pipe that is closed.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// Lines that can't be written are counted.
func TestClosed(t *testing.T) {
	w := NewWriter(closed{})
	for range 3 {
		if _, err := w.Write([]byte("a line\n")); err != nil {
			t.Fatal(err)
		}
		w.Flush(time.Minute)
	}
	if w.Dropped() != 3 {
		t.Errorf("%d lines are counted, want 3", w.Dropped())
	}
}

// A line that is longer than the bound is written.
func TestLongLine(t *testing.T) {
	var to bytes.Buffer
	w := NewWriter(&to)
	line := strings.Repeat("x", 2*bufferLimit) + "\n"
	_, _ = w.Write([]byte(line))
	w.Flush(time.Minute)
	if to.String() != line || w.Dropped() != 0 {
		t.Errorf("%d bytes were written, %d lines dropped", to.Len(), w.Dropped())
	}
}
