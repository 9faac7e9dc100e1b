package rest

import (
	"cmp"
	"context"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// HandleFunc registers a route's handler, by its pattern, behind admit. It is for
// huma, which calls it for each operation and for the API's description.
func (a *API) HandleFunc(pattern string, next func(http.ResponseWriter, *http.Request)) {
	if slices.Contains(Public, pattern) {
		a.mux.HandleFunc(pattern, next)
		return
	}
	if isRead(a.operations[pattern]) {
		a.reads.HandleFunc(pattern, next)
	}
	a.mux.Handle(pattern, a.admit(pattern, http.HandlerFunc(next)))
}

// admit authenticates a route's requests, and enforces rate limits and limits on the
// body's size and type, before anything is parsed.
func (a *API) admit(pattern string, next http.Handler) http.Handler {
	op := a.operations[pattern] // "" if the pattern isn't an operation's
	policy, _ := mission.PolicyOf(op)
	if isRead(op) {
		next = httpserver.WithETag(next)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		httpserver.SetOperation(r.Context(), string(op))
		httpserver.SetRoute(r.Context(), pattern)
		if !policy.Open {
			r, err = httpserver.Authenticate(a.auth, r)
		}
		p, _ := httpserver.Principal(r.Context())
		limited := a.limits.ChargeCaller(w, r, err, op)
		if limited != nil {
			err = limited
		}
		out, replayed := &outcome{ResponseWriter: w}, false
		defer func() {
			// A request that failed, or that repeats an earlier response, doesn't
			// count.
			if limited == nil && (replayed || !out.succeeded()) {
				_ = a.limits.TakeOperation(context.WithoutCancel(r.Context()), p, op, -1)
			}
		}()
		if err == nil {
			err = cmp.Or(checkPath(r, pattern), a.checkQuery(r, pattern), httpserver.CheckEncoding(w, r), checkBody(r, op))
		}
		var leave func()
		if err == nil {
			r, leave, err = a.enter(w, r, op)
		}
		if err != nil {
			WriteError(out, r, err)
			return
		}
		defer leave()
		ctx := r.Context()
		if op != mission.OpAnalyticsExport { // the export limits each of its pieces itself
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, requestLimit)
			defer cancel()
		}
		a.once(out, r.WithContext(ctx), pattern, func() { replayed = true }, next)
	})
}

// once serves an admitted request, at most once for its key, and if what it changes still is
// as its condition says. replayed is called if the response is an earlier one.
func (a *API) once(w http.ResponseWriter, r *http.Request, pattern string, replayed func(), next http.Handler) {
	ctx, done, err := a.condition(r.Context(), r, pattern)
	defer done()
	if err != nil {
		WriteError(w, r, err)
		return
	}
	op := a.operations[pattern]
	if r = r.WithContext(ctx); !isDryRun(op, r) { // whose retry changes nothing either
		next = httpserver.Once(a.requests, maxBytes(op), WriteError, replayed, next)
	}
	next.ServeHTTP(w, r)
}

// enter reads a request's body, and then waits for its turn: a slow client has no slot
// while it sends. Errors: ReadBody's and Admit's.
func (a *API) enter(w http.ResponseWriter, r *http.Request, op mission.Operation) (admitted *http.Request, leave func(), err error) {
	_, done, err := a.limits.ReadBody(w, r, a.gate, maxBytes(op))
	if err != nil {
		return r, nil, err
	}
	admitted, free, err := a.limits.Admit(w, r, a.gate)
	if err != nil {
		done()
		return r, nil, err
	}
	return admitted, func() { free(); done() }, nil
}

// isDryRun reports whether a request only checks what it would do.
func isDryRun(op mission.Operation, r *http.Request) bool {
	dry, _ := strconv.ParseBool(r.URL.Query().Get("dry_run"))
	return dry && op == mission.OpContentImport
}

// outcome records the status of a response.
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

// succeeded reports whether there was a response, and it wasn't an error.
func (o *outcome) succeeded() bool { return o.status > 0 && o.status < http.StatusBadRequest }

// isRead reports whether an operation reads a single record.
func isRead(op mission.Operation) bool { return strings.HasSuffix(string(op), ".read") }

// jsonBody are the media types of the bodies of all operations but the import.
var jsonBody = []string{"application/json"}

// maxBytes returns the most bytes that the body of an operation's request has.
func maxBytes(op mission.Operation) int64 {
	if op == mission.OpContentImport {
		return maxImport
	}
	return maxBody
}

// checkBody rejects a body by its length or type alone.
func checkBody(r *http.Request, op mission.Operation) error {
	if most := maxBytes(op); r.ContentLength > most {
		return tooLarge(most)
	}
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	allowed := jsonBody
	if op == mission.OpContentImport {
		allowed = slices.Sorted(maps.Keys(importTypes))
	}
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || !slices.Contains(allowed, t) {
		return unsupported(allowed)
	}
	return nil
}
