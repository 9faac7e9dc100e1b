package httpserver

import (
	"net/http"
	"net/url"
	"strings"
)

// Policy completes a Content-Security-Policy: whatever a page may load, nothing
// may frame it, be its base or take its forms.
func Policy(loads string) string {
	return loads + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// WithHeaders sets what browsers are told of every answer that the service gives,
// on every address: the strictest, which a page that loads something loosens by a
// Policy of its own.
func WithHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", Policy("default-src 'none'"))
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()")
		next.ServeHTTP(w, r)
	})
}

// OwnPages refuses what pages of other sites have a browser send, whatever the
// method: a GET may cost something too. What isn't a browser, as curl and
// Prometheus, says nothing of where it comes from, and passes.
func OwnPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
		own := site == "" || site == "none" || site == "same-origin"
		if !own || origin != "" && !sameHost(origin, r.Host) {
			http.Error(w, "No other site's page or link leads here: type the address.", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameHost reports whether an Origin header is that of a page of the host itself.
func sameHost(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}
