package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"missiond/internal/httpserver"
	"missiond/internal/service/idempotency"
	"missiond/mission"
)

// maxKey is the longest idempotency key, in bytes.
const maxKey = 255

// once runs a request, if it is the first with its Idempotency-Key, and repeats its
// response to later ones, to the credential that got it, as long as that may still
// do the same. Requests without a credential aren't stored: each is run.
func (q *request) once(r *http.Request) {
	keys := r.Header.Values(httpserver.IdempotencyHeader)
	if len(keys) == 0 || r.Method != http.MethodPost {
		q.serve(r)
		return
	}
	key, err := idempotencyKey(keys)
	p := httpserver.Caller(r.Context())
	if err == nil && p.Credential() == "" {
		q.serve(r)
		return
	}
	if err != nil {
		q.route.Fail(q.w, r, err)
		return
	}
	ctx, begun, reply, err := q.begin(r, p, key)
	if err != nil {
		q.route.Fail(q.w, r, err)
		return
	}
	if reply != nil {
		q.w.Header().Set(httpserver.ReplayedHeader, "true")
		q.w.Header().Set("Content-Type", reply.ContentType)
		write(q.w, reply)
		return
	}
	write(q.w, q.work(ctx, begun, r))
	q.counts = q.w.Succeeded()
}

// begin begins a request with a key, which is bound to all that the request sends. Errors: those of the
// Requests and of the route's Contents; invalid_request on the header if the route has none.
func (q *request) begin(r *http.Request, p mission.Principal, key string) (context.Context, *idempotency.Request, *idempotency.Reply, error) {
	switch {
	case !q.route.Uploads:
		return q.Requests.Begin(r.Context(), p, key, fingerprint(r, q.body))
	case q.route.Contents == nil:
		return r.Context(), nil, nil, mission.Invalid(httpserver.IdempotencyHeader, "%s isn't supported here.", httpserver.IdempotencyHeader)
	}
	return q.Requests.BeginStreamed(r.Context(), p, key, fingerprint(r, nil), func(ctx context.Context) (string, error) {
		return q.route.Contents(q.w, r.WithContext(ctx))
	})
}

// serve runs a request. One whose response has begun counts even if it is cut off: its client
// may have left.
func (q *request) serve(r *http.Request) {
	defer func() { q.counts = q.w.Succeeded() }()
	q.next.ServeHTTP(q.w, r)
}

// work runs a request, and stores the response.
func (q *request) work(ctx context.Context, begun *idempotency.Request, r *http.Request) (reply *idempotency.Reply) {
	// The response is stored before it is sent: a caller that has seen it will see
	// it again.
	defer func() { begun.End(ctx, reply) }() // nil if next panicked
	record := httpserver.Buffered(q.w)
	q.next.ServeHTTP(record, r.WithContext(ctx))
	if status := record.Status(); status >= http.StatusInternalServerError || status == http.StatusTooManyRequests || status == http.StatusUnauthorized {
		begun.Transient()
	}
	return &idempotency.Reply{Status: record.Status(), ContentType: q.w.Header().Get("Content-Type"), Body: record.Body()}
}

func write(w http.ResponseWriter, reply *idempotency.Reply) {
	w.WriteHeader(reply.Status)
	_, _ = bytes.NewReader(reply.Body).WriteTo(w) // fails only if the caller is gone
}

// idempotencyKey reads the header: visible ASCII.
func idempotencyKey(values []string) (string, error) {
	key := values[0]
	if len(values) != 1 {
		key = "" // none of them
	}
	return key, CheckKey(httpserver.IdempotencyHeader, key)
}

// CheckKey returns an error unless a key can be that of a request. Errors: invalid_request on param.
func CheckKey(param, key string) error {
	sound := key != "" && len(key) <= maxKey
	for _, c := range []byte(key) {
		sound = sound && c > ' ' && c < 0x7f
	}
	if !sound {
		return mission.Invalid(param, "The %s must be one value of 1 to %d visible ASCII characters.", param, maxKey)
	}
	return nil
}

// fingerprint returns a hash of a request's contents: where and how it was sent, and the body that was read.
func fingerprint(r *http.Request, body []byte) string {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.RawQuery} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	if form := bodyForm(r); form != "" && len(body) > 0 {
		_, _ = fmt.Fprintf(h, "%d:%s", len(form), form)
	}
	_, _ = h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// bodyForm returns how a body is to be read, by its type: "" for JSON, which is read in one way. The same
// bytes are other rows as CSV than in lines of JSON, and other texts in another character set.
func bodyForm(r *http.Request) string {
	t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || t == "application/json" {
		return ""
	}
	return strings.ToLower(mime.FormatMediaType(t, params))
}
