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
	"sync/atomic"
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
	// lastStops are called once stops have returned.
	lastStops []func(ctx context.Context) error
	failed    chan error
	// draining is set once the process has been told to shut down.
	draining *atomic.Bool
}

func newProcess() process {
	ctx, cancel := context.WithCancel(context.Background())
	running := &sync.WaitGroup{}
	return process{
		background: func(run func(context.Context)) { running.Go(func() { run(ctx) }) },
		running:    running, cancel: cancel, failed: make(chan error, 4), draining: &atomic.Bool{},
	}
}

// gcPercent is the GOGC of processes that run without one: requests leave much garbage
// and little stays. At 400, a thousand subscriptions take 203 KiB each, at 200 they
// take 118.
const gcPercent = 200

// startLedger starts the dispatcher, the sweeper and what is watched, which every process runs.
func (a *App) startLedger() {
	if a.followed != nil {
		a.background(func(ctx context.Context) { a.keepFollowing(ctx, a.Log) })
	}
	if a.files != nil {
		a.background(a.files.run)
	}
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

// listen listens on the address of a flag, until the backend is closed.
func (b *Backend) listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	b.closers = append(b.closers, func() error { _ = l.Close(); return nil }) // a server has closed its own
	return l, nil
}

// serveHTTP serves h on a listener until the process shuts down, and returns what
// shuts it down.
func (a *App) serveHTTP(l net.Listener, h http.Handler) (shutdown func(ctx context.Context) error) {
	server := httpserver.New(h, a.Log)
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("serve %s: %w", l.Addr(), err)
		}
	}()
	return server.Shutdown
}

// shutdownLimit bounds a graceful shutdown, after the drain.
const shutdownLimit = 9 * time.Second

// drain is how a process leaves its load balancer before it shuts down.
type drain struct {
	// delay is how long it goes on while /readyz says that it isn't ready.
	delay time.Duration
	// hurry is closed to end the delay at once; it may be nil.
	hurry <-chan struct{}
}

// run starts the process, blocks until ctx ends or a part fails, and then shuts
// down gracefully: after the drain it accepts no more requests and tasks, and finishes
// or returns those in progress.
func (a *App) run(ctx context.Context, d drain, start func() error) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	failure := start()
	if failure == nil {
		select {
		case <-ctx.Done():
			failure = a.drain(d)
		case failure = <-a.failed:
		}
	}
	return errors.Join(failure, a.Close())
}

// drain waits until the load balancer has noticed that the process isn't ready. It
// returns the error of a part that fails meanwhile.
func (a *App) drain(d drain) error {
	a.draining.Store(true)
	a.Log.Info("draining: /readyz says 503, requests are still served", "delay", d.delay.String())
	timer := time.NewTimer(d.delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-d.hurry:
	case err := <-a.failed:
		return err
	}
	a.Log.Info("shutting down: finishing requests and tasks in progress")
	return nil
}

// Close stops all parts at the same time, then the last ones and the goroutines of
// background, and closes the backend.
func (a *App) Close() error {
	a.draining.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	err := errors.Join(stopAll(ctx, a.stops), stopAll(ctx, a.lastStops))
	a.cancel()
	a.running.Wait()
	return errors.Join(err, a.Backend.Close())
}

// stopAll calls stops concurrently.
func stopAll(ctx context.Context, stops []func(ctx context.Context) error) error {
	errs := make([]error, len(stops))
	var all sync.WaitGroup
	for i, stop := range stops {
		all.Go(func() { errs[i] = stop(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}
