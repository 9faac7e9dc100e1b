package oauth_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"

	"missiond/internal/oauth"
	"missiond/internal/service/agents"
	"missiond/mission"
)

// attack is what somebody tries; docs/authorization.md has a table of them.
type attack struct {
	name string
	try  func(w *world)
}

// Every attack fails, on both dialects.
func TestAttacks(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for _, a := range attacks() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			each(t, nil, a.try)
		})
	}
}

func attacks() []attack {
	all := append(authorizeAttacks, codeAttacks...)
	return append(append(append(all, refreshAttacks...), tokenAttacks...), clientAttacks...)
}

// page checks that the person is shown a page: the browser is sent nowhere by itself.
func (w *world) page(what string, a answer, says string) {
	w.Helper()
	if a.Code != http.StatusBadRequest || a.Header().Get("Location") != "" || !strings.Contains(a.Body.String(), says) {
		w.Errorf("%s: got %d, Location %q, %s", what, a.Code, a.Header().Get("Location"), a.Body)
	}
	if policy := a.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
		w.Errorf("%s: the policy is %q", what, policy)
	}
	w.want(what+": Cache-Control", a.Header().Get("Cache-Control"), "no-store")
}

var authorizeAttacks = []attack{
	{"an unknown client", func(w *world) {
		for _, id := range []string{"", "nobody", w.db.NewID(mission.PrefixClient, w.clock.Now()), strings.Repeat("a", 10_000)} {
			w.page(id, w.authorize(w.asking("client_id", id)), "can’t be connected")
		}
	}},
	{"a redirect that isn't registered", func(w *world) {
		for _, uri := range []string{"", "https://evil.example/callback", back + "/more", back + "?more", back + "#f", "https://assistant.example@evil.example/callback", "https://assistant.example.evil.example/callback", strings.ToUpper(back)} {
			a := w.authorize(w.asking("redirect_uri", uri))
			w.page(uri, a, "can’t be connected")
			if strings.Contains(a.Body.String(), "evil") {
				w.Errorf("the page for %q leads there: %s", uri, a.Body)
			}
		}
	}},
	{"no proof of the one who asks", func(w *world) {
		for _, change := range [][]string{
			{"code_challenge", ""}, {"code_challenge_method", "plain"}, {"code_challenge_method", ""}, {"code_challenge", "short"}, {"code_challenge", strings.Repeat("=", 43)},
		} {
			w.page(fmt.Sprint(change), w.authorize(w.asking(change...)), "error=invalid_request")
		}
	}},
	{"tokens for another server", func(w *world) {
		for _, other := range []string{"https://other.example/mcp", issuer, resource + "2", issuer + "@evil.example/mcp"} {
			w.page(other, w.authorize(w.asking("resource", other)), "error=invalid_target")
			_, code := w.consent()
			w.refused(other, w.redeem(code, "resource", other), "invalid_target")
		}
	}},
	{"an open redirector", func(w *world) {
		a := w.authorize(w.asking("response_type", "token"))
		w.page("a refused request", a, "error=unsupported_response_type")
		if !strings.Contains(a.Body.String(), `href="`+back+"?error=") || !strings.Contains(a.Body.String(), url.QueryEscape(issuer)) {
			w.Errorf("the page doesn't have the answer as a link, with the issuer: %s", a.Body)
		}
	}},
	{"a parameter sent twice", func(w *world) {
		for _, name := range []string{"client_id", "redirect_uri"} {
			q := w.asking()
			q.Add(name, "https://evil.example/callback")
			w.page(name, w.authorize(q), "incomplete")
		}
		q := w.asking()
		q.Add("state", "s2")
		w.page("state", w.authorize(q), "error=invalid_request")
		w.refused("at the token endpoint", w.post(oauth.TokenPath, url.Values{"client_id": {w.client}, "grant_type": {"authorization_code", "refresh_token"}}), "invalid_request")
	}},
	{"an answer whose server is mixed up", func(w *world) {
		w.want("the metadata", w.get(oauth.ServerPath).text("issuer"), issuer)
		w.want("that it names it", w.get(oauth.ServerPath).body["authorization_response_iss_parameter_supported"], true)
		w.consent() // checks the issuer of the answer
		asked, err := w.agents.Asked(w.Context(), w.person, request(w.asking()))
		w.must(err)
		u, err := url.Parse(asked.DenyURL)
		w.must(err)
		w.want("a denial's issuer", u.Query().Get("iss"), issuer)
		w.want("a denial's error", u.Query().Get("error"), "access_denied")
		w.want("a denial's state", u.Query().Get("state"), "s1")
	}},
	{"a server that its clients' Host header names", func(w *world) {
		r, err := http.NewRequestWithContext(w.Context(), http.MethodGet, oauth.ServerPath, nil)
		w.must(err)
		r.Host = "evil.example"
		w.want("the issuer", w.send(r).text("issuer"), issuer)
	}},
	{"a consent with a key", func(w *world) {
		p := w.person
		p.SessionID, p.KeyID = "", w.db.NewID(mission.PrefixKey, w.clock.Now())
		for _, p := range []mission.Principal{p, {TenantID: p.TenantID, UserID: p.UserID, AgentID: w.db.NewID(mission.PrefixAgent, w.clock.Now()), Agent: true, Scopes: p.Scopes}} {
			_, err := w.agents.Asked(w.Context(), p, request(w.asking()))
			w.want("asking", mission.CodeOf(err), mission.CodeInvalidRequest)
			_, _, err = w.agents.Allow(w.Context(), p, agents.Allowed{Request: request(w.asking())})
			w.want("allowing", mission.CodeOf(err), mission.CodeInvalidRequest)
		}
	}},
	{"a consent to what wasn't checked before", func(w *world) {
		for field, change := range map[string][]string{
			"request.client_id": {"client_id", "nobody"}, "request.redirect_uri": {"redirect_uri", "https://evil.example/"},
			"request.code_challenge": {"code_challenge", ""}, "request.resource": {"resource", "https://other.example/mcp"}, "request.scope": {"scope", "admin"},
			"request.state": {"state", strings.Repeat("s", mission.MaxState+1)},
		} {
			_, _, err := w.agents.Allow(w.Context(), w.person, agents.Allowed{Request: request(w.asking(change...))})
			w.invalid(err, field)
		}
	}},
	{"more rights than the person has", func(w *world) {
		p := w.person
		p.Scopes = mission.RoleViewer.Scopes()
		asked, err := w.agents.Asked(w.Context(), p, request(w.asking("scope", "content:read content:write admin integrations:write")))
		w.must(err)
		w.want("the scopes", fmt.Sprint(asked.Scopes), "[content:read]")
		_, _, err = w.agents.Allow(w.Context(), p, agents.Allowed{Request: request(w.asking()), Scopes: []mission.Scope{mission.ScopeContentRead, mission.ScopeContentWrite}})
		w.invalid(err, "scopes[1]")
		_, _, err = w.agents.Allow(w.Context(), w.person, agents.Allowed{Request: request(w.asking("scope", "content:read admin")), Scopes: []mission.Scope{mission.ScopeAdmin}})
		w.invalid(err, "scopes[0]")
	}},
	{"another tenant's mission on the leash", func(w *world) {
		id := w.db.NewID(mission.PrefixMission, w.clock.Now())
		_, _, err := w.agents.Allow(w.Context(), w.person, agents.Allowed{Request: request(w.asking()), Leash: mission.Leash{Missions: []string{id}}})
		w.invalid(err, "leash.mission_ids[0]")
	}},
	{"an agent for ever", func(w *world) {
		for _, days := range []int{0, -1, mission.MaxAgentDays + 1} {
			_, _, err := w.agents.Allow(w.Context(), w.person, agents.Allowed{Request: request(w.asking()), Days: &days})
			w.invalid(err, "expires_in_days")
		}
	}},
}

// invalid checks that an error names a field.
func (w *world) invalid(err error, field string) {
	w.Helper()
	var m *mission.Error
	if !errors.As(err, &m) || m.Code != mission.CodeInvalidRequest || m.Param != field {
		w.Errorf("got %v, want invalid_request on %s", err, field)
	}
}

var codeAttacks = []attack{
	{"a code used twice", func(w *world) {
		_, code := w.consent()
		first := w.redeem(code)
		w.want("the first token works", w.works(first.text("access_token")), true)
		w.refused("the second use", w.redeem(code), "invalid_grant")
		w.want("the first token works still", w.works(first.text("access_token")), false)
		w.refused("refreshing what the first gave", w.refresh(first.text("refresh_token")), "invalid_grant")
	}},
	{"a code without its verifier", func(w *world) {
		for _, wrong := range []string{"", "short", verifier + "x", challenge(verifier)} {
			_, code := w.consent()
			w.refused(wrong, w.redeem(code, "code_verifier", wrong), "invalid_grant")
			w.refused("the right one, afterwards", w.redeem(code), "invalid_grant")
		}
	}},
	{"a code for another redirect", func(w *world) {
		for _, other := range []string{"", "https://evil.example/callback", back + "/"} {
			_, code := w.consent()
			w.refused(other, w.redeem(code, "redirect_uri", other), "invalid_grant")
		}
	}},
	{"another client's code", func(w *world) {
		other := w.register(back)
		_, code := w.consent()
		w.refused("the other", w.redeem(code, "client_id", other), "invalid_grant")
		w.want("no client", w.redeem(code, "client_id", "").Code, http.StatusUnauthorized)
	}},
	{"a code after a minute", func(w *world) {
		_, code := w.consent()
		w.clock.pass(mission.CodeLife)
		w.refused("after a minute", w.redeem(code), "invalid_grant")
		_, code = w.consent()
		w.clock.pass(mission.CodeLife - time.Millisecond)
		w.want("just before", w.redeem(code).Code, http.StatusOK)
	}},
	{"a guessed code", func(w *world) {
		_, code := w.consent()
		for _, guess := range []string{"", "x", code[:len(code)-1], code + "x"} {
			w.refused(guess, w.redeem(guess), "invalid_grant")
		}
		w.want("the code itself", w.redeem(code).Code, http.StatusOK)
	}},
	{"a code of an agent that was revoked", func(w *world) {
		a, code := w.consent()
		_, err := w.agents.Revoke(w.Context(), w.person, a.ID)
		w.must(err)
		w.refused("the code", w.redeem(code), "invalid_grant")
	}},
	{"a code sent in the address", func(w *world) {
		_, code := w.consent()
		q := url.Values{"grant_type": {"authorization_code"}, "client_id": {w.client}, "code": {code}, "redirect_uri": {back}, "code_verifier": {verifier}}
		w.want("in the query", w.post(oauth.TokenPath+"?"+q.Encode(), nil).Code, http.StatusUnauthorized)
		w.want("by GET", w.get(oauth.TokenPath+"?"+q.Encode()).Code, http.StatusMethodNotAllowed)
	}},
}
