package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// fetched is an answer that was read.
type fetched struct {
	StatusCode int
	Header     http.Header
}

// fetch sends a GET with headers, and reads the answer.
func (p *program) fetch(path string, headers ...string) (fetched, string) {
	p.t.Helper()
	req, err := http.NewRequest(http.MethodGet, p.url+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return fetched{resp.StatusCode, resp.Header}, string(text)
}

// Every answer on the address carries the same headers, whoever gives it; the
// dashboard's pages work under theirs.
func TestHeadersOfEveryAnswer(t *testing.T) {
	p := dev(t, t.TempDir())
	for _, path := range []string{
		"/", "/graphiql", "/graphiql/assets/graphiql.js", "/v1/docs", "/v1/docs/assets/rapidoc.js", "/v1/openapi.json", "/v1/openapi.yaml",
		"/graphql", "/graphql/schema.graphql", "/healthz", "/readyz", "/metrics", "/monitoring", "/monitoring/", "/monitoring/queues", "/monitoring/api/queues",
		"/monitoring/favicon.ico", "/debug/pprof/", "/v1/missions", "/v1/nope", "/nope", "/.well-known/jwks.json", "/integrations/callback/x",
	} {
		resp, _ := p.fetch(path)
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
	resp, page := p.fetch("/monitoring/")
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
		if resp, _ := p.fetch(m[1]); resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/javascript") {
			t.Errorf("%s answers %d, %s", m[1], resp.StatusCode, resp.Header.Get("Content-Type"))
		}
	}
	if len(inline) != 2 || len(sources) != 2 || resp.Header.Get("Cross-Origin-Opener-Policy") != "same-origin" {
		t.Errorf("the dashboard has %d scripts in it and %d beside it, and %v", len(inline), len(sources), resp.Header)
	}
}

// Operators' pages are for who types their address, and for what isn't a browser:
// no other site's page or link reaches them, by any method.
func TestOperatorsPagesKeepOtherSitesOut(t *testing.T) {
	p := dev(t, t.TempDir())
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/profile?seconds=1", "/debug/pprof/trace?seconds=1", "/monitoring/", "/monitoring/api/queues", "/metrics"} {
		for _, headers := range [][]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
			{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "nonsense"},
		} {
			if resp, _ := p.fetch(path, headers...); resp.StatusCode != http.StatusForbidden {
				t.Errorf("%s with %v answers %d", path, headers, resp.StatusCode)
			}
		}
	}
	for _, headers := range [][]string{nil, {"Sec-Fetch-Site", "none"}, {"Sec-Fetch-Site", "same-origin"}, {"Origin", p.url}} {
		if resp, _ := p.fetch("/monitoring/", headers...); resp.StatusCode != http.StatusOK {
			t.Errorf("/monitoring/ with %v answers %d", headers, resp.StatusCode)
		}
	}
}

// What is asked for without a credential is charged to its address; what is large
// is sent once.
func TestOpenPathsAreBounded(t *testing.T) {
	p := dev(t, t.TempDir(), "--address-limit", "20/m", "--address-burst", "0")
	for _, path := range []string{"/v1/openapi.json", "/v1/openapi.yaml", "/graphql/schema.graphql"} {
		resp, text := p.fetch(path)
		tag := resp.Header.Get("ETag")
		if resp.StatusCode != http.StatusOK || tag == "" || resp.Header.Get("Cache-Control") != "public, max-age=300" || text == "" {
			t.Errorf("%s answers %d, %v", path, resp.StatusCode, resp.Header)
		}
		if again, text := p.fetch(path, "If-None-Match", tag); again.StatusCode != http.StatusNotModified || text != "" {
			t.Errorf("%s answers %d again, with %d bytes", path, again.StatusCode, len(text))
		}
	}
	for _, path := range []string{"/graphql/schema.graphql", "/readyz"} {
		for n := 0; ; n++ {
			resp, _ := p.fetch(path)
			if resp.StatusCode == http.StatusTooManyRequests {
				if resp.Header.Get("Retry-After") == "" {
					t.Errorf("%s has no Retry-After", path)
				}
				break
			}
			if n > 60 {
				t.Errorf("%s has no bound", path)
				break
			}
		}
	}
	if resp, _ := p.fetch("/healthz"); resp.StatusCode != http.StatusOK {
		t.Errorf("/healthz answers %d", resp.StatusCode)
	}
}

// Whoever asks whether the process is ready within a second has one answer, and
// those who ask at the same time wait for one look.
func TestReadinessIsKeptForASecond(t *testing.T) {
	var looks int
	var now time.Duration
	var down error
	ready := &readiness{
		redis:    func(context.Context) error { return nil },
		database: func(context.Context) error { looks++; return down },
		now:      func() time.Duration { return now },
	}
	ask := func() int {
		w := httptest.NewRecorder()
		ready.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return w.Code
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if status := ask(); status != http.StatusOK {
				t.Errorf("it answers %d", status)
			}
		})
	}
	all.Wait()
	if looks != 1 {
		t.Errorf("50 at once took %d looks", looks)
	}
	down = errors.New("away")
	if now = readyFor - time.Millisecond; ask() != http.StatusOK || looks != 1 {
		t.Errorf("within a second it looked %d times", looks)
	}
	if now = readyFor; ask() != http.StatusServiceUnavailable || looks != 2 {
		t.Errorf("after a second it looked %d times", looks)
	}
}
