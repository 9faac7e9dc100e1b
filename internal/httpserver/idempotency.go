package httpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"

	"missiond/internal/service/idempotency"
	"missiond/mission"
)

// IdempotencyHeader identifies a request, so that it is executed once however often
// it is sent; ReplayedHeader marks a repeated response.
const (
	IdempotencyHeader = "Idempotency-Key"
	ReplayedHeader    = "Idempotent-Replayed"
)

// maxKey is the longest idempotency key, in bytes.
const maxKey = 255

// Once passes the first request with an Idempotency-Key to next, and repeats its
// response to later ones, to the credential that got it, as long as that may still
// do the same. Requests without a credential aren't stored: each goes to next. tell
// writes Once's own errors. maxBody limits the body, which is read for the
// comparison. replayed is called if next isn't.
func Once(requests *idempotency.Requests, maxBody int64, tell func(http.ResponseWriter, *http.Request, error), replayed func(), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys := r.Header.Values(IdempotencyHeader)
		if len(keys) == 0 || r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		key, err := idempotencyKey(keys)
		p, _ := Principal(r.Context())
		if err == nil && p.Credential() == "" {
			next.ServeHTTP(w, r)
			return
		}
		var body []byte
		if err == nil {
			body, err = ReadBody(w, r, maxBody)
		}
		if err != nil {
			tell(w, r, err)
			return
		}
		ctx, begun, reply, err := requests.Begin(r.Context(), p, key, fingerprint(r, body))
		if err != nil {
			tell(w, r, err)
			return
		}
		if reply != nil {
			replayed()
			w.Header().Set(ReplayedHeader, "true")
			w.Header().Set("Content-Type", reply.ContentType)
			write(w, reply)
			return
		}
		write(w, work(ctx, begun, w, r, next))
	})
}

// work passes a request to next, and stores the response.
func work(ctx context.Context, begun *idempotency.Request, w http.ResponseWriter, r *http.Request, next http.Handler) (reply *idempotency.Reply) {
	// The response is stored before it is sent: a caller that has seen it will see
	// it again.
	defer func() { begun.End(ctx, reply) }() // nil if next panicked
	record := &recorder{ResponseWriter: w, status: http.StatusOK}
	next.ServeHTTP(record, r.WithContext(ctx))
	switch {
	case record.status >= http.StatusInternalServerError, record.status == http.StatusTooManyRequests, record.status == http.StatusUnauthorized:
		begun.Transient()
	}
	return &idempotency.Reply{Status: record.status, ContentType: w.Header().Get("Content-Type"), Body: record.body.Bytes()}
}

func write(w http.ResponseWriter, reply *idempotency.Reply) {
	w.WriteHeader(reply.Status)
	_, _ = bytes.NewReader(reply.Body).WriteTo(w) // fails only if the caller is gone
}

// idempotencyKey reads the header: visible ASCII.
func idempotencyKey(values []string) (string, error) {
	key := values[0]
	sound := len(values) == 1 && key != "" && len(key) <= maxKey
	for _, c := range []byte(key) {
		sound = sound && c > ' ' && c < 0x7f
	}
	if !sound {
		return "", mission.Invalid(IdempotencyHeader, "The Idempotency-Key must be one value of 1 to %d visible ASCII characters.", maxKey)
	}
	return key, nil
}

// ReadBody reads a request's body, and makes it readable again. Errors:
// payload_too_large; invalid_request if it can't be read.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, &mission.Error{Code: mission.CodePayloadTooLarge, Message: fmt.Sprintf("The body must be at most %d KiB.", most>>10)}
	}
	if err != nil {
		return nil, mission.Invalid("", "The body could not be read.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

// fingerprint returns a hash of a request's contents.
func fingerprint(r *http.Request, body []byte) string {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.RawQuery} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	_, _ = h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// recorder records a response; headers go to the response itself.
type recorder struct {
	http.ResponseWriter

	status int
	body   bytes.Buffer
}

func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }
