package main

import (
	"context"
	"net/http"
	"time"

	"missiond/graph"
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
	// key is the demo's, which pages show to this machine only; "" elsewhere.
	key string
	// origins are those of pages that may call the APIs.
	origins []string
}

// api is what an API's answers have in common.
func (p pages) api(h http.Handler) http.Handler {
	return httpserver.WithCORS(p.origins, httpserver.WithAPIHeaders(httpserver.Compressed(h)))
}

// open registers a page that may show the key.
func (p pages) open(mux *http.ServeMux, pattern string, page http.Handler) {
	if p.key != "" {
		page = door("", page)
	}
	mux.Handle(pattern, page)
}

// handler answers everything on the API's address: REST below /v1, GraphQL,
// health, and the pages.
func (a *app) handler(p pages, also func(mux *http.ServeMux)) http.Handler {
	mux, v1 := http.NewServeMux(), http.NewServeMux()
	api := rest.New(v1, rest.Options{Service: a.service, Accounts: a.accounts, Webhooks: a.webhooks, Integrations: a.integrations, Auth: a.accounts, Limits: a.limits, Requests: a.requests, Clock: a.clock, Log: a.log, Version: versionText()})
	guarded := api.Guard(rest.Root(v1))
	mux.Handle("/v1/", p.api(guarded))
	mux.Handle("GET /v1/openapi.json", v1)
	mux.Handle("GET /v1/openapi.yaml", v1)
	reference := web.Reference("/v1/openapi.json")
	mux.Handle("GET /v1/docs", reference)
	mux.Handle("GET /v1/docs/", reference)
	p.open(mux, "GET /{$}", web.Index(web.Links{GraphiQL: p.graphiQL, Operators: p.ops, CurlExample: p.curl}))
	if p.graphiQL {
		explorer := web.GraphiQL("/graphql", p.key)
		p.open(mux, "GET /graphiql", explorer)
		p.open(mux, "GET /graphiql/", explorer)
	}
	mux.Handle("POST /graphql", p.api(a.graph))
	mux.Handle("GET /graphql", p.api(http.HandlerFunc(a.graph.Socket)))
	mux.Handle("GET /graphql/schema.graphql", graph.Definition())
	if len(p.origins) > 0 {
		mux.Handle("OPTIONS /graphql", p.api(a.graph))
	}
	mux.HandleFunc("GET "+callbackPath, a.callback)
	a.health(mux)
	if also != nil {
		also(mux)
	}
	return httpserver.WithRequestID(newRequestID, httpserver.WithRecover(a.log, rest.WriteError, limited(a.limits, mux)))
}

// readyLimit bounds the look at the database and Redis.
const readyLimit = 2 * time.Second

// health registers /healthz, whether the process lives, and /readyz, whether
// it can work: it needs its database, while Redis may be away for a time.
func (a *app) health(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok", "version": versionText()})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyLimit)
		defer cancel()
		status, answer := http.StatusOK, map[string]string{"status": "ok", "database": "ok", "redis": "ok"}
		if a.parts.Queue.Ping(ctx) != nil {
			answer["status"], answer["redis"] = "degraded", "unreachable"
		}
		if a.db.Ping(ctx) != nil {
			status, answer["status"], answer["database"] = http.StatusServiceUnavailable, "unavailable", "unreachable"
		}
		writeJSON(w, status, answer)
	})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = jsonwire.Write(w, v) // the caller is gone where this fails
}
