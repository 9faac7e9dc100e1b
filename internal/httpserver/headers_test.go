package httpserver

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestOwnPages(t *testing.T) {
	served := OwnPages(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
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
