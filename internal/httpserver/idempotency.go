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

	"missiond/internal/service"
	"missiond/mission"
)

// IdempotencyHeader names a request, so that it is done once however often it
// is sent; ReplayedHeader marks an answer that was given before.
const (
	IdempotencyHeader = "Idempotency-Key"
	ReplayedHeader    = "Idempotent-Replayed"
)

// maxKey bounds an idempotency key, in bytes.
const maxKey = 255

// Once has next respond to a request with an Idempotency-Key the first time,
// and repeats that response from then on: to the credential that got it, as
// long as it may still do what was done. Requests without a credential aren't
// kept: next responds to each. tell writes Once's own errors. maxBody bounds the
// body, which is read for the comparison. replayed is called where next isn't.
func Once(requests *service.Requests, maxBody int64, tell func(http.ResponseWriter, *http.Request, error), replayed func(), next http.Handler) http.Handler {
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
			body, err = wholeBody(w, r, maxBody)
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

// work has next answer a request, and keeps what it answers.
func work(ctx context.Context, begun *service.Request, w http.ResponseWriter, r *http.Request, next http.Handler) (reply *service.Reply) {
	// What is answered is kept first: a caller that has seen it sees it again.
	defer func() { begun.End(ctx, reply) }() // without one where next panicked
	record := &recorder{ResponseWriter: w, status: http.StatusOK}
	next.ServeHTTP(record, r.WithContext(ctx))
	switch {
	case record.status >= http.StatusInternalServerError, record.status == http.StatusTooManyRequests, record.status == http.StatusUnauthorized:
		begun.Transient()
	}
	return &service.Reply{Status: record.status, ContentType: w.Header().Get("Content-Type"), Body: record.body.Bytes()}
}

func write(w http.ResponseWriter, reply *service.Reply) {
	w.WriteHeader(reply.Status)
	_, _ = bytes.NewReader(reply.Body).WriteTo(w) // the caller is gone where this fails
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

// wholeBody reads the body, and leaves it to be read again.
func wholeBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, &mission.Error{Code: mission.CodePayloadTooLarge, Message: fmt.Sprintf("The body is larger than %d KiB.", most>>10)}
	}
	if err != nil {
		return nil, mission.Invalid("", "The body did not arrive.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

// fingerprint returns what differs between requests of different contents.
func fingerprint(r *http.Request, body []byte) string {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.RawQuery} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	_, _ = h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// recorder keeps what is to be answered; its headers are the answer's own.
type recorder struct {
	http.ResponseWriter

	status int
	body   bytes.Buffer
}

func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }
