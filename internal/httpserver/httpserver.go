// Package httpserver has what every HTTP path of the service shares: request ids, the
// context of a request, panics, headers, time limits.
package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"missiond/mission"
)

type contextKey int

const (
	requestKey contextKey = iota
	principalKey
	credentialKey
	cookieKey
)

// WithRecover responds to a panic with fail, which gets it as an error with its stack.
func WithRecover(fail func(http.ResponseWriter, *http.Request, error), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			fail(w, r, Panicked(p))
		}()
		next.ServeHTTP(w, r)
	})
}

// Panicked returns the error for a panic that was recovered from, with its stack.
func Panicked(p any) error { return fmt.Errorf("panic: %v\n%s", p, debug.Stack()) }

// WithCredential returns a context with the credential of its request, valid or not.
func WithCredential(ctx context.Context, credential string) context.Context {
	return context.WithValue(ctx, credentialKey, credential)
}

// Credential returns the credential of ctx's request, valid or not, or "".
func Credential(ctx context.Context) string {
	credential, _ := ctx.Value(credentialKey).(string)
	return credential
}

// WithCookie returns a context with the credential of a request's cookie, which counts
// unless the request's messages have another one.
func WithCookie(ctx context.Context, credential string) context.Context {
	return context.WithValue(ctx, cookieKey, credential)
}

// Cookie returns the credential of WithCookie, valid or not, or "".
func Cookie(ctx context.Context) string {
	credential, _ := ctx.Value(cookieKey).(string)
	return credential
}

// WithPrincipal returns a context with a caller.
func WithPrincipal(ctx context.Context, p mission.Principal) context.Context {
	setCaller(ctx, p)
	return context.WithValue(ctx, principalKey, p)
}

// Principal returns the caller of ctx's request. ok is false if the request wasn't
// authenticated.
func Principal(ctx context.Context) (p mission.Principal, ok bool) {
	p, ok = ctx.Value(principalKey).(mission.Principal)
	return p, ok
}

// Caller returns the caller of ctx's request, or the zero Principal, which owns nothing.
func Caller(ctx context.Context) mission.Principal {
	p, _ := Principal(ctx)
	return p
}

// Time limits of the server. A request's body must be read within readLimit;
// responses may take longer, since they may be streams.
const (
	headerLimit = 5 * time.Second
	readLimit   = 15 * time.Second
	idleLimit   = 2 * time.Minute
	// headerBytes admits a credential of a megabyte, so that it gets a 401 like any
	// other.
	headerBytes = http.DefaultMaxHeaderBytes
)

// New returns a server for a handler, with limits.
func New(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headerLimit, ReadTimeout: readLimit, IdleTimeout: idleLimit,
		MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
