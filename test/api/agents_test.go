package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

const agentRedirect = "https://assistant.example/callback"

// oauthClient registers an application, and returns its id.
func (s *harness) oauthClient() string {
	s.t.Helper()
	c, err := s.Agents.Register(context.Background(), "127.0.0.1", "Assistant", []string{agentRedirect})
	s.must(err)
	return c.ID
}

// agent lets an application act for a person, and returns its id.
func (s *harness) agent(p mission.Principal) string {
	s.t.Helper()
	a, err := mission.NewAgent(p, mission.OAuthClient{ID: "acl_1", Name: "Assistant"}, agentRedirect,
		mission.AgentScopes(), mission.AgentScopes(), mission.Leash{}, nil, s.clock.Now())
	s.must(err)
	a.ID = s.DB.NewID(mission.PrefixAgent, s.clock.Now())
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
		if err := tx.AddAgent(context.Background(), a, tx.AuditEntry(p, mission.AuditAgentAllowed, a.ID, a.AuditDetails(), s.clock.Now())); err != nil {
			return err
		}
		by := mission.Principal{TenantID: p.TenantID, UserID: p.UserID, AgentID: a.ID}
		return tx.AddAgentAct(context.Background(), tx.AuditEntry(by, mission.AuditAgentActed, a.ID, map[string]any{"tool": "post_write"}, s.clock.Now()))
	}))
	return a.ID
}

// A verifier and its challenge (RFC 7636, appendix B).
const (
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// allowing is a document that lets an application act on a leash.
func (s *harness) allowing(client string) map[string]any {
	return map[string]any{"query": `mutation { allowAgent(input: {request: {clientId: "` + client + `", redirectUri: "` + agentRedirect + `", codeChallenge: "` + challenge + `",
		scope: "content:read content:write", state: "s1"}, leash: {centsPerDay: 500, postsPerDay: 3}, expiresInDays: 30}) { redirectUrl agent { id } } }`}
}

// A person consents by the console's cookie, sees what the agent may and did, and revokes it; both APIs show the same.
func TestAgents(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			e := s.estate("agents")
			e.key, s.byCookie = s.session("agents"), true
			client := s.oauthClient()
			request := `request: {clientId: "` + client + `", redirectUri: "` + agentRedirect + `", codeChallenge: "` + challenge + `", scope: "content:read admin", state: "s1"}`
			failed, got := s.sendAs(e, "POST", "/graphql", map[string]any{"query": `{ agentRequest(` + request + `) { name describedBy redirectHost tenantName scopes replaces { id } denyUrl } }`}, "-")
			for _, want := range []string{`"name":"Assistant"`, `"describedBy":null`, `"redirectHost":"assistant.example"`, `"scopes":["CONTENT_READ"]`, `"replaces":null`, "error=access_denied", url.QueryEscape("http://127.0.0.1")} {
				if failed || !strings.Contains(got, want) {
					t.Errorf("the request is %s, want %s", got, want)
				}
			}
			s.key = e.key
			_, response := s.send("POST", "/graphql", s.allowing(client))
			allowed := response["data"].(map[string]any)["allowAgent"].(map[string]any)
			back, err := url.Parse(allowed["redirectUrl"].(string))
			s.must(err)
			if q := back.Query(); q.Get("code") == "" || q.Get("iss") != "http://127.0.0.1" || q.Get("state") != "s1" {
				t.Errorf("the answer is %s", back)
			}
			id := allowed["agent"].(map[string]any)["id"].(string)
			_, got = s.sendAs(e, "POST", "/graphql", map[string]any{"query": `{ agents(first: 1) { totalCount edges { node {
			id working pending leash { centsPerDay postsPerDay missionIds } today { posts postsLeft centsLeft } user { id } } } } }`}, "-")
			for _, want := range []string{id, `"totalCount":2`, `"working":false`, `"pending":true`, `"centsPerDay":500`, `"postsLeft":3`, `"centsLeft":500`, `"missionIds":null`} {
				if !strings.Contains(got, want) {
					t.Errorf("the list is %s, want %s", got, want)
				}
			}
			if _, err := s.Agents.Redeem(t.Context(), back.Query().Get("code"), "", mission.Redemption{ClientID: client, RedirectURI: agentRedirect, Verifier: verifier}); err != nil {
				t.Fatal(err)
			}
			s.byCookie = false // the token itself is a session's
			status, shown := s.send("GET", "/v1/agents/"+id, nil)
			if leash := shown["leash"].(map[string]any); status != http.StatusOK || leash["cents_per_day"] != 500.0 || leash["mission_ids"] != nil || shown["working"] != true || shown["pending"] != false {
				t.Errorf("REST shows %d %v", status, shown)
			}
			status, shown = s.send("DELETE", "/v1/agents/"+id, nil)
			if status != http.StatusOK || shown["working"] != false || shown["revoked_at"] == nil {
				t.Errorf("revoking gives %d %v", status, shown)
			}
			status, list := s.send("GET", "/v1/agents?limit=1", nil)
			if status != http.StatusOK || list["total"] != 2.0 || list["has_more"] != true {
				t.Errorf("REST lists %d %v", status, list)
			}
		})
	}
}

// What an agent did today is that of the real day, which its leash counts, whatever the domain's clock says.
func TestAgentsToday(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	e := s.estate("today")
	list := func() []any {
		s.key = e.key
		_, list := s.send("GET", "/v1/agents", nil)
		return list["data"].([]any)
	}
	id := list()[0].(map[string]any)["id"].(string)
	s.must(s.DB.Tx(context.Background(), func(tx store.Tx) error {
		return tx.ChargeAgent(context.Background(), e.ids[0], id, mission.AgentAct{Tool: "post_write", Posts: 2}, s.real.Now())
	}))
	s.clock.Advance(72 * time.Hour)
	if today := list()[0].(map[string]any)["today"].(map[string]any); today["posts"] != 2.0 || today["calls"] != 1.0 {
		t.Errorf("today is %v", today)
	}
	s.real.Advance(24 * time.Hour)
	if today := list()[0].(map[string]any)["today"].(map[string]any); today["posts"] != 0.0 {
		t.Errorf("the day after is %v", today)
	}
}

// A consent needs a session, and a page of the console: neither a key nor another site's page lets an application act.
func TestConsentIsThePersons(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	e := s.estate("forged")
	client := s.oauthClient()
	s.key = e.key
	if _, code := s.query(s.allowing(client)["query"].(string)); code != "invalid_request" {
		t.Errorf("a key gets %q", code)
	}
	token := s.session("forged")
	for _, origin := range []string{"https://evil.example", "null"} {
		body := `{"query":"mutation { allowAgent(input: {request: {clientId: \"` + client + `\", redirectUri: \"` + agentRedirect + `\", codeChallenge: \"` + challenge + `\"}}) { redirectUrl } }"}`
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.server.URL+"/graphql", strings.NewReader(body))
		s.must(err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", origin)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.AddCookie(&http.Cookie{Name: consoleCookie, Value: token})
		resp, err := http.DefaultClient.Do(r)
		s.must(err)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("from %s: %d", origin, resp.StatusCode)
		}
	}
	p, err := s.Accounts.Authenticate(t.Context(), e.key)
	s.must(err)
	agents, err := s.DB.Agents(t.Context(), p.TenantID, "", pageOne)
	s.must(err)
	if len(agents.List) != 1 { // the estate's own
		t.Errorf("there are %d agents", len(agents.List))
	}
}
