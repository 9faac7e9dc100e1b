package program

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"missiond/test/internal/missiond"
)

// fetched is a response that has been read.
type fetched struct {
	StatusCode int
	Header     http.Header
}

// fetch sends a GET with headers, and reads the response.
func fetch(p *missiond.Process, path string, headers ...string) (fetched, string) {
	p.T.Helper()
	req, err := http.NewRequest(http.MethodGet, p.URL+path, nil)
	if err != nil {
		p.T.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		p.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return fetched{resp.StatusCode, resp.Header}, string(text)
}

// Every response carries the same headers, whichever handler sends it, and the
// dashboard's pages work under its policy.
func TestHeadersOfEveryResponse(t *testing.T) {
	p := missiond.Dev(t, t.TempDir())
	for _, path := range []string{
		"/", "/developers", "/graphiql", "/graphiql/assets/graphiql.js", "/v1/docs", "/v1/docs/assets/scalar.js", "/v1/openapi.json", "/v1/openapi.yaml",
		"/graphql", "/graphql/schema.graphql", "/healthz", "/readyz", "/metrics", "/monitoring", "/monitoring/", "/monitoring/queues", "/monitoring/api/queues",
		"/monitoring/favicon.ico", "/debug/pprof/", "/v1/missions", "/v1/nope", "/nope", "/.well-known/jwks.json", "/integrations/callback/x",
	} {
		resp, _ := fetch(p, path)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%s has %s %q, want %q", path, name, got, want)
			}
		}
		policy := resp.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s has the policy %q", path, policy)
			}
		}
		if script := regexp.MustCompile(`script-src[^;]*`).FindString(policy); strings.Contains(script, "unsafe") || strings.Contains(policy, "http") {
			t.Errorf("%s has the policy %q", path, policy)
		}
	}
	resp, page := fetch(p, "/monitoring/")
	policy := resp.Header.Get("Content-Security-Policy")
	inline := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(page, -1)
	for _, m := range inline {
		sum := sha256.Sum256([]byte(m[1]))
		if !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("the policy doesn't allow %.60s", m[1])
		}
	}
	sources := regexp.MustCompile(`<script src="([^"]+)"`).FindAllStringSubmatch(page, -1)
	for _, m := range sources {
		if resp, _ := fetch(p, m[1]); resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/javascript") {
			t.Errorf("%s returned %d, %s", m[1], resp.StatusCode, resp.Header.Get("Content-Type"))
		}
	}
	if len(inline) != 2 || len(sources) != 2 || resp.Header.Get("Cross-Origin-Opener-Policy") != "same-origin" {
		t.Errorf("the dashboard has %d scripts in it and %d beside it, and %v", len(inline), len(sources), resp.Header)
	}
}

// The operators' pages open for a typed address, and for clients that aren't
// browsers: no page or link of another site reaches them, by any method.
func TestOperatorsPagesKeepOtherSitesOut(t *testing.T) {
	p := missiond.Dev(t, t.TempDir())
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/profile?seconds=1", "/debug/pprof/trace?seconds=1", "/monitoring/", "/monitoring/api/queues", "/metrics"} {
		for _, headers := range [][]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
			{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "nonsense"},
		} {
			if resp, _ := fetch(p, path, headers...); resp.StatusCode != http.StatusForbidden {
				t.Errorf("%s with %v returned %d", path, headers, resp.StatusCode)
			}
		}
	}
	for _, headers := range [][]string{nil, {"Sec-Fetch-Site", "none"}, {"Sec-Fetch-Site", "same-origin"}, {"Origin", p.URL}} {
		if resp, _ := fetch(p, "/monitoring/", headers...); resp.StatusCode != http.StatusOK {
			t.Errorf("/monitoring/ with %v returned %d", headers, resp.StatusCode)
		}
	}
}

// Requests without a credential count against their address; large responses are
// cached.
func TestOpenPathsAreBounded(t *testing.T) {
	p := missiond.Dev(t, t.TempDir(), "--address-limit", "20/m", "--address-burst", "0")
	for _, path := range []string{"/v1/openapi.json", "/v1/openapi.yaml", "/graphql/schema.graphql"} {
		resp, text := fetch(p, path)
		tag := resp.Header.Get("ETag")
		if resp.StatusCode != http.StatusOK || tag == "" || resp.Header.Get("Cache-Control") != "public, max-age=300" || text == "" {
			t.Errorf("%s returned %d, %v", path, resp.StatusCode, resp.Header)
		}
		if again, text := fetch(p, path, "If-None-Match", tag); again.StatusCode != http.StatusNotModified || text != "" {
			t.Errorf("the second %s returned %d with %d bytes", path, again.StatusCode, len(text))
		}
	}
	for _, path := range []string{"/graphql/schema.graphql", "/readyz"} {
		for n := 0; ; n++ {
			resp, _ := fetch(p, path)
			if resp.StatusCode == http.StatusTooManyRequests {
				if resp.Header.Get("Retry-After") == "" {
					t.Errorf("%s has no Retry-After", path)
				}
				break
			}
			if n > 60 {
				t.Errorf("%s has no rate limit", path)
				break
			}
		}
	}
	if resp, _ := fetch(p, "/healthz"); resp.StatusCode != http.StatusOK {
		t.Errorf("/healthz returned %d", resp.StatusCode)
	}
}

// Whoever goes to an address with a browser gets a page whatever is refused, and a program the envelope.
func TestBrowsersAreRefusedWithPages(t *testing.T) {
	p := missiond.Dev(t, t.TempDir(), "--address-limit", "20/m", "--address-burst", "20")
	const page, program = "text/html,application/xhtml+xml,*/*;q=0.8", "*/*"
	refused := func(path string, status int, says string, headers ...string) {
		t.Helper()
		resp, text := fetch(p, path, append(headers, "Accept", page)...)
		if resp.StatusCode != status || !strings.Contains(text, "<h1>") || !strings.Contains(text, says) {
			t.Errorf("%s returned %d, %v: %s", path, resp.StatusCode, resp.Header, text)
		}
	}
	enveloped := func(path string, status int, headers ...string) {
		t.Helper()
		accept := program
		if strings.HasPrefix(path, "/v1/") { // whoever asks
			accept = page
		}
		if resp, text := fetch(p, path, append(headers, "Accept", accept)...); resp.StatusCode != status || !strings.HasPrefix(text, `{"error":`) {
			t.Errorf("%s returned %d, %v: %s", path, resp.StatusCode, resp.Header, text)
		}
	}
	foreign := []string{"Sec-Fetch-Site", "cross-site"}
	refused("/nowhere", http.StatusNotFound, "no such page")
	enveloped("/nowhere", http.StatusNotFound)
	enveloped("/v1/nowhere", http.StatusUnauthorized)
	refused("/l/none", http.StatusNotFound, "no such link")
	enveloped("/l/none", http.StatusNotFound)
	refused("/monitoring/", http.StatusForbidden, "type the address", foreign...)
	enveloped("/monitoring/", http.StatusForbidden, foreign...)
	refused("/oauth/authorize", http.StatusBadRequest, "Go back to the application")
	refused("/integrations/start/none", http.StatusBadRequest, "ask for a new one")
	refused("/integrations/meta/deletions/none", http.StatusNotFound, "no such request")
	for range 41 {
		_, _ = fetch(p, "/nowhere")
	}
	refused("/oauth/authorize", http.StatusTooManyRequests, "Load the page again in")
	enveloped("/oauth/authorize", http.StatusTooManyRequests)
}
