package httpserver

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"missiond/mission"
)

func TestOwnPages(t *testing.T) {
	served := OwnPages(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), func(w http.ResponseWriter, _ *http.Request, err error) {
		w.WriteHeader(StatusOf(mission.CodeOf(err)))
	})
	for _, c := range []struct {
		name         string
		site, origin string
		want         int
	}{
		{"a client that is no browser", "", "", http.StatusOK},
		{"an address that was typed", "none", "", http.StatusOK},
		{"a page of the service", "same-origin", "http://ops.example", http.StatusOK},
		{"an older browser's page of the service", "", "http://ops.example", http.StatusOK},
		{"another site", "cross-site", "https://evil.example", http.StatusForbidden},
		{"another port of the host", "same-site", "http://ops.example:81", http.StatusForbidden},
		{"a link on another site", "cross-site", "", http.StatusForbidden},
		{"an older browser's page of another site", "", "https://evil.example", http.StatusForbidden},
		{"a form of a page without a referrer", "same-origin", "null", http.StatusOK},
		{"a page without an origin", "", "null", http.StatusForbidden},
		{"another site's page without an origin", "cross-site", "null", http.StatusForbidden},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://ops.example/monitoring", nil)
		r.Header.Set("Sec-Fetch-Site", c.site)
		r.Header.Set("Origin", c.origin)
		w := httptest.NewRecorder()
		served.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s gets %d, want %d", c.name, w.Code, c.want)
		}
	}
}

// A page is for browsers that go to an address: by a link or, where the browser says so, by a form.
func TestShowsPages(t *testing.T) {
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, c := range []struct {
		name, method, accept, mode string
		want                       bool
	}{
		{"a link", http.MethodGet, browser, "navigate", true},
		{"an older browser's link", http.MethodGet, browser, "", true},
		{"a form", http.MethodPost, browser, "navigate", true},
		{"curl", http.MethodGet, "*/*", "", false},
		{"a page's request", http.MethodGet, "application/json", "cors", false},
		{"a program's change", http.MethodPost, browser, "", false},
		{"nothing", http.MethodGet, "", "", false},
	} {
		r := httptest.NewRequest(c.method, "/", nil)
		r.Header.Set("Accept", c.accept)
		r.Header.Set("Sec-Fetch-Mode", c.mode)
		if got := ShowsPages(r); got != c.want {
			t.Errorf("%s: shows pages %t, want %t", c.name, got, c.want)
		}
	}
}
