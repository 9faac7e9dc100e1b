package gateway

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"time"

	"missiond/internal/database"
	"missiond/internal/httpserver"
	"missiond/internal/identity"
	"missiond/mission"
)

// Route is how the requests of a route pass.
type Route struct {
	// Operation is what a request calls; "" if that depends on its body, whose operations are
	// then charged one by one.
	Operation mission.Operation
	// Open routes authenticate nobody. Optional ones authenticate a request that has a
	// credential in its header.
	Open, Optional bool
	// Anonymous reports whether a request without a valid credential may go on, by its body;
	// nil lets none.
	Anonymous func(r *http.Request, body []byte) bool
	// MaxBody limits the body, in bytes.
	MaxBody int64
	// Uploads reports that the route reads its requests' bodies itself, as they arrive: without
	// a turn, since that takes as long as their clients like.
	Uploads bool
	// Contents reads such a body without doing anything else, and returns a hash of what it says: to an
	// Idempotency-Key that was used before, it must say the same. Without it a POST may not have a key.
	Contents func(w http.ResponseWriter, r *http.Request) (hash string, err error)
	// Read checks a request before its body is read, and returns the body if the request has it
	// elsewhere. CheckBody checks the body. Both may be nil.
	Read      func(w http.ResponseWriter, r *http.Request) (body []byte, err error)
	CheckBody func(body []byte) error
	// Streams reports whether a request opens a stream, whose operations pass by themselves
	// (Operation); nil: none does.
	Streams func(r *http.Request) bool
	// Limit is how long a request may take once it has its turn; 0 for no limit.
	Limit time.Duration
	// Condition returns the context of a request that is run if what it changes still is as
	// the request says; it may be nil.
	Condition func(r *http.Request) (context.Context, error)
	// Repeatable reports whether a request may be run each time that it is sent, even with an
	// Idempotency-Key; nil: none may.
	Repeatable func(r *http.Request) bool
	// Fail responds with an error.
	Fail func(w http.ResponseWriter, r *http.Request, err error)
}

// Handler returns a handler that takes a route's requests to next, with their caller in the
// context (httpserver.Principal) and their body read.
func (g *Gateway) Handler(route Route, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := &request{Gateway: g, route: route, next: next, w: httpserver.Recorded(w), r: r}
		if err := pass(q); err != nil {
			route.Fail(q.w, q.r, err)
		}
	})
}

// request is a request on its way.
type request struct {
	*Gateway

	route   Route
	next    http.Handler
	w       *httpserver.Response
	r       *http.Request // with what is known of it so far
	body    []byte
	streams bool
	counts  bool
}

func (q *request) authenticate() (err error) {
	if ambiguous(q.r) {
		return &mission.Error{Code: mission.CodeUnauthorized, Message: "A request has one Authorization header."}
	}
	if !q.route.Open && (!q.route.Optional || q.r.Header.Get("Authorization") != "") {
		q.r, err = Authenticate(q.Auth, q.r)
	}
	return err
}

// ambiguous reports whether a request has several credentials, of which one would be ignored.
func ambiguous(r *http.Request) bool { return len(r.Header.Values("Authorization")) > 1 }

// Authenticate returns r with its caller and its credential in the context; if the
// credential is rejected, with the credential alone. Errors: unauthorized; the
// Authenticator's.
func Authenticate(a Authenticator, r *http.Request) (*http.Request, error) {
	credential, err := identity.Bearer(r.Header.Get("Authorization"))
	if err != nil {
		return r, mission.Unauthorized()
	}
	ctx := httpserver.WithCredential(r.Context(), credential)
	p, err := a.Authenticate(ctx, credential)
	if err != nil {
		return r.WithContext(ctx), err
	}
	return r.WithContext(httpserver.WithPrincipal(ctx, p)), nil
}

// charge charges a caller that couldn't be looked up to nobody.
func (q *request) charge(refused error) error {
	if inDoubt(refused) {
		q.Limits.Peek(q.w, q.r)
		return refused
	}
	return q.Limits.Charge(q.w, q.r, httpserver.Caller(q.r.Context()), q.route.Operation)
}

func (q *request) read(refused error) (done func(), err error) {
	if refused != nil && (q.route.Anonymous == nil || ambiguous(q.r)) {
		return nil, refused
	}
	done, err = q.readBody()
	if err == nil && q.route.CheckBody != nil {
		err = q.route.CheckBody(q.body)
	}
	if refused != nil && (err != nil || !q.route.Anonymous(q.r, q.body)) {
		err = refused
	}
	if err != nil {
		done()
		return nil, err
	}
	q.streams = refused == nil && q.route.Streams != nil && q.route.Streams(q.r)
	return done, nil
}

// readBody reads the body, and makes it readable again. It reserves memory as the body arrives;
// a request without it costs nothing.
func (q *request) readBody() (done func(), err error) {
	done = func() {}
	if q.route.Uploads {
		if q.route.Read != nil {
			_, err = q.route.Read(q.w, q.r)
		}
		return done, err
	}
	if q.route.Read != nil {
		if q.body, err = q.route.Read(q.w, q.r); err != nil {
			return done, err
		}
		if q.body != nil {
			q.r.Body = io.NopCloser(bytes.NewReader(q.body))
			return done, nil
		}
	}
	if q.r.Body == nil || q.r.Body == http.NoBody {
		return done, nil
	}
	reserved := q.Gate.Reserve(httpserver.Caller(q.r.Context()).TenantID)
	q.body, err = httpserver.ReadBody(q.w, q.r, q.route.MaxBody, func(bytes int64) error {
		err := reserved.Grow(bytes)
		if err != nil {
			q.Limits.refund(q.w, q.r)
		}
		return err
	})
	return reserved.Release, err
}

// share names whose share of the process a request takes.
func (q *request) share() string {
	return cmp.Or(httpserver.Caller(q.r.Context()).TenantID, q.Limits.Address(q.r))
}

func (q *request) admit() (leave func(), err error) {
	if q.streams || q.route.Uploads {
		return func() {}, nil
	}
	ctx, give, err := q.Gate.Enter(q.r.Context(), q.share())
	if err != nil {
		q.Limits.refund(q.w, q.r)
		return nil, err
	}
	ctx, release := q.Respond(q.Limits.weighing(ctx, q.w), httpserver.Caller(q.r.Context()).TenantID)
	if q.route.Operation != "" && q.r.Method != http.MethodGet && q.r.Method != http.MethodHead {
		ctx = database.Metered(ctx, nil) // what it has changed isn't refused for its response
	}
	q.r = q.r.WithContext(ctx)
	return func() { release(); give() }, nil
}

func (q *request) limit() (end func()) {
	if q.streams || q.route.Limit == 0 {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(q.r.Context(), max(q.route.Limit, q.LeastTime))
	q.r = q.r.WithContext(ctx)
	return cancel
}

func (q *request) run() {
	if q.streams {
		q.serve(q.r)
		return
	}
	if q.route.Condition != nil {
		ctx, err := q.route.Condition(q.r)
		if err != nil {
			q.route.Fail(q.w, q.r, err)
			return
		}
		q.r = q.r.WithContext(ctx)
	}
	if q.route.Repeatable != nil && q.route.Repeatable(q.r) {
		q.serve(q.r)
		return
	}
	q.once(q.r)
}

func (q *request) giveBack() {
	if q.counts {
		return
	}
	_ = q.Limits.TakeOperation(context.WithoutCancel(q.r.Context()), httpserver.Caller(q.r.Context()), q.route.Operation, -1)
}
