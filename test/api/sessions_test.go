package api

import (
	"fmt"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
)

// query sends a document, and returns its data and the code of its first error.
func (s *harness) query(document string) (map[string]any, string) {
	s.t.Helper()
	_, response := s.send("POST", "/graphql", map[string]any{"query": document})
	data, _ := response["data"].(map[string]any)
	if response["errors"] != nil {
		return data, fmt.Sprint(at(firstError(response["errors"]), "extensions", "code"))
	}
	code, _ := at(response, "error", "code").(string)
	return data, code
}

// sessions returns the ids of a user's sessions, or of the caller's, newest first; the
// current one's has a star.
func (s *harness) sessions(userID string) (ids []string, code string) {
	s.t.Helper()
	argument := ""
	if userID != "" {
		argument = fmt.Sprintf("(userId: %q)", userID)
	}
	data, code := s.query(`{ sessions` + argument + ` { edges { node { id createdAt renewedAt expiresAt current } } } }`)
	edges, _ := at(data, "sessions", "edges").([]any)
	for _, e := range edges {
		id := at(e.(map[string]any), "node", "id").(string)
		if at(e.(map[string]any), "node", "current") == true {
			id += "*"
		}
		ids = append(ids, id)
	}
	return ids, code
}

// People see and end their own sessions, and admins everybody's: an ended one's token is
// refused at once, and its subscriptions end.
func TestSessionsEndOneByOne(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			admin, adminID := s.begin("admin@example.com", "org_sessions", "admin")
			s.clock.Advance(time.Minute)
			phone, annID := s.begin("ann@example.com", "org_sessions", "viewer")
			s.clock.Advance(time.Minute)
			laptop, _ := s.begin("ann@example.com", "org_sessions", "viewer")
			stranger, strangerID := s.begin("eve@example.com", "org_elsewhere", "admin")

			s.key = laptop
			own, _ := s.sessions("")
			if len(own) != 2 || own[0][len(own[0])-1] != '*' || own[1][len(own[1])-1] == '*' {
				t.Fatalf("ann's sessions are %v, want the current one and another", own)
			}
			mine, other := own[0][:len(own[0])-1], own[1]
			if _, code := s.sessions(adminID); code != "forbidden" {
				t.Errorf("a viewer who asks for an admin's sessions gets %q", code)
			}
			s.key = admin
			theirs, _ := s.sessions("")
			seen, _ := s.sessions(annID)
			s.equal("ann's sessions for an admin", fmt.Sprint(seen), fmt.Sprint([]string{mine, other}))
			if _, code := s.sessions(strangerID); code != "not_found" {
				t.Errorf("another tenant's user has %q", code)
			}
			end := func(id string) string {
				_, code := s.query(fmt.Sprintf(`mutation { endSession(id: %q) { endedId } }`, id))
				return code
			}
			s.key = laptop
			s.equal("ending an admin's session", end(theirs[0][:len(theirs[0])-1]), "not_found")
			for key, want := range map[string]any{laptop: nil, admin: theirs[0][:len(theirs[0])-1]} {
				s.key = key
				data, _ := s.query(fmt.Sprintf(`{ node(id: %q) { id } }`, theirs[0][:len(theirs[0])-1]))
				s.equal("an admin's session by its id", at(data, "node", "id"), want)
			}
			s.key = stranger
			s.equal("ending another tenant's session", end(other), "not_found")

			s.key = phone
			stream := transports["socket"](s, `subscription { events { id } }`)
			s.settled(1)
			s.key = laptop
			s.equal("ending an own session", end(other), "")
			s.equal("ending it again", end(other), "")
			s.key = phone
			if _, code := s.query(`{ viewer { user { id } } }`); code != "unauthorized" {
				t.Errorf("a session that ended gets %q", code)
			}
			stream.ended()
			s.key = laptop
			left, _ := s.sessions("")
			s.equal("what is left", fmt.Sprint(left), fmt.Sprint([]string{mine + "*"}))

			s.key = admin
			s.equal("an admin ends a member's session", end(mine), "")
			data, _ := s.query(fmt.Sprintf(`{ auditLog(filter: {targetId: %q, action: MEMBER_SESSIONS_ENDED}) { edges { node { userId details } } } }`, annID))
			s.equal("entries", len(at(data, "auditLog", "edges").([]any)), 2)
			s.key = laptop
			if _, code := s.query(`{ viewer { user { id } } }`); code != "unauthorized" {
				t.Errorf("a session that an admin ended gets %q", code)
			}
		})
	}
}

// A renewed session says when it was renewed; a key needs the scope admin to see
// sessions, and none is its own.
func TestSessionsShowTheirRenewal(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.key, _ = s.begin("ann@example.com", "org_renewed", "admin")
	data, _ := s.query(`{ sessions { edges { node { renewedAt createdAt expiresAt } } } }`)
	one := data["sessions"].(map[string]any)["edges"].([]any)[0].(map[string]any)["node"].(map[string]any)
	s.equal("the renewal", one["renewedAt"], nil)
	s.clock.Advance(30 * time.Minute)
	data, code := s.query(`mutation { refreshSession { token } }`)
	s.equal("code", code, "")
	s.key = at(data, "refreshSession", "token").(string)
	data, _ = s.query(`{ sessions { edges { node { renewedAt createdAt } } } }`)
	after := data["sessions"].(map[string]any)["edges"].([]any)[0].(map[string]any)["node"].(map[string]any)
	if after["renewedAt"] == nil || after["createdAt"] != one["createdAt"] {
		t.Errorf("after a refresh the session is %v, before %v", after, one)
	}
	made, _ := s.query(`mutation { narrow: createApiKey(input: {name: "n", scopes: [CONTENT_READ]}) { key } wide: createApiKey(input: {name: "w", scopes: [ADMIN]}) { key } }`)
	s.key = at(made, "narrow", "key").(string)
	if _, code := s.sessions(""); code != "forbidden" {
		t.Errorf("a key without the scope gets %q", code)
	}
	s.key = at(made, "wide", "key").(string)
	if ids, code := s.sessions(""); len(ids) != 1 || code != "" || ids[0][len(ids[0])-1] == '*' {
		t.Errorf("an admin's key gets %v, %q", ids, code)
	}
}

// A tenant's limits are those of its plan and its own; what is used is shown to those who may
// list it.
func TestLimitsAreShown(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	s.tenantOn(mission.PlanPro, mission.Limits{"missions.create": "7/m"})
	wide := s.key
	_, code := s.query(`mutation { createWebhook(input: {url: "http://127.0.0.1:1/", events: [MISSION_CREATED]}) { secret } }`)
	s.equal("code", code, "")
	made, _ := s.query(`mutation { createApiKey(input: {name: "n", scopes: [CONTENT_READ]}) { key } }`)
	read := func() map[string]string {
		data, code := s.query(`{ viewer { tenant { limits { kind operation limit perSeconds burst used } } } }`)
		s.equal("code", code, "")
		found := map[string]string{}
		for _, each := range at(data, "viewer", "tenant", "limits").([]any) {
			l := each.(map[string]any)
			found[fmt.Sprint(l["kind"], " ", l["operation"])] = fmt.Sprint(l["limit"], " ", l["perSeconds"], " ", l["burst"], " ", l["used"])
		}
		return found
	}
	for key, used := range map[string]string{wide: "1", at(made, "createApiKey", "key").(string): "<nil>"} {
		s.key = key
		got := read()
		for name, want := range map[string]string{
			"REQUESTS <nil>": "300 60 50 <nil>", "OPERATION_COST <nil>": "10000 <nil> <nil> <nil>",
			"OPERATION missions.create": "7 60 <nil> <nil>", "OPERATION analytics.export": "5 3600 <nil> <nil>",
			"WEBHOOKS <nil>": "20 <nil> <nil> " + used,
		} {
			s.equal(name, got[name], want)
		}
	}
}
