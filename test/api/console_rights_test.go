package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"missiond/internal/identity"
	"missiond/internal/testkit"
	"missiond/mission"
)

// consoleCookie is the name of the console's cookie outside of development.
const consoleCookie = "__Host-missiond"

// The cookie reaches no other tenant's records: every field that takes an id responds
// to another tenant's as to one without a record.
func TestForeignIDsLookLikeNoneByCookie(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	theirs, ours := s.estate("theirs-by-cookie"), s.estate("ours-by-cookie")
	probes := s.graphProbes()
	ours.key, s.byCookie = s.session("ours-by-cookie"), true
	for i, p := range probes {
		t.Run(p.name, func(t *testing.T) {
			if i%8 != 0 { // the same operations as with a key
				testkit.Full(t)
			}
			for _, id := range theirs.ids {
				_, foreign := p.send(s, ours, id)
				failed, none := p.send(s, ours, never(id))
				if foreign != none || !failed && !empty(none) {
					t.Errorf("%s returned\n%s, want\n%s", id, foreign, none)
				}
			}
		})
	}
	// Else the cookie might have been refused throughout.
	for _, id := range ours.ids {
		failed, got := s.sendAs(ours, "POST", "/graphql", map[string]any{"query": fmt.Sprintf(`{ node(id: %q) { id } }`, id)}, id)
		if failed || !strings.Contains(got, `{"id":"<id>"}`) {
			t.Errorf("the tenant's own %s returned %s", id, got)
		}
	}
}

// The cookie of a viewer is worth what a viewer's role allows, and nothing on REST.
func TestMissingScopesByCookie(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.estate("viewed")
	s.key, _ = s.begin("viewer@viewed", "org_viewed", "viewer")
	s.byCookie = true
	s.hidesFromReaders("viewed")
	for _, field := range []string{
		`createMission(input: {name: "x", objectives: ["x"], platforms: [TWITTER], durationDays: 1}) { __typename }`,
		`createApiKey(input: {name: "x"}) { __typename }`,
	} {
		if _, got := s.sendAs(estate{key: s.key}, "POST", "/graphql", map[string]any{"query": "mutation { " + field + " }"}, "-"); !strings.Contains(got, `"code":"forbidden"`) {
			t.Errorf("%s returned %s", field, got)
		}
	}
	if status, _ := s.send("GET", "/v1/missions", nil); status != http.StatusUnauthorized {
		t.Errorf("REST returned %d", status)
	}
}

// socketByCookie opens a socket as a page of the console does, and sends its first message.
func (s *harness) socketByCookie(token, init string) *peer {
	s.t.Helper()
	p := s.dialWith(http.Header{"Origin": {s.server.URL}, "Cookie": {consoleCookie + "=" + token}})
	p.send(init)
	return p
}

const bareInit = `{"type":"connection_init"}`

// subscribe waits until the socket is open, and subscribes.
func (p *peer) subscribe(query string) {
	p.t.Helper()
	if m, code := p.receive(); m["type"] != "connection_ack" {
		p.t.Fatalf("the socket got %v, %d", m, code)
	}
	text, err := json.Marshal(map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{"query": query}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.send(string(text))
}

// The cookie is a socket's credential unless its first message has one.
func TestSocketsByCookie(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.estate("socket")
	token := s.session("socket")
	withKey := fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, s.key)
	for name, tt := range map[string]struct{ cookie, init, method string }{
		"the cookie":               {token, bareInit, "SESSION"},
		"a key wins":               {token, withKey, "API_KEY"},
		"a key and an old cookie":  {"a.b.c", withKey, "API_KEY"},
		"a wrong key":              {token, `{"type":"connection_init","payload":{"Authorization":"Bearer sk_live_no"}}`, ""},
		"an old cookie":            {"a.b.c", bareInit, ""},
		"a key as the cookie":      {s.key, bareInit, ""},
		"a payload that is no map": {token, `{"type":"connection_init","payload":[1]}`, ""},
	} {
		p := s.socketByCookie(tt.cookie, tt.init)
		if tt.method == "" {
			if m, code := p.receive(); code != 4403 {
				t.Errorf("%s: got %v, %d", name, m, code)
			}
			continue
		}
		p.subscribe("{ viewer { authMethod } }")
		if m, _ := p.receive(); at(m, "payload", "data", "viewer", "authMethod") != tt.method {
			t.Errorf("%s: got %v", name, m)
		}
	}
}

// A socket that a cookie opened is closed with 4403 once the cookie was renewed and its
// token superseded. A new socket, with the new cookie, continues where the old one was.
func TestSocketOfARenewedCookie(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	rest := restAPI{s}
	s.key = s.estate("renewed").key
	issued, err := s.Accounts.Login(t.Context(), s.token(identity.DevPerson{Email: "ann@renewed", Organization: "org_renewed", OrganizationRole: "admin"}))
	s.must(err)
	p := s.socketByCookie(issued.Token, bareInit)
	p.subscribe(`subscription { events(types: [MISSION_CREATED]) { id mission { id } } }`)
	s.settled(1)
	first := s.make(rest, nil)
	m, _ := p.receive()
	if got := at(m, "payload", "data", "events", "mission", "id"); got != first {
		t.Fatalf("got %v, want an event of %s", m, first)
	}
	last := at(m, "payload", "data", "events", "id")

	s.real.Advance(mission.TokenLife - 9*time.Minute)
	renewed, ok, err := s.Accounts.Renew(t.Context(), issued.Token)
	s.must(err)
	if !ok {
		t.Fatal("nine minutes before its end the cookie isn't renewed")
	}
	s.real.Advance(mission.RefreshLeeway)
	for code := websocket.StatusCode(0); code == 0; {
		if m, code = p.receive(); m["type"] == "next" || code != 0 && code != 4403 {
			t.Fatalf("the superseded cookie's socket got %v, %d", m, code)
		}
	}
	second := s.make(rest, nil)
	if m, code := s.socketByCookie(issued.Token, bareInit).receive(); code != 4403 {
		t.Errorf("a socket of the superseded cookie got %v, %d", m, code)
	}
	p = s.socketByCookie(renewed.Token, bareInit)
	p.subscribe(fmt.Sprintf(`subscription { events(types: [MISSION_CREATED], after: %q) { id mission { id } } }`, last))
	if m, _ := p.receive(); at(m, "payload", "data", "events", "mission", "id") != second {
		t.Errorf("the new socket got %v, want an event of %s", m, second)
	}
}
