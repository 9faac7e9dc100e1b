// Package logs has the way of a process's log lines to its standard error, which never
// delays who logs: behind a pipe that nobody reads, or that is closed, lines are
// dropped and counted.
package logs

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// bufferLimit is how many bytes of lines wait to be written: some thousand lines.
const bufferLimit = 256 << 10

// Writer writes lines in the background, in their order. It is safe for concurrent use.
type Writer struct {
	to      io.Writer
	dropped atomic.Uint64

	mu      sync.Mutex
	more    *sync.Cond
	pending []byte
	writing bool
	waiting []chan struct{} // closed once nothing is left to write
}

// NewWriter returns a Writer to a file, which it writes to as long as the process lives.
func NewWriter(to io.Writer) *Writer {
	w := &Writer{to: to}
	w.more = sync.NewCond(&w.mu)
	go w.run()
	return w
}

// Write adds a line, which ends with a newline, or drops it if too many wait. It returns
// no error.
func (w *Writer) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.pending) > 0 && len(w.pending)+len(line) > bufferLimit {
		w.dropped.Add(1)
		return len(line), nil
	}
	w.pending = append(w.pending, line...)
	w.more.Signal()
	return len(line), nil
}

// Dropped returns how many lines were dropped: for lack of room, or because they could
// not be written.
func (w *Writer) Dropped() uint64 { return w.dropped.Load() }

// Flush waits until all lines so far are written, or for a limit.
func (w *Writer) Flush(limit time.Duration) {
	w.mu.Lock()
	if len(w.pending) == 0 && !w.writing {
		w.mu.Unlock()
		return
	}
	done := make(chan struct{})
	w.waiting = append(w.waiting, done)
	w.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

func (w *Writer) run() {
	var written []byte
	for {
		w.mu.Lock()
		for len(w.pending) == 0 {
			for _, done := range w.waiting {
				close(done)
			}
			w.waiting = nil
			w.more.Wait()
		}
		lines := w.pending
		w.pending, w.writing = written[:0], true
		w.mu.Unlock()
		if n, err := w.to.Write(lines); err != nil {
			w.dropped.Add(uint64(bytes.Count(lines[n:], []byte("\n"))))
		}
		w.mu.Lock()
		written, w.writing = lines, false
		w.mu.Unlock()
	}
}
