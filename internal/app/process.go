package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"missiond/internal/httpserver"
	"missiond/tasks"
)

// process is what runs in a process until it shuts down.
type process struct {
	// background runs a function in a goroutine, whose context ends when the
	// process shuts down, and which shutdown waits for.
	background func(run func(context.Context))
	running    *sync.WaitGroup
	cancel     context.CancelFunc
	stops      []func(ctx context.Context) error
	failed     chan error
}

func newProcess() process {
	ctx, cancel := context.WithCancel(context.Background())
	running := &sync.WaitGroup{}
	return process{
		background: func(run func(context.Context)) { running.Go(func() { run(ctx) }) },
		running:    running, cancel: cancel, failed: make(chan error, 4),
	}
}

// gcPercent is the GOGC of processes that run without one: requests leave much garbage
// and little stays. At 400, a thousand subscriptions take 203 KiB each, at 200 they
// take 118.
const gcPercent = 200

// startLedger starts the dispatcher and the sweeper, which every process runs.
func (a *App) startLedger() {
	a.background(a.warnIfHeld)
	a.background(tasks.NewDispatcher(a.parts).Run)
	a.background(tasks.NewSweeper(a.parts).Run)
}

// startWorker starts executing tasks.
func (a *App) startWorker() error {
	w := tasks.NewWorker(a.parts)
	if err := w.Start(); err != nil {
		return err
	}
	a.stops = append(a.stops, func(context.Context) error { w.Stop(); return nil })
	return nil
}

// listen listens on an address, until the backend is closed.
func (b *Backend) listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	b.closers = append(b.closers, func() error { _ = l.Close(); return nil }) // a server has closed its own
	return l, nil
}

// serveHTTP serves h on a listener until the process shuts down.
func (a *App) serveHTTP(l net.Listener, h http.Handler) {
	server := httpserver.New(h, a.Log)
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("serve %s: %w", l.Addr(), err)
		}
	}()
	a.stops = append(a.stops, server.Shutdown)
}

// shutdownLimit bounds a graceful shutdown.
const shutdownLimit = 9 * time.Second

// run starts the process, blocks until ctx ends or a part fails, and then shuts
// down gracefully: it accepts no more requests and tasks, and finishes or returns
// those in progress.
func (a *App) run(ctx context.Context, start func() error) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	failure := start()
	if failure == nil {
		select {
		case <-ctx.Done():
			a.Log.Info("shutting down: finishing requests and tasks in progress")
		case failure = <-a.failed:
		}
	}
	return errors.Join(failure, a.Close())
}

// Close stops all parts at the same time, then the goroutines of background, and
// closes the backend.
func (a *App) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	errs := make([]error, len(a.stops))
	var all sync.WaitGroup
	for i, stop := range a.stops {
		all.Go(func() { errs[i] = stop(ctx) })
	}
	all.Wait()
	a.cancel()
	a.running.Wait()
	return errors.Join(append(errs, a.Backend.Close())...)
}
