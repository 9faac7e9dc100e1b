package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"missiond/graph"
	"missiond/internal/feed"
	"missiond/internal/httpserver"
	"missiond/internal/service"
	"missiond/tasks"
)

// app is a process: its parts, and what runs in it until it shuts down.
type app struct {
	*backend
	log          *slog.Logger
	service      *service.Service
	accounts     *service.Accounts
	webhooks     *service.Webhooks
	integrations *service.Integrations
	limits       *httpserver.Limits
	requests     *service.Requests
	feed         *feed.Feed
	graph        *graph.API
	registry     *prometheus.Registry
	parts        tasks.Parts
	// cookiePrefix is the prefix of cookies' names: hostCookie over TLS, else "".
	cookiePrefix string
	retention    service.Retention
	asker        service.Asker // nil if the identity provider can't be asked

	running sync.WaitGroup
	cancel  context.CancelFunc
	stops   []func(ctx context.Context) error
	failed  chan error
}

// sandboxSeed gives every development run the same audiences.
const sandboxSeed = 1

// appOptions are what differs between processes.
type appOptions struct {
	retention time.Duration // of completed tasks, on the dashboard
	writer    service.Writer
	writers   int // how many stages write at once; 0 for no limit
	// sandbox publishes posts without a connected integration to the sandbox.
	sandbox bool
}

func newApp(b *backend, log *slog.Logger, o appOptions) *app {
	a := &app{backend: b, log: log, registry: prometheus.NewRegistry(), failed: make(chan error, 4)}
	a.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	a.service = service.New(b.db, service.Options{Clock: b.clock, Writer: o.writer, Sandbox: o.sandbox})
	a.feed = feed.New(b.db, a.service.StatusViews, log)
	b.db.OnEvents(a.feed.Wake)
	promauto.With(a.registry).NewGaugeFunc(prometheus.GaugeOpts{Name: "missiond_feed_listeners", Help: "Subscriptions that follow the event log."},
		func() float64 { return float64(a.feed.Listeners()) })
	a.parts = tasks.Parts{
		DB: b.db, Service: a.service, Clock: b.clock, Queue: tasks.NewQueue(b.redis, b.clock, o.retention),
		Writers: o.writers, Log: log, Metrics: tasks.NewMetrics(a.registry),
	}
	return a
}

// background runs fn in a goroutine that wait waits for.
func (a *app) background(ctx context.Context, fn func(context.Context)) {
	a.running.Go(func() { fn(ctx) })
}

// startLedger starts the dispatcher and the sweeper, which every process runs. It
// returns a context that ends when the process shuts down.
func (a *app) startLedger(ctx context.Context) context.Context {
	ctx, a.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if os.Getenv("GOGC") == "" {
		a.background(ctx, tuneCollector)
	}
	a.background(ctx, tasks.NewDispatcher(a.parts).Run)
	a.background(ctx, tasks.NewSweeper(a.parts).Run)
	return ctx
}

// startWorker starts executing tasks.
func (a *app) startWorker() error {
	w := tasks.NewWorker(a.parts)
	if err := w.Start(); err != nil {
		return err
	}
	a.stops = append(a.stops, func(context.Context) error { w.Stop(); return nil })
	return nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

// serveHTTP serves h on a listener until the process shuts down.
func (a *app) serveHTTP(l net.Listener, h http.Handler) {
	server := httpserver.New(h, a.log)
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("serve %s: %w", l.Addr(), err)
		}
	}()
	a.stops = append(a.stops, server.Shutdown)
}

// shutdownLimit bounds a graceful shutdown.
const shutdownLimit = 9 * time.Second

// wait blocks until ctx ends or a part fails, and then shuts down gracefully: it
// accepts no more requests and tasks, and finishes or returns those in progress.
func (a *app) wait(ctx context.Context) error {
	var failure error
	select {
	case <-ctx.Done():
		a.log.Info("shutting down: finishing requests and tasks in progress")
	case failure = <-a.failed:
	}
	return errors.Join(failure, a.shutdown())
}

// shutdown stops all parts at the same time, then the goroutines of background,
// and closes the backend.
func (a *app) shutdown() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	errs := make([]error, len(a.stops))
	var all sync.WaitGroup
	for i, stop := range a.stops {
		all.Go(func() { errs[i] = stop(ctx) })
	}
	all.Wait()
	if a.cancel != nil {
		a.cancel()
	}
	a.running.Wait()
	return errors.Join(append(errs, a.close())...)
}

// newRequestID returns a new id of a request.
func newRequestID() string { return "req_" + rand.Text() }
