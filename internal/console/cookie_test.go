package console_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"missiond/internal/console"
	"missiond/internal/httpserver"
)

// The cookie counts for pages of the console's own origin. A page of its host without
// HTTPS is another, since whoever is on the way could have written it.
func TestCookieOfAnOrigin(t *testing.T) {
	const secure, insecure = "__Host-missiond", "missiond-8080"
	for name, tt := range map[string]struct {
		cookies console.Cookies
		cookie  string
		host    string
		origin  string
		counts  bool
	}{
		"the host":                      {console.Cookies{}, secure, "console.example.com", "https://console.example.com", true},
		"the host in capitals":          {console.Cookies{}, secure, "console.example.com", "https://CONSOLE.example.com", true},
		"the host without HTTPS":        {console.Cookies{}, secure, "console.example.com", "http://console.example.com", false},
		"loopback without HTTPS":        {console.Cookies{}, secure, "127.0.0.1:8080", "http://127.0.0.1:8080", true},
		"another port":                  {console.Cookies{}, secure, "console.example.com", "https://console.example.com:8443", false},
		"a host below":                  {console.Cookies{}, secure, "console.example.com", "https://a.console.example.com", false},
		"no origin":                     {console.Cookies{}, secure, "console.example.com", "null", false},
		"behind a proxy":                {console.Cookies{Origin: "https://console.example.com"}, secure, "inner:8080", "https://console.example.com", true},
		"behind a proxy, without HTTPS": {console.Cookies{Origin: "https://console.example.com"}, secure, "inner:8080", "http://console.example.com", false},
		"development":                   {console.Cookies{DevPort: "8080"}, insecure, "console.localhost:8080", "http://console.localhost:8080", true},
		"another development run's":     {console.Cookies{DevPort: "8081"}, insecure, "console.localhost:8081", "http://console.localhost:8081", false},
		"development's cookie":          {console.Cookies{}, insecure, "console.example.com", "https://console.example.com", false},
	} {
		for _, upgrade := range []bool{false, true} {
			tt.cookies.Sessions = &sessions{}
			r := httptest.NewRequest(http.MethodPost, "https://"+tt.host+"/graphql", nil)
			r.Header.Set("Origin", tt.origin)
			r.AddCookie(&http.Cookie{Name: tt.cookie, Value: "the.session.token"})
			if upgrade {
				r.Method = http.MethodGet
				r.Header.Set("Upgrade", "WebSocket")
			}
			var header, kept string
			tt.cookies.Credential(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				header, kept = r.Header.Get("Authorization"), httpserver.Cookie(r.Context())
			})).ServeHTTP(httptest.NewRecorder(), r)
			switch {
			case !tt.counts && header+kept != "",
				tt.counts && upgrade && (header != "" || kept != "the.session.token"),
				tt.counts && !upgrade && (header != "Bearer the.session.token" || kept != ""):
				t.Errorf("%s, upgrade %t: the header %q, the socket's cookie %q", name, upgrade, header, kept)
			}
		}
	}
}
