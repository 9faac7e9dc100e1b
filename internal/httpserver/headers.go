package httpserver

import (
	"net/http"
	"net/url"
	"strings"

	"missiond/mission"
)

// Policy completes a Content-Security-Policy: whatever a page may load, nothing may
// frame it, set its base or receive its forms.
func Policy(loads string) string {
	return loads + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// WithHeaders sets the security headers of every response, on every address, to the
// strictest values; a page that loads something loosens them by a Policy of its
// own.
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

// OwnPages rejects requests that pages of other sites make a browser send, whatever
// the method: a GET may cost something too. Clients that aren't browsers, as curl
// and Prometheus, don't say where a request comes from, and pass. The form of a page
// without a referrer has the origin null: Sec-Fetch-Site says whose it is. fail responds
// with the error, forbidden.
func OwnPages(next http.Handler, fail func(w http.ResponseWriter, r *http.Request, err error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
		own := site == "" || site == "none" || site == "same-origin"
		if origin == "null" && site == "same-origin" {
			origin = ""
		}
		if !own || origin != "" && !sameHost(origin, r.Host) {
			fail(w, r, &mission.Error{Code: mission.CodeForbidden, Message: "Another site led here, which isn't allowed: type the address of the page."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ShowsPages reports whether the sender of a request shows a page that it gets: a browser that goes to an address does,
// the requests of pages and programs don't.
func ShowsPages(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead || r.Header.Get("Sec-Fetch-Mode") == "navigate") &&
		strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/html")
}

// sameHost reports whether an Origin header is that of a page on the host itself.
func sameHost(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}
