package httpserver

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/rs/cors"

	"missiond/internal/admission"
)

// NoStore sets headers that keep the APIs' responses out of caches.
func NoStore(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// Responses of at least so many bytes are compressed if the caller accepts it.
// Jitter hides how well a response with both a secret and a stranger's text
// compresses (BREACH).
const (
	minCompressed = 1400
	jitterBytes   = 32
)

// Compressed compresses large responses other than streams.
func Compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(minCompressed), gzhttp.RandomJitter(jitterBytes, 0, false),
		gzhttp.ContentTypes([]string{"application/json", "text/csv", "application/x-ndjson"}))
	if err != nil {
		panic(fmt.Sprintf("bug: compression: %v", err))
	}
	wrapped := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if IsStream(r) {
			next.ServeHTTP(w, r)
			return
		}
		wrapped.ServeHTTP(w, r)
	})
}

// IsStream reports whether a request asks for a stream: a WebSocket, or server-sent
// events and nothing else.
func IsStream(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return r.Header.Get("Upgrade") != "" || strings.Contains(accept, "text/event-stream") && !strings.Contains(accept, "json")
}

// The methods and headers of the APIs that browsers may use.
var (
	corsMethods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}
	corsHeaders = []string{"Authorization", "Content-Type", IdempotencyHeader, RequestIDHeader, IfNoneMatchHeader, IfMatchHeader, "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"}
	corsExposed = []string{
		RequestIDHeader, ReplayedHeader, "Content-Disposition", "ETag", "Retry-After", "WWW-Authenticate", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
	}
)

// corsAge is how long a browser may cache a preflight response, in seconds.
const corsAge = 600

// WithCORS lets pages of origins call: https://app.example.com, or with one *,
// http://localhost:*. They send their credentials in the Authorization header: the
// console's cookie is for its own pages.
func WithCORS(origins []string, next http.Handler) http.Handler {
	if len(origins) == 0 {
		return next // the library takes none for all
	}
	return policy(origins).Handler(next)
}

func policy(origins []string) *cors.Cors {
	return cors.New(cors.Options{
		AllowedOrigins: origins, AllowedMethods: corsMethods, AllowedHeaders: corsHeaders, ExposedHeaders: corsExposed, MaxAge: corsAge,
		OptionsSuccessStatus: http.StatusNoContent,
	})
}

// AllowsOrigin reports whether pages of an origin may call.
func AllowsOrigin(origins []string, origin string) bool {
	return len(origins) > 0 && policy(origins).OriginAllowed(&http.Request{Header: http.Header{"Origin": {origin}}})
}

// IsPreflight reports whether a request is a CORS preflight.
func IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// WithETag adds an ETag to the responses to reads, and responds with 304 to callers
// that have the content already (RFC 9110, section 13.1.2).
// What has no memory for the response fails (admission.Response).
func WithETag(next http.Handler, fail func(w http.ResponseWriter, r *http.Request, err error)) http.Handler {
	return tagged("private, no-cache", next, fail)
}

// Public is WithETag for documents that are the same for everybody, and may be
// cached for some minutes.
func Public(next http.Handler) http.Handler { return tagged("public, max-age=300", next, nil) }

func tagged(caching string, next http.Handler, fail func(w http.ResponseWriter, r *http.Request, err error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record := Buffered(w)
		if fail != nil {
			record.memory = admission.ResponseOf(r.Context())
		}
		next.ServeHTTP(record, r)
		if record.over != nil {
			fail(w, r, record.over)
			return
		}
		if record.Status() == http.StatusOK {
			tag := tagOf(record)
			if err := CheckMatch(r, tag); err != nil && fail != nil {
				fail(w, r, err)
				return
			}
			w.Header().Set("ETag", tag)
			w.Header().Set("Cache-Control", caching)
			if HasTag(r, tag) {
				w.Header().Del("Content-Type")
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		w.WriteHeader(record.Status())
		_, _ = w.Write(record.Body()) // fails only if the caller is gone
	})
}

// HasTag reports whether a caller has the content with a tag already (If-None-Match).
func HasTag(r *http.Request, tag string) bool {
	return matches(r.Header.Values(IfNoneMatchHeader), tag)
}

// matches compares weakly: a compressed response's tag may have been weakened on
// its way.
func matches(conditions []string, tag string) bool {
	for _, c := range strings.Split(strings.Join(conditions, ","), ",") {
		if c = strings.TrimSpace(c); c == "*" || strings.TrimPrefix(c, "W/") == tag {
			return true
		}
	}
	return false
}
