// Package rest is the REST v1 interface: thin. A handler decodes, calls a verb
// of the service and converts its answer; rules are in package mission.
package rest

import (
	"cmp"
	"context"
	"log/slog"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/internal/service"
	"missiond/mission"
)

// Bounds of a request: its body's bytes (decisions, "Conventions") and its time.
const (
	maxBody      = 1 << 20
	requestLimit = 30 * time.Second
)

// API is the REST interface over the service's verbs.
type API struct {
	service  *service.Service
	accounts *service.Accounts
	hooks    *service.Webhooks
	links    *service.Integrations
	auth     httpserver.Authenticator
	limits   *httpserver.Limits
	requests *service.Requests
	clock    service.Clock
	log      *slog.Logger
	mux      *http.ServeMux
	huma     huma.API
	// operations are the routes', by their patterns: "POST /v1/…".
	operations map[string]mission.Operation
	// queries are the routes' query parameters, by the same patterns.
	queries map[string][]string
}

// Options are what New needs.
type Options struct {
	Service      *service.Service
	Accounts     *service.Accounts
	Webhooks     *service.Webhooks
	Integrations *service.Integrations
	Auth         httpserver.Authenticator
	Limits       *httpserver.Limits
	Requests     *service.Requests
	Clock        service.Clock
	Log          *slog.Logger
	// Version is the program's, for the API description.
	Version string
}

// New registers the interface below /v1 on mux, with its OpenAPI description
// at /v1/openapi.json.
func New(mux *http.ServeMux, o Options) *API {
	config := huma.DefaultConfig("Content missions", o.Version)
	config.OpenAPIPath = "/v1/openapi"
	config.DocsPath, config.SchemasPath = "", ""
	config.CreateHooks = nil // no $schema members in bodies
	config.Info.Description = "A tenant states a content mission; a pipeline writes, schedules, publishes, measures and improves its posts."
	config.Formats = map[string]huma.Format{"application/json": {Marshal: jsonwire.Write, Unmarshal: jsonwire.Read}}
	config.DefaultFormat = "application/json"
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "A session token or an API key."},
	}
	config.Security = []map[string][]string{{"bearer": {}}}
	a := &API{
		service: o.Service, accounts: o.Accounts, hooks: o.Webhooks, links: o.Integrations, auth: o.Auth, limits: o.Limits, requests: o.Requests, clock: o.Clock, log: o.Log,
		mux: mux, huma: humago.New(mux, config), operations: map[string]mission.Operation{},
	}
	a.sessions()
	a.keys()
	a.tenant()
	a.missions()
	a.contents()
	a.analytics()
	a.webhooks()
	a.integrations()
	a.events()
	a.notifications()
	a.usage()
	a.describeAll()
	a.queries = declaredQueries(a.huma.OpenAPI())
	return a
}

// response is what huma writes: the body, and the status where it isn't the
// route's.
type response[T any] struct {
	Body T
}

// route describes a route. Each has its operation: without one it can't be
// registered, and its policy decides who may call it.
type route struct {
	operation    mission.Operation
	method, path string
	status       int
	summary      string
	tag          string
	bodyOptional bool
	// explain says better what is wrong with a body; nil leaves it.
	explain func(error) error
}

// handle registers a route whose request has parameters P only.
func handle[P, R any](a *API, rt route, do func(ctx context.Context, p mission.Principal, params *P) (R, error)) {
	huma.Register(a.huma, a.describe(rt), func(ctx context.Context, params *P) (*response[R], error) {
		return answer(ctx, a, rt, func(p mission.Principal) (R, error) { return do(ctx, p, params) })
	})
}

// bodied are a route's parameters with the body beside them.
type bodied[P any] interface {
	*P
	raw() []byte
}

// RawText is the body; it is embedded in the parameters of a route that has a body.
type RawText struct{ RawBody []byte }

func (b *RawText) raw() []byte { return b.RawBody }

// handleBody registers a route whose request has parameters P and a JSON body
// B.
func handleBody[P, B, R any, PP bodied[P]](a *API, rt route, do func(ctx context.Context, p mission.Principal, params *P, body B) (R, error)) {
	op := a.describe(rt)
	op.MaxBodyBytes = maxBody
	op.SkipValidateBody = true // mission's rules hold for GraphQL too
	op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{
		"application/json": {Schema: huma.SchemaFromType(a.huma.OpenAPI().Components.Schemas, reflect.TypeFor[B]())},
	}}
	huma.Register(a.huma, op, func(ctx context.Context, params *P) (*response[R], error) {
		return answer(ctx, a, rt, func(p mission.Principal) (R, error) {
			var body B
			text := PP(params).raw()
			if len(text) == 0 && rt.bodyOptional {
				return do(ctx, p, params, body)
			}
			if err := jsonwire.Read(text, &body); err != nil {
				if rt.explain != nil {
					err = rt.explain(err)
				}
				var none R
				return none, err
			}
			return do(ctx, p, params, body)
		})
	})
	op.RequestBody.Required = !rt.bodyOptional // huma takes any raw body for required
}

// describe begins a route's description, and guards it.
func (a *API) describe(rt route) huma.Operation {
	policy, ok := mission.PolicyOf(rt.operation)
	if !ok {
		panic("bug: the route " + rt.path + " has no operation")
	}
	a.operations[rt.method+" "+rt.path] = rt.operation
	failure := &huma.Response{Description: "An error", Content: map[string]*huma.MediaType{
		"application/json": {Schema: huma.SchemaFromType(a.huma.OpenAPI().Components.Schemas, reflect.TypeFor[envelope]())},
	}}
	op := huma.Operation{
		OperationID: string(rt.operation), Method: rt.method, Path: rt.path, DefaultStatus: rt.status,
		Summary: rt.summary, Description: policy.Needs(func(s mission.Scope) string { return string(s) }), Tags: []string{rt.tag},
		Responses: map[string]*huma.Response{"default": failure},
	}
	if policy.Open {
		op.Security = []map[string][]string{{}}
	}
	return op
}

// answer runs a route's handler for its caller, where the policy lets it.
func answer[R any](ctx context.Context, a *API, rt route, do func(p mission.Principal) (R, error)) (*response[R], error) {
	p, _ := httpserver.Principal(ctx)
	err := p.Check(rt.operation)
	if err == nil {
		ticket := service.TicketOf(ctx)
		ticket.Mutates()
		ticket.Allowed(rt.operation)
		var body R
		if body, err = do(p); err == nil {
			return &response[R]{Body: body}, nil
		}
	}
	return nil, a.fail(ctx, err)
}

// fail makes of an error what huma writes, and logs what is ours.
func (a *API) fail(ctx context.Context, err error) error {
	e := newEnvelope(httpserver.RequestID(ctx), err)
	if e.Inner.Code == mission.CodeInternal {
		a.log.Error("rest", "request_id", httpserver.RequestID(ctx), "error", err)
	}
	h := http.Header{}
	e.headers(h)
	return huma.ErrorWithHeaders(e, h)
}

// Guard authenticates what goes to the interface, holds it to its limits,
// bounds its body and its content type, before anything is parsed.
func (a *API) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, pattern := a.mux.Handler(r)
		op := a.operations[pattern]
		policy, _ := mission.PolicyOf(op)
		var err error
		if !policy.Open {
			r, err = httpserver.Authenticate(a.auth, r)
		}
		p, _ := httpserver.Principal(r.Context())
		limited := a.limits.Charge(w, r, p, op)
		if limited != nil {
			err = limited
		}
		out, replayed := &outcome{ResponseWriter: w}, false
		defer func() {
			// What came to nothing, or was answered before, doesn't count.
			if limited == nil && (replayed || !out.succeeded()) {
				_ = a.limits.TakeOperation(context.WithoutCancel(r.Context()), p, op, -1)
			}
		}()
		if err == nil {
			err = cmp.Or(checkPath(r, pattern), a.checkQuery(r, pattern), checkBody(r))
		}
		if err != nil {
			if mission.CodeOf(err) == mission.CodeInternal {
				a.log.Error("rest: authenticate", "request_id", httpserver.RequestID(r.Context()), "error", err)
			}
			WriteError(w, r, err)
			return
		}
		next := next
		if isRead(op) {
			next = httpserver.WithETag(next)
		}
		ctx := r.Context()
		if op != mission.OpAnalyticsExport { // it bounds its parts itself
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, requestLimit)
			defer cancel()
		}
		httpserver.Once(a.requests, maxBody, WriteError, func() { replayed = true }, next).ServeHTTP(out, r.WithContext(ctx))
	})
}

// outcome remembers with which status a request was answered.
type outcome struct {
	http.ResponseWriter

	status int
}

func (o *outcome) WriteHeader(status int) {
	o.status = status
	o.ResponseWriter.WriteHeader(status)
}

func (o *outcome) Write(p []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	return o.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (o *outcome) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// succeeded reports whether there was an answer that isn't an error.
func (o *outcome) succeeded() bool { return o.status > 0 && o.status < http.StatusBadRequest }

// isRead tells an operation that reads one record.
func isRead(op mission.Operation) bool { return strings.HasSuffix(string(op), ".read") }

// checkBody refuses a body by its length or type alone.
func checkBody(r *http.Request) error {
	if r.ContentLength > maxBody {
		return tooLarge()
	}
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return &mission.Error{Code: mission.CodeUnsupportedMedia, Message: "The body must be application/json."}
	}
	return nil
}
