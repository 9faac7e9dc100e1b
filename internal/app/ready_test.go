package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Requests within a second share one result, and concurrent ones wait for one check.
func TestReadinessIsKeptForASecond(t *testing.T) {
	var looks int
	var now time.Duration
	var down error
	ready := &readiness{
		redis:    func(context.Context) error { return nil },
		database: func(context.Context) error { looks++; return down },
		draining: &atomic.Bool{},
		now:      func() time.Duration { return now },
		log:      slog.New(slog.DiscardHandler),
	}
	ask := func() int {
		w := httptest.NewRecorder()
		ready.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return w.Code
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if status := ask(); status != http.StatusOK {
				t.Errorf("got %d", status)
			}
		})
	}
	all.Wait()
	if looks != 1 {
		t.Errorf("50 at once took %d looks", looks)
	}
	down = errors.New("away")
	if now = readyFor - time.Millisecond; ask() != http.StatusOK || looks != 1 {
		t.Errorf("within a second it looked %d times", looks)
	}
	if now = readyFor; ask() != http.StatusServiceUnavailable || looks != 2 {
		t.Errorf("after a second it looked %d times", looks)
	}
	down = nil
	ready.draining.Store(true)
	if now += readyFor; ask() != http.StatusServiceUnavailable || looks != 2 {
		t.Error("a process that shuts down is ready")
	}
}
