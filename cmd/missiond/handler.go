package main

import (
	"context"
	"net/http"
	"sync"
	"time"

	"missiond/graph"
	"missiond/internal/clock"
	"missiond/internal/devenv"
	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/rest"
	"missiond/web"
)

// pages are what is served beside the APIs.
type pages struct {
	curl     string // an example for the start page
	graphiQL bool
	ops      bool // whether the operators' pages are on this address
	// start exchanges a one-time token for the demo tenant's key; nil elsewhere.
	start *devenv.Start
	// origins are those of pages that may call the APIs.
	origins []string
}

// api wraps an API's handler with CORS, caching headers and compression.
func (p pages) api(h http.Handler) http.Handler {
	return httpserver.WithCORS(p.origins, httpserver.Unkept(httpserver.Compressed(h)))
}

// handler returns the handler of the API's address: REST below /v1, GraphQL,
// health, the pages, and what also registers.
func (a *app) handler(p pages, also func(mux *http.ServeMux)) http.Handler {
	mux, v1 := http.NewServeMux(), http.NewServeMux()
	api := rest.New(v1, rest.Options{Service: a.service, Accounts: a.accounts, Webhooks: a.webhooks, Integrations: a.integrations, Auth: a.accounts, Limits: a.limits, Requests: a.requests, Clock: a.clock, Log: a.log, Version: versionText()})
	guarded := api.Guard(rest.Root(v1))
	mux.Handle("/v1/", p.api(guarded))
	mux.Handle("GET /v1/openapi.json", httpserver.Public(v1))
	mux.Handle("GET /v1/openapi.yaml", httpserver.Public(v1))
	reference := web.Reference("/v1/openapi.json")
	mux.Handle("GET /v1/docs", reference)
	mux.Handle("GET /v1/docs/", reference)
	links := web.Links{GraphiQL: p.graphiQL, Operators: p.ops, CurlExample: p.curl}
	if p.start != nil {
		links.StartPath = devenv.StartPath
		mux.Handle("POST "+devenv.StartPath, operatorsOnly("", p.start))
	}
	index := web.Index(links)
	mux.Handle("GET /{$}", index)
	mux.Handle("GET /start/assets/", index)
	if p.graphiQL {
		explorer := web.GraphiQL("/graphql")
		mux.Handle("GET /graphiql", explorer)
		mux.Handle("GET /graphiql/", explorer)
	}
	mux.Handle("POST /graphql", p.api(a.graph))
	mux.Handle("GET /graphql", p.api(http.HandlerFunc(a.graph.Socket)))
	mux.Handle("GET /graphql/schema.graphql", graph.Definition())
	if len(p.origins) > 0 {
		mux.Handle("OPTIONS /graphql", p.api(a.graph))
	}
	for _, pattern := range consentPatterns {
		mux.HandleFunc(pattern, a.consent)
	}
	a.health(mux)
	if also != nil {
		also(mux)
	}
	return a.outermost(limited(a.limits, mux))
}

// outermost wraps a listener's handler with request ids, headers and recovery from
// panics.
func (a *app) outermost(next http.Handler) http.Handler {
	return httpserver.WithRequestID(newRequestID, httpserver.WithHeaders(httpserver.WithRecover(a.log, rest.WriteError, next)))
}

// Bounds of the readiness check.
const (
	readyLimit = 2 * time.Second
	// readyFor is how long a result is cached, so that many probes cost no more
	// than one.
	readyFor = time.Second
)

// readiness serves /readyz: whether the process can work. It needs its database;
// without Redis it is only degraded.
type readiness struct {
	redis, database func(ctx context.Context) error
	now             func() time.Duration // of a monotonic clock

	mu     sync.Mutex
	until  time.Duration
	status int
	answer map[string]string
}

// ServeHTTP responds with the cached result, or checks once for all that wait.
func (c *readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answer == nil || c.now() >= c.until {
		c.check()
		c.until = c.now() + readyFor
	}
	writeJSON(w, c.status, c.answer)
}

// check has a deadline of its own, not the request's: others wait for it too.
func (c *readiness) check() {
	ctx, cancel := context.WithTimeout(context.Background(), readyLimit)
	defer cancel()
	c.status, c.answer = http.StatusOK, map[string]string{"status": "ok", "database": "ok", "redis": "ok"}
	if c.redis(ctx) != nil {
		c.answer["status"], c.answer["redis"] = "degraded", "unreachable"
	}
	if c.database(ctx) != nil {
		c.status, c.answer["status"], c.answer["database"] = http.StatusServiceUnavailable, "unavailable", "unreachable"
	}
}

// health registers /healthz, which reports that the process is alive, and /readyz.
func (a *app) health(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok", "version": versionText()})
	})
	mux.Handle("GET /readyz", &readiness{redis: a.parts.Queue.Ping, database: a.db.Ping, now: clock.Running})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = jsonwire.Write(w, v) // an error means that the client is gone
}
