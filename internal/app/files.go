package app

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"missiond/internal/blobs"
	"missiond/internal/clock"
)

// How the store of files is watched.
const (
	filesEvery = 30 * time.Second
	// filesLimit is more than Check's own limit, which doesn't bound a folder on a file system
	// that hangs.
	filesLimit = 6 * time.Second
)

var errFilesHang = errors.New("a check of the store of files doesn't end")

// filesWatch knows whether the store of files can be used. Readiness only reads what it found
// last, so that a store that hangs delays no probe.
type filesWatch struct {
	check func(ctx context.Context) error
	limit time.Duration
	log   *slog.Logger

	running chan error // what a check that is under way will return
	state   atomic.Pointer[string]
}

// filesOK is the state of a store that can be used. One that wasn't checked yet is taken for it.
const filesOK = "ok"

func newFilesWatch(check func(ctx context.Context) error, log *slog.Logger, metrics prometheus.Registerer) *filesWatch {
	f := &filesWatch{check: check, limit: filesLimit, log: log}
	state := filesOK
	f.state.Store(&state)
	promauto.With(metrics).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "missiond_files_usable", Help: "Whether the store of files could be used when it was last checked (1) or not (0).",
	}, func() float64 {
		if f.State() != filesOK {
			return 0
		}
		return 1
	})
	return f
}

// State returns "ok", or in a word why the store can't be used.
func (f *filesWatch) State() string { return *f.state.Load() }

// run checks the store until ctx ends.
func (f *filesWatch) run(ctx context.Context) {
	for {
		f.look(ctx)
		if clock.Sleep(ctx, filesEvery) != nil {
			return
		}
	}
}

// look checks the store once. It doesn't start a check while another one hangs, and doesn't wait
// for that one beyond the limit.
func (f *filesWatch) look(ctx context.Context) {
	if f.running == nil {
		f.running = make(chan error, 1)
		go func(done chan<- error) { done <- f.check(ctx) }(f.running)
	}
	limit := time.NewTimer(f.limit)
	defer limit.Stop()
	select {
	case err := <-f.running:
		f.running = nil
		if ctx.Err() == nil {
			f.found(err)
		}
	case <-limit.C:
		f.found(errFilesHang)
	case <-ctx.Done():
	}
}

// found records the result of a check, and logs it if it differs from the last one.
func (f *filesWatch) found(err error) {
	now := filesOK
	if err != nil {
		now = blobs.Cause(err)
	}
	switch before := *f.state.Swap(&now); {
	case before == now:
	case err != nil:
		f.log.Warn("the store of files can't be used: uploads fail, and files aren't examined, shown or sent", "error", err)
	default:
		f.log.Info("the store of files can be used again")
	}
}
