// Package embedded lets a development run start without any installation: a Redis
// inside the process, and a data folder that one process locks for itself.
package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gofrs/flock"
)

// Redis is a Redis inside the process, on a loopback port. It stores nothing.
type Redis struct {
	mini *miniredis.Miniredis
	stop chan struct{}
	done chan struct{}
}

// tick is how often the embedded Redis' clock is moved: it doesn't move by itself.
const tick = 100 * time.Millisecond

// StartRedis starts a Redis.
func StartRedis() (*Redis, error) {
	m := miniredis.NewMiniRedis()
	if err := m.StartAddr("127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("start the embedded Redis: %w", err)
	}
	r := &Redis{mini: m, stop: make(chan struct{}), done: make(chan struct{})}
	go r.run()
	return r, nil
}

func (r *Redis) run() {
	defer close(r.done)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-r.stop:
			return
		case <-ticker.C:
			r.mini.FastForward(tick)
		}
	}
}

// URL returns its URL.
func (r *Redis) URL() string { return "redis://" + r.mini.Addr() }

// Close stops it.
func (r *Redis) Close() {
	close(r.stop)
	<-r.done
	r.mini.Close()
}

// Folder is a data folder locked by this process.
type Folder struct {
	Path string
	lock *flock.Flock
}

// ErrTaken is the error for a data folder locked by another process.
var ErrTaken = errors.New("another missiond dev runs on this data folder")

// OpenFolder makes the folder if it is missing and locks it. Errors: ErrTaken.
func OpenFolder(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	l := flock.New(filepath.Join(path, "missiond.lock"))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrTaken, path)
	}
	return &Folder{Path: path, lock: l}, nil
}

// DatabaseIn returns the path of a data folder's database.
func DatabaseIn(folder string) string { return filepath.Join(folder, "missiond.db") }

// Close unlocks the folder.
func (f *Folder) Close() error { return f.lock.Unlock() }
