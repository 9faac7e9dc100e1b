package app

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/tasks"
)

// Bounds of the readiness check.
const (
	readyLimit = 2 * time.Second
	// readyFor is how long a result is cached, so that many probes cost no more
	// than one.
	readyFor = time.Second
)

// readiness serves /readyz: whether the process can work, and will go on. It needs its
// database; without Redis or its store of files it is only degraded.
type readiness struct {
	// redis and database try what the process needs of them.
	redis, database func(ctx context.Context) error
	// files has what is known of the store of files; nil in a process that has none.
	files    *filesWatch
	draining *atomic.Bool
	now      func() time.Duration // of a monotonic clock
	log      *slog.Logger

	mu       sync.Mutex
	until    time.Duration
	status   int
	response map[string]string
}

// ServeHTTP responds with the cached result, or checks once for all that wait. A
// process that is about to shut down isn't ready.
func (c *readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if c.draining.Load() {
		writeJSON(w, http.StatusServiceUnavailable, map[string]string{"status": "draining"})
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.response == nil || c.now() >= c.until {
		c.check()
		c.until = c.now() + readyFor
	}
	writeJSON(w, c.status, c.response)
}

// check has a deadline of its own, not the request's: others wait for it too. It logs
// why a result differs from the last one.
func (c *readiness) check() {
	ctx, cancel := context.WithTimeout(context.Background(), readyLimit)
	defer cancel()
	before := c.response
	c.status, c.response = http.StatusOK, map[string]string{"status": "ok", "database": "ok", "redis": "ok"}
	redis := make(chan error, 1)
	go func() { redis <- c.redis(ctx) }()
	failed := c.database(ctx)
	degraded := <-redis
	if c.files != nil {
		if c.response["files"] = c.files.State(); c.response["files"] != filesOK {
			c.response["status"] = "degraded"
		}
	}
	if degraded != nil {
		c.response["status"], c.response["redis"] = "degraded", tasks.Cause(degraded)
	}
	if failed != nil {
		c.status, c.response["status"], c.response["database"] = http.StatusServiceUnavailable, "unavailable", database.Cause(failed)
	}
	switch now := c.response["status"]; {
	case maps.Equal(c.response, before):
	case now != "ok":
		c.log.Warn("not ready: "+now, "database", failed, "redis", degraded, "files", c.response["files"])
	case before != nil:
		c.log.Info("ready again")
	}
}

// health registers /livez and /healthz, which report that the process is alive, and
// /readyz.
func (a *App) health(mux *http.ServeMux) {
	alive := func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok", "version": a.Version})
	}
	mux.HandleFunc("GET /livez", alive)
	mux.HandleFunc("GET /healthz", alive)
	mux.Handle("GET /readyz", &readiness{
		redis: a.parts.Queue.TryWrite, database: a.DB.TryWrite, files: a.files, draining: a.draining, now: clock.Running, log: a.Log,
	})
}
