package rest

import (
	"bytes"
	"cmp"
	"context"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"missiond/internal/gateway"
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

// admit returns a route's handler behind the gateway.
func (a *API) admit(pattern string, next http.Handler) http.Handler {
	op := a.operations[pattern] // "" if the pattern isn't an operation's
	policy, _ := mission.PolicyOf(op)
	if isRead(op) {
		next = httpserver.WithETag(next, WriteError)
	}
	route := gateway.Route{
		Operation: op, Open: policy.Open, MaxBody: maxBytes(op), Limit: requestLimit, Fail: WriteError,
		Read: func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
			return nil, cmp.Or(
				checkPath(r, pattern), a.checkQuery(r, pattern), a.checkConditions(r, pattern),
				httpserver.CheckWhole(r), httpserver.CheckEncoding(w, r), checkBody(r, op),
			)
		},
		CheckBody:  func(body []byte) error { return a.checkNoBody(pattern, body) },
		Condition:  func(r *http.Request) (context.Context, error) { return a.condition(r.Context(), r, pattern) },
		Repeatable: func(r *http.Request) bool { return isDryRun(op, r) }, // a retry changes nothing either
	}
	route.Optional = op == mission.OpMediaFile // a signed address needs no credential
	route.Uploads = op == mission.OpMediaUpload || op == mission.OpMediaReceive
	if op == mission.OpMediaUpload {
		route.Contents = a.uploadContents
	}
	if op == mission.OpAnalyticsExport || showsFile(op) || route.Uploads {
		route.Limit = 0 // each of their pieces is limited
	}
	passing := a.gateway.Handler(route, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpserver.SetOperation(r.Context(), string(op))
		httpserver.SetRoute(r.Context(), pattern)
		passing.ServeHTTP(w, r)
	})
}

// checkNoBody rejects the body of a request whose route takes none, unless it says nothing: some
// clients send {} with all. Errors: invalid_request.
func (a *API) checkNoBody(pattern string, body []byte) error {
	_, known := a.queries[pattern]
	saysNothing := slices.Contains([]string{"", "{}", "null"}, string(bytes.TrimSpace(body)))
	if !known || a.bodied[pattern] || saysNothing {
		return nil
	}
	return mission.Invalid("", "This request takes no body.")
}

// isDryRun reports whether a request only checks what it would do.
func isDryRun(op mission.Operation, r *http.Request) bool {
	dry, _ := strconv.ParseBool(r.URL.Query().Get("dry_run"))
	return dry && op == mission.OpContentImport
}

// isRead reports whether an operation reads a single record.
func isRead(op mission.Operation) bool {
	_, verb, _ := strings.Cut(string(op), ".")
	return strings.HasPrefix(verb, "read") || op == mission.OpPreferences
}

// showsFile reports whether an operation shows a file's bytes, which have a tag of their own.
func showsFile(op mission.Operation) bool {
	return op == mission.OpMediaFile || op == mission.OpMediaFetch
}

// jsonBody is the media type of the bodies of all operations but the import.
const jsonBody = "application/json"

// maxBytes returns the most bytes that the body of an operation's request has.
func maxBytes(op mission.Operation) int64 {
	if op == mission.OpContentImport {
		return maxImport
	}
	return maxBody
}

// checkBody rejects a body by its length or type alone.
func checkBody(r *http.Request, op mission.Operation) error {
	if op == mission.OpMediaUpload || op == mission.OpMediaReceive {
		return checkUpload(r)
	}
	if most := maxBytes(op); r.ContentLength > most {
		return httpserver.TooLarge(most)
	}
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if op == mission.OpContentImport {
		_, _, err := importType(r.Header.Get("Content-Type"))
		return err
	}
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || t != jsonBody {
		return unsupported("body", []string{jsonBody})
	}
	return httpserver.CheckCharset(params)
}
