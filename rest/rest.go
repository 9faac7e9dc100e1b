// Package rest is the REST v1 API. It is thin: a handler decodes, calls a method of
// the service and converts the result; rules are in package mission.
package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.opentelemetry.io/otel/trace"

	"missiond/internal/database"
	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/internal/service/accounts"
	"missiond/internal/service/agents"
	"missiond/internal/service/idempotency"
	"missiond/internal/service/integrations"
	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/internal/service/webhooks"
	"missiond/internal/tracing"
	"missiond/mission"
	"missiond/store"
)

// Limits of a request: the bytes of its body (decisions, "Conventions") and its
// time.
const (
	maxBody      = 1 << 20
	maxImport    = 4 << 20 // of an import's body
	requestLimit = 30 * time.Second
)

// API is the REST API over the service's methods.
type API struct {
	missions     *missions.API
	accounts     *accounts.Service
	agents       *agents.Service
	webhooks     *webhooks.Service
	integrations *integrations.Service
	media        *media.Service
	gateway      *gateway.Gateway
	clock        missions.Clock
	mux          *http.ServeMux
	huma         huma.API
	// operations are the operations of the routes, by pattern: "POST /v1/…".
	operations map[string]mission.Operation
	// reads are the routes that read single records, without admit.
	reads *http.ServeMux
	// queries are the names of the routes' query parameters, by pattern; bodied has the patterns
	// of the routes that take a body.
	queries map[string][]string
	bodied  map[string]bool
}

// Options are what New needs.
type Options struct {
	Missions     *missions.API
	Accounts     *accounts.Service
	Agents       *agents.Service
	Webhooks     *webhooks.Service
	Integrations *integrations.Service
	Media        *media.Service
	Gateway      *gateway.Gateway
	Clock        missions.Clock
	// Version is the program's version, for the API description.
	Version string
}

// Public are the patterns of the API's OpenAPI description, which needs no
// credential.
var Public = []string{"GET /v1/openapi.json", "GET /v1/openapi.yaml"}

// New returns the API, whose paths begin with /v1/.
func New(o Options) *API {
	config := huma.DefaultConfig("Content missions", o.Version)
	config.OpenAPIPath = "/v1/openapi"
	config.DocsPath, config.SchemasPath = "", ""
	config.CreateHooks = nil // no $schema members in bodies
	config.Info.Description = "A tenant creates a content mission; a pipeline writes, schedules, publishes, measures and improves its posts."
	config.Formats = map[string]huma.Format{"application/json": {Marshal: jsonwire.Write, Unmarshal: jsonwire.Read}}
	config.DefaultFormat = "application/json"
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "A session token or an API key."},
	}
	config.Info.Contact = &huma.Contact{Name: "The operators of this service"}
	config.Servers = []*huma.Server{{URL: "/", Description: "The server that this description is read from"}}
	config.Tags = describedTags
	config.Security = []map[string][]string{{"bearer": {}}}
	a := &API{
		missions: o.Missions, accounts: o.Accounts, agents: o.Agents, webhooks: o.Webhooks, integrations: o.Integrations, media: o.Media, gateway: o.Gateway, clock: o.Clock,
		mux: http.NewServeMux(), reads: http.NewServeMux(), operations: map[string]mission.Operation{},
	}
	a.huma = humago.New(a, config)
	a.routeSessions()
	a.routeKeys()
	a.routeAgents()
	a.routeTenant()
	a.routeMissions()
	a.routeContents()
	a.routeComments()
	a.routeReplies()
	a.routeReviewLinks()
	a.routeCalendar()
	a.routeMedia()
	a.routeAnalytics()
	a.routeWebhooks()
	a.routeIntegrations()
	a.routePlatforms()
	a.routeEvents()
	a.routeNotifications()
	a.routeUsage()
	a.describeAll()
	a.queries, a.bodied = declaredInputs(a.huma.OpenAPI())
	a.HandleFunc(unrouted, Unrouted(a.mux, unrouted))
	return a
}

// ServeHTTP serves the API.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

// unrouted is the pattern of the paths without a route.
const unrouted = "/v1/"

// response is what huma writes: the body, and the status if it differs from the
// route's.
type response[T any] struct {
	Body T
}

// handle registers a route without a body, whose request has the parameters P.
func handle[P, R any](a *API, rt route, do func(ctx context.Context, p mission.Principal, params *P) (R, error)) {
	huma.Register(a.huma, a.describe(rt), func(ctx context.Context, params *P) (*response[R], error) {
		if _, ok := any(params).(interface{ page() store.Page }); ok {
			ctx = database.AllowReplica(ctx) // a list
		}
		return serve(ctx, rt, func(ctx context.Context, p mission.Principal) (R, error) { return do(ctx, p, params) })
	})
}

// bodied is the parameters of a route together with its body.
type bodied[P any] interface {
	*P
	raw() []byte
}

// RawText is the body, embedded in the parameters of a route that has a body.
type RawText struct{ RawBody []byte }

func (b *RawText) raw() []byte { return b.RawBody }

// handleBody registers a route whose request has the parameters P and a JSON body
// B.
func handleBody[P, B, R any, PP bodied[P]](
	a *API, rt route, do func(ctx context.Context, p mission.Principal, params *P, body B) (R, error),
) {
	op := a.describe(rt)
	op.MaxBodyBytes = maxBytes(rt.operation)
	op.SkipValidateBody = true // mission's rules, which also apply to GraphQL, check the body
	schema := huma.SchemaFromType(a.huma.OpenAPI().Components.Schemas, reflect.TypeFor[B]())
	describeFields(schema, reflect.TypeFor[B]())
	op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{
		"application/json": {Schema: schema, Example: json.RawMessage(rt.example)},
	}}
	huma.Register(a.huma, op, func(ctx context.Context, params *P) (*response[R], error) {
		return serve(ctx, rt, func(ctx context.Context, p mission.Principal) (R, error) {
			var body B
			text := PP(params).raw()
			null := bytes.Equal(bytes.TrimSpace(text), []byte("null"))
			if len(text) == 0 && rt.bodyOptional || null && rt.nullable {
				return do(ctx, p, params, body)
			}
			if null {
				var none R
				return none, mission.Invalid("", "The body must be an object, not null.")
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
	delete(op.RequestBody.Content, rawBody)
}

// describe returns the beginning of a route's description, and records its operation.
func (a *API) describe(rt route) huma.Operation {
	policy, ok := mission.PolicyOf(rt.operation)
	if !ok {
		panic("bug: the route " + rt.path + " has no operation")
	}
	a.operations[rt.method+" "+rt.path] = rt.operation
	failure := func(about string) *huma.Response {
		schema := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[envelope](), true, "")
		return &huma.Response{Description: about, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
	op := huma.Operation{
		OperationID: string(rt.operation), Method: rt.method, Path: rt.path, DefaultStatus: rt.status,
		Summary: rt.summary, Description: policy.Needs(func(s mission.Scope) string { return string(s) }), Tags: []string{string(rt.tag)},
		Responses: map[string]*huma.Response{clientErrors: failure("The request is refused"), "default": failure("An error of the service")},
	}
	if policy.Open {
		op.Security = []map[string][]string{{}}
	}
	return op
}

// serve runs a route's handler for its caller if the operation's policy allows it.
func serve[R any](ctx context.Context, rt route, do func(ctx context.Context, p mission.Principal) (R, error)) (*response[R], error) {
	p, _ := httpserver.Principal(ctx)
	ctx, span := tracing.Start(ctx, string(rt.operation), trace.SpanKindInternal)
	defer span.End()
	err := p.Check(rt.operation)
	if err == nil {
		request := idempotency.RequestOf(ctx)
		request.Mutates()
		request.Allowed(rt.operation)
		var body R
		if body, err = do(ctx, p); err == nil {
			return &response[R]{Body: body}, nil
		}
	}
	return nil, fail(ctx, err)
}

// fail converts an error to what huma writes.
func fail(ctx context.Context, err error) error {
	e := newEnvelope(ctx, err)
	h := http.Header{}
	e.headers(h)
	return huma.ErrorWithHeaders(e, h)
}
