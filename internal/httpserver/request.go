package httpserver

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"missiond/internal/clock"
	"missiond/internal/tracing"
	"missiond/mission"
)

// RequestIDHeader is the response header with the request's id.
const RequestIDHeader = "X-Request-Id"

// callersID matches the request ids that are accepted from callers.
var callersID = regexp.MustCompile(`^[A-Za-z0-9._-]{8,64}$`)

// request is what is known of a request while it is handled. It is safe for concurrent
// use.
type request struct {
	id     string
	log    *slog.Logger
	tracer *tracing.Tracer // nil unless the request is traced

	mu        sync.Mutex
	caller    mission.Principal
	operation string
	pattern   string
	told      []mission.Code
}

// Observer gives requests their ids, counts them, and logs those that fail, or all.
type Observer struct {
	Log *slog.Logger
	// NewID returns a new request id.
	NewID func() string
	// Metrics may be nil.
	Metrics *Metrics
	// AccessLog logs every request.
	AccessLog bool
	// Address returns the address of a request's sender; required for AccessLog.
	Address func(r *http.Request) string
	// Tracer traces the requests of the APIs; it may be nil.
	Tracer *tracing.Tracer
}

// Observe gives each request an id: the caller's if it is well-formed, otherwise
// a new one.
func (o *Observer) Observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(RequestIDHeader)
		if !callersID.MatchString(id) {
			id = o.NewID()
		}
		w.Header().Set(RequestIDHeader, id)
		q := &request{id: id, log: o.Log}
		if traced(r) {
			q.tracer = o.Tracer
		}
		r = r.WithContext(context.WithValue(r.Context(), requestKey, q))
		if o.Metrics == nil && !o.AccessLog && q.tracer == nil {
			next.ServeHTTP(w, r)
			return
		}
		o.measure(w, r, q, next)
	})
}

// measure handles a request, and then counts and logs it. One whose handler panics has
// no response, or half of one: its connection is cut.
func (o *Observer) measure(w http.ResponseWriter, r *http.Request, q *request, next http.Handler) {
	sent, began := Recorded(w), clock.Running()
	if o.Metrics != nil {
		o.Metrics.inFlight.Inc()
		defer o.Metrics.inFlight.Dec()
	}
	r, span := q.trace(r)
	defer func() {
		took := clock.Running() - began
		q.mu.Lock()
		caller, operation, route := q.caller, q.operation, q.pattern
		q.mu.Unlock()
		endSpan(span, r, route, operation, caller, sent)
		if o.Metrics != nil {
			o.Metrics.count(operationLabel(operation), sent.Status(), took, IsStream(r))
		}
		if o.AccessLog {
			o.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("method", r.Method), slog.String("route", route), slog.Int("status", sent.Status()),
				slog.Float64("ms", float64(took.Microseconds())/1000), slog.Int64("bytes", sent.bytes), slog.String("request_id", q.id),
				slog.String("operation", operation), slog.String("tenant", caller.TenantID), slog.String("credential", caller.Credential()),
				slog.String("address", o.Address(r)))
		}
	}()
	next.ServeHTTP(sent, r)
}

// requestOf returns the request that ctx belongs to; nil if it belongs to none.
func requestOf(ctx context.Context) *request {
	q, _ := ctx.Value(requestKey).(*request)
	return q
}

// RequestID returns the id of ctx's request, or "".
func RequestID(ctx context.Context) string {
	if q := requestOf(ctx); q != nil {
		return q.id
	}
	return ""
}

// Apart returns a context for one of several operations of ctx's request, as on a
// socket: the failures of each are logged.
func Apart(ctx context.Context) context.Context {
	q := requestOf(ctx)
	if q == nil {
		return ctx
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return context.WithValue(ctx, requestKey, &request{id: q.id, log: q.log, tracer: q.tracer, caller: q.caller, operation: q.operation})
}

// SetRoute records the pattern of the route of ctx's request, for the log.
func SetRoute(ctx context.Context, pattern string) {
	if q := requestOf(ctx); q != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.pattern = pattern
	}
}

// SetOperation records what ctx's request does, for the log: the name of an operation
// of the service, or of GraphQL.
func SetOperation(ctx context.Context, name string) {
	if q := requestOf(ctx); q != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.operation = name
	}
}

// setCaller records the caller of ctx's request, for the log.
func setCaller(ctx context.Context, p mission.Principal) {
	if q := requestOf(ctx); q != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.caller = p
	}
}

// tell logs a failure of ctx's request, at a level, unless one with the same code has
// been logged.
func tell(ctx context.Context, level slog.Level, code mission.Code, err error, more []slog.Attr) {
	q := requestOf(ctx)
	if q == nil {
		return
	}
	q.mu.Lock()
	told, caller, operation := slices.Contains(q.told, code), q.caller, q.operation
	if !told {
		q.told = append(q.told, code)
	}
	q.mu.Unlock()
	if told {
		return
	}
	attrs := append([]slog.Attr{
		slog.String("request_id", q.id), slog.String("tenant", caller.TenantID), slog.String("operation", operation),
		slog.String("code", string(code)), slog.Any("error", err),
	}, more...)
	q.log.LogAttrs(ctx, level, "a request failed", attrs...)
}
