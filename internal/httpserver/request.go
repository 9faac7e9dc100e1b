package httpserver

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"missiond/mission"
)

// RequestIDHeader is the response header with the request's id.
const RequestIDHeader = "X-Request-Id"

// callersID matches the request ids that are accepted from callers.
var callersID = regexp.MustCompile(`^[A-Za-z0-9._-]{8,64}$`)

// request is what is known of a request while it is handled. It is safe for concurrent
// use.
type request struct {
	id  string
	log *slog.Logger

	mu        sync.Mutex
	caller    mission.Principal
	operation string
	told      []mission.Code
}

// Observer gives requests their ids, and logs those that fail.
type Observer struct {
	Log *slog.Logger
	// NewID returns a new request id.
	NewID func() string
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
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey, q)))
	})
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
	return context.WithValue(ctx, requestKey, &request{id: q.id, log: q.log, caller: q.caller, operation: q.operation})
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
