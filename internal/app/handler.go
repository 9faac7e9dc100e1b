package app

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"

	"missiond/graph"
	"missiond/internal/console"
	"missiond/internal/devenv"
	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/internal/mcpserver"
	"missiond/internal/reviewpage"
	"missiond/internal/service/missions"
	"missiond/rest"
	"missiond/web"
)

// Pages are what is served beside the APIs.
type Pages struct {
	GraphiQL bool
	// ops serves the operators' pages without a password, curl is an example for the
	// start page, start exchanges a one-time token for the demo tenant's key, and keys
	// are the development identity provider's: in development only.
	ops   bool
	curl  string
	start *devenv.Start
	keys  json.RawMessage
	// console is the sign-in of the console; nil is that of the configuration.
	console *console.SignIn
}

// Handler returns the handler of the API's address: REST below /v1, GraphQL, health
// and the pages.
func (a *App) Handler(p Pages) http.Handler {
	if p.console == nil {
		p.console = a.signIn(a.Console)
	}
	mux := http.NewServeMux()
	a.handleREST(mux)
	a.handleGraphQL(mux, p.console.Cookies)
	a.handleMCP(mux)
	a.handleConsole(mux, p.console)
	mux.Handle(missions.ReviewPath, reviewpage.New(reviewpage.Options{Missions: a.Missions, Media: a.Media, Gateway: a.gateway, Clock: a.Clock}))
	mux.Handle(missions.LinkPath, a.Links)
	a.handlePages(mux, p)
	consent := a.consent(p.console.Cookies)
	for _, pattern := range consentPatterns {
		mux.Handle(pattern, consent)
	}
	a.handleAgents(mux)
	a.metaCallbacks(mux)
	a.health(mux)
	return a.outermost(limited(a.Limits, mux), &httpserver.Observer{
		Metrics: a.requests, AccessLog: a.AccessLog, Address: a.logged, Tracer: a.Tracer,
	})
}

// logged returns the address of a request's sender as the log has it: of those who follow a tracked link it
// isn't kept.
func (a *App) logged(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, missions.LinkPath) {
		return ""
	}
	return a.Limits.Address(r)
}

// api wraps an API's handler with CORS, caching headers and compression, and has it read what it refuses.
func (a *App) api(h http.Handler) http.Handler {
	return httpserver.Lingering(cmp.Or(a.Lingers, httpserver.Lingers), httpserver.WithCORS(a.Origins, httpserver.NoStore(httpserver.Compressed(h))))
}

func (a *App) handleREST(mux *http.ServeMux) {
	api := rest.New(rest.Options{
		Missions: a.Missions, Accounts: a.Accounts, Agents: a.Agents, Webhooks: a.Webhooks, Integrations: a.Integrations, Media: a.Media, Gateway: a.gateway,
		Clock: a.Clock, Version: a.Version,
	})
	mux.Handle("/v1/", a.api(api))
	for _, pattern := range rest.Public {
		mux.Handle(pattern, httpserver.Public(api))
	}
	reference := web.Reference("/v1/openapi.json")
	mux.Handle("GET /v1/docs", reference)
	mux.Handle("GET /v1/docs/", reference)
}

func (a *App) handleGraphQL(mux *http.ServeMux, cookies *console.Cookies) {
	mux.Handle("POST /graphql", a.api(cookies.Credential(a.Graph)))
	mux.Handle("GET /graphql", a.api(cookies.Credential(a.Graph)))
	mux.Handle("GET /graphql/schema.graphql", graph.Definition())
	if len(a.Origins) > 0 {
		mux.Handle("OPTIONS /graphql", a.api(a.Graph))
	}
}

// handleMCP serves the tools of assistants.
func (a *App) handleMCP(mux *http.ServeMux) {
	mux.Handle(mcpserver.Path, a.api(mcpserver.New(mcpserver.Options{
		Missions: a.Missions, Accounts: a.Accounts, Integrations: a.Integrations, Media: a.Media, DB: a.DB, Gateway: a.gateway,
		Clock: a.Clock, Real: a.Real, PublicURL: a.PublicURL, Origins: a.Origins, Version: a.Version,
	})))
}

// handleConsole serves the console, to which the address itself leads.
func (a *App) handleConsole(mux *http.ServeMux, s *console.SignIn) {
	mux.Handle("GET /{$}", http.RedirectHandler(web.ConsoleRoot, http.StatusFound))
	mux.Handle("GET "+web.ConsoleRoot, web.Console())
	mux.Handle("GET "+web.SignInStyle, web.SignInAssets())
	mux.Handle("POST "+web.ConsoleRoot+"session", s.Cookies.Session(a.Auth))
	s.Handle(func(pattern string, h http.Handler) {
		if s.Dev != nil { // anyone may be anyone: not those whose page has rebound its name
			h = operatorsOnly(h)
		}
		mux.Handle(pattern, h)
	})
}

func (a *App) handlePages(mux *http.ServeMux, p Pages) {
	links := web.Links{GraphiQL: p.GraphiQL, Operators: p.ops, CurlExample: p.curl}
	if p.start != nil {
		links.StartPath = devenv.StartPath
		mux.Handle("POST "+devenv.StartPath, operatorsOnly(p.start))
	}
	index := web.Index(links)
	mux.Handle("GET /developers", index)
	mux.Handle("GET /developers/assets/", index)
	if p.GraphiQL {
		explorer := web.GraphiQL("/graphql")
		mux.Handle("GET /graphiql", explorer)
		mux.Handle("GET /graphiql/", explorer)
	}
	if p.ops {
		a.ops(mux, "")
	}
	if p.keys != nil {
		mux.HandleFunc("GET /.well-known/jwks.json", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, p.keys) })
	}
}

// outermost wraps a listener's handler with request ids, headers and recovery from
// panics.
func (a *App) outermost(next http.Handler, observer *httpserver.Observer) http.Handler {
	observer.Log, observer.NewID = a.Log, newRequestID
	return a.leaving(observer.Observe(httpserver.WithHeaders(httpserver.WithRecover(refuse, next))))
}

// leaving closes the connection of each response while the process drains, so that
// clients open their next ones elsewhere.
func (a *App) leaving(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// newRequestID returns a new id of a request.
func newRequestID() string { return "req_" + rand.Text() }

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = jsonwire.Write(w, v) // an error means that the client is gone
}
