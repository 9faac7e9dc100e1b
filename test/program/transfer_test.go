package program

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"missiond/test/internal/missiond"
)

// request sends a request with headers to a program and returns the response.
func request(p *missiond.Process, method, path, body string, headers map[string]string) (head, []byte) {
	p.T.Helper()
	req, err := http.NewRequest(method, p.URL+path, strings.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	if err != nil {
		p.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return head{resp.StatusCode, resp.Header}, text
}

// head is a response without its body.
type head struct {
	StatusCode int
	Header     http.Header
}

// What browsers and caches rely on: pages of allowed origins may send requests,
// large responses are compressed, reads have an entity tag, and every response has
// its limits and its request's id.
func TestTransfer(t *testing.T) {
	t.Parallel()
	p := missiond.Dev(t, t.TempDir(), "--cors-origin", "https://app.example.com")
	authorized := func(more ...string) map[string]string {
		h := map[string]string{"Authorization": "Bearer " + p.Key, "Content-Type": "application/json"}
		for i := 0; i < len(more); i += 2 {
			h[more[i]] = more[i+1]
		}
		return h
	}
	for _, path := range []string{"/v1/missions", "/graphql"} {
		preflight := map[string]string{"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type,idempotency-key"}
		resp, _ := request(p, "OPTIONS", path, "", preflight)
		if resp.StatusCode != http.StatusNoContent || resp.Header.Get("Access-Control-Allow-Origin") != "https://app.example.com" ||
			resp.Header.Get("Access-Control-Allow-Credentials") != "" || resp.Header.Get("X-RateLimit-Limit") == "" {
			t.Errorf("a preflight of %s got %d %v", path, resp.StatusCode, resp.Header)
		}
		preflight["Origin"] = "https://evil.example.com"
		if resp, _ := request(p, "OPTIONS", path, "", preflight); resp.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("another origin got %v", resp.Header)
		}
	}
	resp, _ := request(p, "GET", "/v1/missions", "", authorized("Origin", "https://app.example.com"))
	if !strings.Contains(strings.ToLower(resp.Header.Get("Access-Control-Expose-Headers")), "x-ratelimit-remaining") {
		t.Errorf("a page can't read the rate limits: %v", resp.Header)
	}
	made := p.Call("POST", "/v1/missions", missiond.MissionBody(1, 1), http.StatusCreated)
	one := "/v1/missions/" + made["id"].(string)
	p.Call("POST", one+"/pause", nil, http.StatusOK)
	resp, plain := request(p, "GET", one, "", authorized())
	tag := resp.Header.Get("ETag")
	if tag == "" || resp.Header.Get("X-Content-Type-Options") != "nosniff" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("a read has the headers %v", resp.Header)
	}
	if resp, text := request(p, "GET", one, "", authorized("If-None-Match", `"x", W/`+tag)); resp.StatusCode != http.StatusNotModified || len(text) != 0 {
		t.Errorf("with the current tag got %d %s", resp.StatusCode, text)
	}
	p.Call("PUT", one, map[string]any{"name": "Changed"}, http.StatusOK)
	if resp, text := request(p, "GET", one, "", authorized("If-None-Match", tag)); resp.StatusCode != http.StatusOK || string(text) == string(plain) {
		t.Errorf("with an old tag got %d %s", resp.StatusCode, text)
	}
	resp, small := request(p, "GET", "/v1/event-types", "", authorized("Accept-Encoding", "gzip"))
	_, large := request(p, "GET", "/v1/event-types", "", authorized())
	r, err := gzip.NewReader(strings.NewReader(string(small)))
	if err != nil || resp.Header.Get("Content-Encoding") != "gzip" || len(small) > len(large)/4 {
		t.Fatalf("%d bytes were sent as %d, %v", len(large), len(small), err)
	}
	if text, err := io.ReadAll(r); err != nil || string(text) != string(large) {
		t.Errorf("the compressed response differs: %v", err)
	}
	for path, headers := range map[string]map[string]string{
		"/v1/missions": nil, "/v1/nothing": authorized(), "/nothing": nil, "/": nil, "/healthz": nil, "/readyz": nil, "/v1/openapi.json": nil, "/graphql/schema.graphql": nil, "/v1/docs": nil, "/graphiql": nil,
	} {
		resp, _ := request(p, "GET", path, "", headers)
		for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"} {
			if resp.Header.Get(name) == "" {
				t.Errorf("GET %s returned %d without %s", path, resp.StatusCode, name)
			}
		}
	}
	for path, body := range map[string]string{"/v1/missions": "{", "/v1/auth/login": "{}", "/graphql": "{"} {
		resp, text := request(p, "POST", path, body, authorized())
		if resp.Header.Get("X-RateLimit-Remaining") == "" || !json.Valid(text) {
			t.Errorf("POST %s returned %d %v %s", path, resp.StatusCode, resp.Header, text)
		}
	}
}
