package httpserver

import (
	"io"
	"net/http"
	"time"

	"missiond/internal/clock"
)

// Lingers is how long what is left of a refused request's body may yet arrive.
const Lingers = 2 * time.Second

// lingerBytes bounds how much of it is read.
const lingerBytes = 32 << 20

// Lingering returns a handler that reads and drops what is left of a request's body before it responds with an error: a
// client that sends all of its request before it reads would otherwise find the connection closed instead of the
// response (RFC 9112, section 9.6). One that waits to be told to go on isn't. What is left has so much time: Lingers, but for
// tests, which share their machine.
func Lingering(lingers time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			w = &lingering{ResponseWriter: w, body: r.Body, lingers: lingers, expects: r.Header.Get("Expect") != ""}
		}
		next.ServeHTTP(w, r)
	})
}

// lingering is the response to a request with a body.
type lingering struct {
	http.ResponseWriter

	body    io.Reader
	lingers time.Duration
	expects bool
}

// WriteHeader reads the body first if the status is an error's.
func (l *lingering) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		control := http.NewResponseController(l.ResponseWriter)
		_ = control.SetReadDeadline(clock.Real().Now().Add(l.lingers)) // of what the server itself reads, too
		if !l.expects {
			_, _ = io.CopyN(io.Discard, l.body, lingerBytes) // whatever stops it, the response follows
		}
	}
	l.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (l *lingering) Unwrap() http.ResponseWriter { return l.ResponseWriter }
