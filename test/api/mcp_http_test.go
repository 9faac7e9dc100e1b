package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"missiond/internal/identity"
	"missiond/internal/testkit"
	"missiond/mission"
)

// What doesn't reach a tool is refused with what its client needs to know.
func TestMCPRequests(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	session := s.token(identity.DevPerson{Email: "ada@acme.example", Organization: "org_x", OrganizationRole: "admin"})
	login, err := s.Accounts.Login(t.Context(), session)
	s.must(err)
	for _, c := range []struct {
		name, method, body string
		header             http.Header
		status             int
		challenge          string
	}{
		{name: "a list", status: http.StatusOK},
		{name: "JSON alone is accepted", header: http.Header{"Accept": {"application/json"}}, status: http.StatusOK},
		{name: "nobody", header: http.Header{"Authorization": {""}}, status: http.StatusUnauthorized,
			challenge: `resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource/mcp", scope="analytics:read content:read content:write integrations:read missions:read missions:write"`},
		{name: "a wrong key", header: http.Header{"Authorization": {"Bearer cms_live_x"}}, status: http.StatusUnauthorized, challenge: `error="invalid_token"`},
		{name: "a session", header: http.Header{"Authorization": {"Bearer " + login.Token}}, status: http.StatusUnauthorized, challenge: `error="invalid_token"`},
		{name: "an agent's token that nobody has", header: http.Header{"Authorization": {"Bearer " + identity.NewAgentToken()}}, status: http.StatusUnauthorized},
		{name: "a stream", method: http.MethodGet, status: http.StatusMethodNotAllowed},
		{name: "an end of a session", method: http.MethodDelete, status: http.StatusMethodNotAllowed},
		{name: "another site's page", header: http.Header{"Origin": {"https://evil.test"}}, status: http.StatusForbidden},
		{name: "an allowed page", header: http.Header{"Origin": {"https://app.example.com"}}, status: http.StatusOK},
		{name: "a page of the service", header: http.Header{"Origin": {"http://127.0.0.1"}}, status: http.StatusOK},
		{name: "a name resolved to this machine", header: http.Header{"Host": {"evil.test"}}, status: http.StatusForbidden},
		{name: "the wrong type", header: http.Header{"Content-Type": {"text/plain"}}, status: http.StatusUnsupportedMediaType},
		{name: "a key as REST has it", header: http.Header{"Idempotency-Key": {"a"}}, status: http.StatusBadRequest},
		{name: "a batch", body: "[" + listing + "]", status: http.StatusBadRequest},
		{name: "too long", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`, status: http.StatusRequestEntityTooLarge},
		{name: "a subscription", body: `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}`, status: http.StatusOK},
	} {
		method, body := c.method, c.body
		if method == "" {
			method = http.MethodPost
		}
		if body == "" {
			body = listing
		}
		status, text, h := s.posted(method, body, c.header)
		if status != c.status || !strings.Contains(h.Get("WWW-Authenticate"), c.challenge) {
			t.Errorf("%s: %d %q %s", c.name, status, h.Get("WWW-Authenticate"), text)
		}
		var response struct {
			Error *struct{ Message string }
		}
		if err := json.Unmarshal([]byte(text), &response); err != nil || status != http.StatusOK && response.Error == nil {
			t.Errorf("%s: %v in %s", c.name, err, text)
		}
	}
	status, _, h := s.posted(http.MethodOptions, "", http.Header{
		"Authorization": {""}, "Origin": {"https://app.example.com"}, "Access-Control-Request-Method": {"POST"},
		"Access-Control-Request-Headers": {"authorization,content-type,mcp-method,mcp-name,mcp-protocol-version"},
	})
	if status != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") == "" || h.Get("Access-Control-Allow-Headers") == "" {
		t.Errorf("a preflight without a credential: %d %v", status, h)
	}
	_, _, h = s.posted(http.MethodPost, listing, http.Header{"Authorization": {""}, "Origin": {"https://app.example.com"}})
	if !strings.Contains(strings.ToLower(h.Get("Access-Control-Expose-Headers")), "www-authenticate") {
		t.Errorf("pages don't see the challenge: %v", h)
	}
}

// A caller sees the tools of its scopes, and is told which scope another needs.
func TestMCPScopes(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.key = s.narrow(mission.ScopeMissionsRead)
	a := s.assistant(s.key)
	if a.tools["missions_list"] == nil || a.tools["mission_estimate"] == nil || a.tools["mission_create"] != nil || a.tools["post_get"] != nil {
		t.Errorf("a reader of missions sees %v", a.tools)
	}
	status, text, h := s.posted(http.MethodPost, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"post_approve","arguments":{}}}`, nil)
	challenge := h.Get("WWW-Authenticate")
	if status != http.StatusForbidden || !strings.Contains(challenge, `error="insufficient_scope"`) || !strings.Contains(challenge, `scope="content:write missions:read"`) || !strings.Contains(text, `"id":7`) {
		t.Errorf("got %d %s %s", status, challenge, text)
	}
	status, _, h = s.posted(http.MethodPost, `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"missiond://posts/cnt_1"}}`, nil)
	if status != http.StatusForbidden || !strings.Contains(h.Get("WWW-Authenticate"), "content:read") {
		t.Errorf("a resource: %d %v", status, h)
	}
}
