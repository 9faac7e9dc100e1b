// Package endpoint serves the GraphQL API over HTTP: it reads requests, admits documents
// and operations, has gqlgen execute them, and writes the responses.
package endpoint

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/graph/exec"
	"missiond/graph/node"
	"missiond/graph/querylimit"
	"missiond/graph/scalar"
	"missiond/graph/stream"
	"missiond/internal/admission"
	"missiond/internal/database"
	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/service/idempotency"
	"missiond/mission"
)

// Limits of a request (the GraphQL contract, "Guards").
const (
	maxBody   = 64 << 10
	maxTokens = 2000
	// requestLimit is how long a request may take.
	requestLimit = 30 * time.Second
)

// Options are what New needs.
type Options struct {
	// Resolvers resolve the schema's fields.
	Resolvers exec.ResolverRoot
	// Around returns the context of a response, or of a mutation's field, for the resolvers.
	Around  func(ctx context.Context) context.Context
	Gateway *gateway.Gateway
	// Identify only checks a credential, for open streams; the gateway's Auth also counts it.
	Identify func(ctx context.Context, credential string) (mission.Principal, error)
	Log      *slog.Logger
	// Introspection lets clients read the schema from the API.
	Introspection bool
	// Metrics may be nil.
	Metrics prometheus.Registerer
	// Documents are the only documents that may be run, by name; nil allows any. Known
	// ones may be run in either case.
	Documents, Known map[string]string
	// DisablePlans has gqlgen write all of a response.
	DisablePlans bool
}

// API is the GraphQL API.
type API struct {
	requests, sockets http.Handler
	streams           *stream.Server
}

// New returns the API, served at one path: POST with a JSON body, answered with
// JSON or server-sent events, and WebSockets. Callers are authenticated before
// anything is parsed.
func New(o Options) *API {
	checks := &operations{limits: o.Gateway.Limits}
	schema := exec.NewExecutableSchema(exec.Config{Resolvers: o.Resolvers, Directives: exec.DirectiveRoot{Operation: checks.check}})
	checks.schema = schema.Schema()
	if !o.DisablePlans {
		checks.planner = exec.NewPlanner(schema)
	}
	s := handler.New(schema)
	a := &API{streams: newStreams(o)}
	s.AddTransport(stream.Sockets{Server: a.streams})
	s.AddTransport(stream.Events{Server: a.streams})
	s.AddTransport(posts{})
	admitted := documents{schema: schema.Schema(), cache: newDocumentCache(), allowed: newAllowList(o.Documents, o.Known)}
	s.Use(admitted)
	s.SetQueryCache(admitted)
	s.Use(&variables{})
	s.Use(&costs{})
	s.SetParserTokenLimit(maxTokens)
	s.SetDisableSuggestion(true)
	s.SetValidationRulesFn(querylimit.Rules)
	s.SetErrorPresenter(presenter)
	s.SetRecoverFunc(func(_ context.Context, p any) error { return httpserver.Panicked(p) })
	if o.Introspection {
		s.Use(extension.Introspection{})
	}
	s.AroundOperations(func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		kind := graphql.GetOperationContext(ctx).Operation.Operation
		httpserver.SetOperation(ctx, "graphql."+string(kind))
		switch {
		case kind == ast.Mutation:
			idempotency.RequestOf(ctx).Mutates()
		case kind == ast.Subscription && !stream.Supported(ctx):
			return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{present(ctx, &gqlerror.Error{Err: errNoStream})}})
		}
		return traced(ctx, next(ctx))
	})
	s.AroundRootFields(func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		ctx, span := startRootField(ctx)
		defer span.End()
		if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
			ctx = o.Around(ctx) // each sees what those before it have changed
		}
		return next(ctx)
	})
	s.AroundResponses(func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		// A document that can't be executed has no operation.
		if op := graphql.GetOperationContext(ctx).Operation; op != nil && op.Operation == ast.Query {
			ctx = database.AllowReplica(ctx)
		}
		return fewer(next(exec.Collecting(o.Around(ctx))))
	})
	s.AroundFields(takeField)
	a.requests, a.sockets = o.Gateway.Handler(requests(admitted.allowed), s), o.Gateway.Handler(sockets, s)
	return a
}

func newStreams(o Options) *stream.Server {
	return stream.New(stream.Options{
		Gateway: o.Gateway, Identify: o.Identify, Log: o.Log, Metrics: o.Metrics,
		MaxBody: maxBody, Timeout: requestLimit, Check: checkUTF8,
		Present: func(ctx context.Context, err error) *gqlerror.Error {
			return present(ctx, &gqlerror.Error{Err: err})
		},
		Fail: func(w http.ResponseWriter, r *http.Request, err error, status int) {
			failAs(w, r, err, status)
		},
	})
}

// ServeHTTP handles a POST, and a GET: that is a query in the address, or opens a
// WebSocket.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if (stream.Sockets{}).Supports(r) {
		httpserver.SetOperation(r.Context(), "graphql.subscription")
		a.sockets.ServeHTTP(w, r)
		return
	}
	httpserver.SetOperation(r.Context(), "graphql")
	a.requests.ServeHTTP(w, r)
}

// requests is how requests with a document pass; operations charges them, field by field.
func requests(allowed *allowList) gateway.Route {
	return gateway.Route{
		MaxBody: maxBody, Read: readRequest, CheckBody: checkUTF8, Streams: stream.WantsEvents, Limit: requestLimit, Fail: fail,
		Anonymous: func(r *http.Request, body []byte) bool {
			return r.Method == http.MethodPost && opensSession(body, allowed)
		},
	}
}

// sockets is how requests for a WebSocket pass. Browsers send a socket's credential in its
// first message.
var sockets = gateway.Route{
	Optional: true, Streams: func(*http.Request) bool { return true },
	Fail: func(w http.ResponseWriter, r *http.Request, err error) {
		status := 0
		if mission.CodeOf(err) == mission.CodeRateLimitExceeded {
			status = http.StatusTooManyRequests // not GraphQL yet
		}
		failAs(w, r, err, status)
	},
}

// Run checks open streams until ctx ends.
func (a *API) Run(ctx context.Context) { a.streams.Run(ctx) }

// Close ends the streams and refuses new ones: their clients reconnect elsewhere.
func (a *API) Close() { a.streams.Close() }

// operations enforces the policy of each field's operation.
type operations struct {
	limits  *gateway.Limits
	schema  *ast.Schema
	planner *exec.Planner
}

// check lets a caller resolve a field if it has the scope of the field's
// operation, within the operation's rate limit. Calls without an effect don't
// count. The result is written by its plan, if it has one.
func (o *operations) check(ctx context.Context, _ any, next graphql.Resolver, is string) (any, error) {
	p, op := httpserver.Caller(ctx), mission.Operation(is)
	if err := p.Check(op); err != nil {
		return nil, err
	}
	if err := o.limits.TakeOperation(ctx, p, op, 1); err != nil {
		return nil, err
	}
	idempotency.RequestOf(ctx).Allowed(op)
	at := graphql.GetFieldContext(ctx)
	err := checkNulls(o.schema, at.Field.Field, graphql.GetOperationContext(ctx).Variables)
	var v any
	if err == nil {
		v, err = next(verbContext(ctx, at))
	}
	if err != nil {
		_ = o.limits.TakeOperation(ctx, p, op, -1)
		return v, err
	}
	return o.planner.Write(ctx, v)
}

// maxFull is how many errors a response has of fields for which there was no memory left: once there is none, all that
// follow fail.
const maxFull = 5

// fewer returns a response without such errors beyond maxFull.
func fewer(r *graphql.Response) *graphql.Response {
	if r == nil {
		return nil
	}
	found := 0
	r.Errors = slices.DeleteFunc(r.Errors, func(e *gqlerror.Error) bool {
		if admission.IsFull(e.Err) {
			found++
		}
		return found > maxFull && admission.IsFull(e.Err)
	})
	return r
}

// verbContext returns the context of the verb of a field: what a mutation changes isn't refused for what its response takes.
func verbContext(ctx context.Context, at *graphql.FieldContext) context.Context {
	if at.Object == "Mutation" {
		return database.Metered(ctx, nil)
	}
	return ctx
}

// fieldBytes is what a field takes that gqlgen resolves, beside its value, in bytes.
const fieldBytes = 512

// takeField takes memory for a field that gqlgen resolves; what plans write takes its own.
func takeField(ctx context.Context, next graphql.Resolver) (any, error) {
	v, err := next(ctx)
	bytes := fieldBytes
	switch text := v.(type) {
	case string:
		bytes += len(text)
	case *string:
		if text != nil {
			bytes += len(*text)
		}
	case []string:
		for _, t := range text {
			bytes += len(t)
		}
	}
	if err == nil {
		err = admission.ResponseOf(ctx).Take(int64(bytes))
	}
	return v, err
}

// readRequest checks a body's type. A GET has its members in the address.
func readRequest(w http.ResponseWriter, r *http.Request) (body []byte, err error) {
	if r.Method == http.MethodGet {
		return addressed(r)
	}
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || t != typeJSON {
		return nil, &mission.Error{Code: mission.CodeUnsupportedMedia, Message: "The body must be application/json."}
	}
	return nil, cmp.Or(httpserver.CheckCharset(params), httpserver.CheckWhole(r), httpserver.CheckEncoding(w, r))
}

// gqlgen responds with 422 to documents that don't parse or validate; the contract
// requires 200 for every GraphQL response.
func init() {
	errcode.RegisterErrorType(errcode.ParseFailed, errcode.KindUser)
	errcode.RegisterErrorType(errcode.ValidationFailed, errcode.KindUser)
}

// fail responds with an error that occurs before GraphQL, in GraphQL's form.
func fail(w http.ResponseWriter, r *http.Request, err error) { failAs(w, r, err, 0) }

// failAs is fail with a status; 0 is that of the error's code.
func failAs(w http.ResponseWriter, r *http.Request, err error, status int) {
	e, kind := present(r.Context(), &gqlerror.Error{Err: err}), responseType(r)
	status = cmp.Or(status, statusOf(e, kind))
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", challenge)
	}
	if after, ok := e.Extensions["retryAfter"].(int); ok {
		w.Header().Set("Retry-After", strconv.Itoa(after))
	}
	writeResponse(w, kind, &graphql.Response{Errors: gqlerror.List{e}}, status)
}

// presenter shows errors with their code, param, problems, retryAfter and requestId.
func presenter(ctx context.Context, err error) *gqlerror.Error {
	return present(ctx, graphql.DefaultErrorPresenter(ctx, err))
}

func present(ctx context.Context, e *gqlerror.Error) *gqlerror.Error {
	m := fault(e)
	if m == nil {
		m = httpserver.Shown(ctx, e.Err, slog.String("path", e.Path.String()))
	}
	if m.Code == mission.CodeInternal || m.RetryAfter > 0 {
		idempotency.RequestOf(ctx).Transient()
	}
	e.Message = node.Clip(m.Message)
	e.Extensions = map[string]any{"code": m.Code, "requestId": httpserver.RequestID(ctx)}
	if m.Param != "" {
		e.Extensions["param"] = m.Param
	}
	if len(m.Problems) > 0 {
		e.Extensions["problems"] = node.ShownProblems(m.Problems)
	}
	if m.RetryAfter > 0 {
		e.Extensions["retryAfter"] = m.RetryAfter
	}
	return e
}

// fault returns the caller's error that GraphQL itself found; nil for an error of the
// service.
func fault(e *gqlerror.Error) *mission.Error {
	var known *mission.Error
	var value *scalar.Error
	switch {
	case errors.As(e.Err, &known):
	case e.Message == manyStreams:
		return mission.Invalid("", "A subscription must have exactly one field.")
	case e.Message == introspectionOff:
		return mission.Invalid("", "Introspection is disabled.")
	case e.Rule == "" && noOperation.MatchString(e.Message):
		if name := noOperation.FindStringSubmatch(e.Message)[1]; name != "" {
			return mission.Invalid("", "The document has no operation %q.", name)
		}
		return mission.Invalid("", "operationName must name one of the document's operations.")
	case errors.As(e.Err, &value):
		return mission.Invalid(valueParam(e.Path), "%s", value.Error())
	case strings.HasPrefix(e.Message, wrongNumber):
		kind := map[bool]string{true: "an integer", false: "a number"}[strings.HasSuffix(e.Message, " as Int")]
		return mission.Invalid(inputParam(e.Path), "the value must be %s", kind)
	case e.Err == nil || e.Rule != "" || inputParam(e.Path) != "":
		// The messages of the parser, the validator and the scalars are for the
		// caller.
		return mission.Invalid(inputParam(e.Path), "%s", e.Message)
	}
	return nil
}

// errNoStream is the error for a subscription on a transport with a single
// response.
var errNoStream = mission.Invalid("", "A subscription needs a WebSocket, or Accept: %s.", stream.ContentType)

// wrongNumber begins gqlparser's error for a variable whose value is a number of another kind,
// where it names 0 as the value.
const wrongNumber = "cannot use value "

// manyStreams is gqlgen's error for a subscription of more than one field.
const manyStreams = "must subscribe to exactly one stream"

// noOperation matches gqlgen's error for a document without an operation of a name, or with several and no name.
var noOperation = regexp.MustCompile(`(?s)^operation (.*) not found$`)

// introspectionOff is gqlgen's error for introspection that is switched off.
const introspectionOff = "introspection disabled"
