package api

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// changes are mutations of an account, each after what prepares it.
var changes = map[string]func(s *harness) string{
	"a tenant's settings": func(*harness) string { return `updateTenant(input: {name: "Renamed"}) { tenant { name } }` },
	"a member's role": func(s *harness) string {
		return `updateMember(id: "` + s.newMember() + `", role: VIEWER) { member { role } }`
	},
	"a member's sessions": func(s *harness) string { return `endMemberSessions(id: "` + s.newMember() + `") { sessionsEnded }` },
	"a session": func(s *harness) string {
		id := s.newMember()
		admin, err := s.Accounts.Authenticate(context.Background(), s.key)
		s.must(err)
		list, err := s.Accounts.Sessions(context.Background(), admin, id, pageOne)
		s.must(err)
		return `endSession(id: "` + list.List[0].ID + `") { endedId }`
	},
	"a member": func(s *harness) string {
		return `removeMember(id: "` + s.newMember() + `") { deletedId sessionsEnded }`
	},
	"a key": func(s *harness) string {
		return `revokeApiKey(id: "` + s.at(restAPI{s}.createKey(map[string]any{"name": "x"}), "id").(string) + `") { apiKey { revokedAt } }`
	},
	"posts together": func(s *harness) string {
		id := s.make(restAPI{s}, map[string]any{"start_immediately": true, "platforms": []any{"twitter"}})
		return `createContents(input: {missionId: "` + id + `", items: [{platform: TWITTER, text: "One."}, {platform: TWITTER}, {platform: TWITTER, text: "Two."}]}) { results { content { id } error { message } } }`
	},
	"a draft": func(s *harness) string {
		id := s.make(restAPI{s}, map[string]any{"platforms": []any{"twitter"}})
		return `savePostDraft(input: {missionId: "` + id + `", body: "{}"}) { draft { id version } }`
	},
	"a tenant": func(*harness) string { return `deleteTenant(confirm: "acme") { tenant { deletesAt } }` },
}

// newMember returns the id of another user of the caller's tenant.
func (s *harness) newMember() string {
	caller := s.key
	id := s.at(s.logIn(restAPI{s}, member("second@example.com", "admin")), "user", "id").(string)
	s.key = caller
	return id
}

// A process that dies between a change and its response: a retry gets the response of
// a success, and changes nothing more.
func TestRetriesGetTheResult(t *testing.T) {
	testkit.SkipIfShort(t)
	for name, prepare := range changes {
		for dialect, open := range testkit.Dialects() {
			t.Run(name+"/"+dialect, func(t *testing.T) {
				t.Parallel()
				statements := int64(0)
				for _, crashes := range []bool{false, true} {
					s := newHarness(t, open)
					s.logIn(restAPI{s}, member("first@example.com", "admin"))
					body := map[string]any{"query": "mutation { " + prepare(s) + " }"}
					request := func(s *harness, key string) (int, string, bool) {
						return s.keyed(key, http.MethodPost, "/graphql", body)
					}
					// The last statement stores the response.
					if crashes && !s.crash(statements, "key", request) {
						t.Fatalf("the request has no statement %d", statements)
					}
					before := s.faults.Statements()
					_, text, _ := request(s, "key")
					if statements = s.faults.Statements() - before; strings.Contains(text, `"errors"`) || statements < 4 {
						t.Errorf("after a crash (%t), %d statements return %s", crashes, statements, text)
					}
					if _, again, replayed := request(s, "key"); again != text || !replayed {
						t.Errorf("after a crash (%t) it returns %s, then %s, %t", crashes, text, again, replayed)
					}
				}
			})
		}
	}
}
