package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func site(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", Index(Links{CurlExample: `curl -d '<x>' "a&b"`}))
	mux.Handle("GET /graphiql", GraphiQL("/graphql"))
	mux.Handle("GET /graphiql/", GraphiQL("/graphql"))
	mux.Handle("GET /v1/docs", Reference("/v1/openapi.json"))
	mux.Handle("GET /v1/docs/", Reference("/v1/openapi.json"))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// get answers a response and its body; the transport doesn't unpack it.
func get(t *testing.T, url, encoding string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", encoding)
	resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

var fetched = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// Every page answers with a policy, and whatever it has a browser fetch is
// served, in both encodings, by the binary itself.
func TestPagesWorkOffline(t *testing.T) {
	s := site(t)
	for _, page := range []string{"/", "/graphiql", "/v1/docs"} {
		resp, body := get(t, s.URL+page, "identity")
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s answers %d, %s", page, resp.StatusCode, resp.Header.Get("Content-Type"))
		}
		if policy := resp.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "http") {
			t.Errorf("%s has the policy %q", page, policy)
		}
		for _, m := range fetched.FindAllStringSubmatch(body, -1) {
			if !strings.HasPrefix(m[1], "/") || strings.HasPrefix(m[1], "//") {
				t.Errorf("%s points to %s", page, m[1])
			}
			if !strings.Contains(m[1], "/assets/") {
				continue
			}
			plain, a := get(t, s.URL+m[1], "identity")
			small, b := get(t, s.URL+m[1], "gzip")
			if plain.StatusCode != http.StatusOK || len(a) == 0 || plain.Header.Get("Content-Type") == "" {
				t.Errorf("%s answers %d with %d bytes", m[1], plain.StatusCode, len(a))
			}
			if small.Header.Get("Content-Encoding") == "gzip" && len(b) >= len(a) {
				t.Errorf("%s is no smaller compressed", m[1])
			}
		}
	}
}

func TestStartPageEscapesItsExample(t *testing.T) {
	_, body := get(t, site(t).URL+"/", "identity")
	if strings.Contains(body, "<x>") || !strings.Contains(body, "&lt;x&gt;") {
		t.Error("the curl line isn't escaped")
	}
}

func TestAssetsThatAreNotThere(t *testing.T) {
	s := site(t)
	for _, path := range []string{"/graphiql/assets/nope.js", "/v1/docs/assets/graphiql.js", "/graphiql/assets/", "/v1/docs/x"} {
		if resp, _ := get(t, s.URL+path, "identity"); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %d", path, resp.StatusCode)
		}
	}
}

func TestUnchangedIsNotSentAgain(t *testing.T) {
	s := site(t)
	resp, _ := get(t, s.URL+"/graphiql/assets/graphiql.js", "gzip")
	req, err := http.NewRequest(http.MethodGet, s.URL+"/graphiql/assets/graphiql.js", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "gzip")
	req.Header.Set("If-None-Match", resp.Header.Get("ETag"))
	again, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Body.Close()
	if again.StatusCode != http.StatusNotModified {
		t.Errorf("it answers %d", again.StatusCode)
	}
}
