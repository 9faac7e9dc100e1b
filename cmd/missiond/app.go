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

// app is a process: its parts, and what runs in it until it ends.
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
	// cookiePrefix begins the names of cookies: hostCookie over TLS, else "".
	cookiePrefix string
	retention    service.Retention
	asker        service.Asker // nil where the identity provider can't be asked

	running sync.WaitGroup
	cancel  context.CancelFunc
	stops   []func(ctx context.Context) error
	failed  chan error
}

// sandboxSeed makes every development run's audiences the same.
const sandboxSeed = 1

// appOptions are how a process differs from others.
type appOptions struct {
	retention time.Duration // of tasks that are done, on the dashboard
	writer    service.Writer
	writers   int // how many stages write at once; 0 is no bound
	// sandbox takes the posts that have no connected integration.
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

// background runs fn until the process ends.
func (a *app) background(ctx context.Context, fn func(context.Context)) {
	a.running.Go(func() { fn(ctx) })
}

// startLedger runs the dispatcher and the sweeper, which every process has.
func (a *app) startLedger(ctx context.Context) context.Context {
	ctx, a.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if os.Getenv("GOGC") == "" {
		a.background(ctx, tuneCollector)
	}
	a.background(ctx, tasks.NewDispatcher(a.parts).Run)
	a.background(ctx, tasks.NewSweeper(a.parts).Run)
	return ctx
}

// startWorker takes tasks.
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

// serveHTTP answers on a listener until the process ends.
func (a *app) serveHTTP(l net.Listener, h http.Handler) {
	server := httpserver.New(h, a.log)
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("serve %s: %w", l.Addr(), err)
		}
	}()
	a.stops = append(a.stops, server.Shutdown)
}

// shutdownLimit bounds the whole of a graceful end.
const shutdownLimit = 9 * time.Second

// wait runs until ctx ends or a part fails, and then ends gracefully: no more
// requests and tasks are taken, those under way are finished or returned.
func (a *app) wait(ctx context.Context) error {
	var failure error
	select {
	case <-ctx.Done():
		a.log.Info("ending: finishing what is under way")
	case failure = <-a.failed:
	}
	return errors.Join(failure, a.end())
}

func (a *app) end() error {
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

// newRequestID makes the ids of requests.
func newRequestID() string { return "req_" + rand.Text() }
