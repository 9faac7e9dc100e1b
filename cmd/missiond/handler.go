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

// pages say what is served beside the APIs.
type pages struct {
	curl     string // an example for the start page
	graphiQL bool
	ops      bool // whether the operators' pages are on this address
	// start hands the demo's key out; nil elsewhere.
	start *devenv.Start
	// origins are those of pages that may call the APIs.
	origins []string
}

// api is what an API's answers have in common.
func (p pages) api(h http.Handler) http.Handler {
	return httpserver.WithCORS(p.origins, httpserver.Unkept(httpserver.Compressed(h)))
}

// handler returns everything on the API's address: REST below /v1, GraphQL,
// health, and the pages.
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
		mux.Handle("POST "+devenv.StartPath, door("", p.start))
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

// outermost is what all answers have in common, on each of the process's
// addresses.
func (a *app) outermost(next http.Handler) http.Handler {
	return httpserver.WithRequestID(newRequestID, httpserver.WithHeaders(httpserver.WithRecover(a.log, rest.WriteError, next)))
}

// Bounds of the look at the database and Redis.
const (
	readyLimit = 2 * time.Second
	// readyFor is how long what was seen is answered: probes cost nothing more
	// when many ask.
	readyFor = time.Second
)

// readiness is what /readyz answers: whether the process can work. It needs its
// database, while Redis may be away for a time.
type readiness struct {
	redis, database func(ctx context.Context) error
	now             func() time.Duration // of a clock that only goes on

	mu     sync.Mutex
	until  time.Duration
	status int
	answer map[string]string
}

// ServeHTTP answers what was seen a moment ago, or looks for all that wait.
func (c *readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answer == nil || c.now() >= c.until {
		c.look()
		c.until = c.now() + readyFor
	}
	writeJSON(w, c.status, c.answer)
}

// look is not bound to the request that has it look: others wait for it too.
func (c *readiness) look() {
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

// health registers /healthz, whether the process lives, and /readyz.
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
	_ = jsonwire.Write(w, v) // the caller is gone where this fails
}
