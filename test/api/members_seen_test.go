package api

import (
	"context"
	"fmt"
	"testing"
	"time"

	"missiond/internal/identity"
	"missiond/internal/testkit"
)

// Members are last seen when their sessions began or were renewed, and not once they have ended; who was
// made with the tenant is told from those who signed in. Only administrators are told.
func TestMembersLastSeen(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			ctx, gql := context.Background(), graphAPI{s}
			in := func(name, role string) string {
				got, err := s.Accounts.Login(ctx, s.token(identity.DevPerson{Email: name + "@example.com", Name: name, Organization: "org_seen", OrganizationRole: role}))
				s.must(err)
				return got.Token
			}
			ours := s.key
			s.key = in("ann", "admin")
			in("bob", "viewer")
			query := `{ tenant { members { edges { node { name firstAdmin lastSeenAt } } } } }`
			seen := func() string {
				text := ""
				for _, m := range edges(gql.query(query)["tenant"].(map[string]any)["members"]) {
					text += fmt.Sprint(m["name"], " ", m["firstAdmin"], " ", m["lastSeenAt"], "; ")
				}
				return text
			}
			s.equal("at first", seen(), "bob false 2026-11-21T08:00:00.000Z; ann false 2026-11-21T08:00:00.000Z; ")
			s.real.Advance(50 * time.Minute)
			renewed, err := s.Accounts.Refresh(ctx, s.key)
			s.must(err)
			s.key = renewed.Token
			in("bob", "viewer")
			s.real.Advance(time.Minute)
			s.equal("later", seen(), "bob false 2026-11-21T08:50:00.000Z; ann false 2026-11-21T08:50:00.000Z; ")
			members := edges(gql.query(`{ tenant { members { edges { node { id name } } } } }`)["tenant"].(map[string]any)["members"])
			if _, code := s.query(fmt.Sprintf(`mutation { endMemberSessions(id: %q) { sessionsEnded } }`, members[0]["id"])); code != "" {
				t.Error(code)
			}
			s.equal("after the end", seen(), "bob false <nil>; ann false 2026-11-21T08:50:00.000Z; ")
			s.key = in("bob", "viewer")
			if failed := gql.run(`{ viewer { user { lastSeenAt } } }`, nil, "viewer"); failed.Code != "forbidden" {
				t.Errorf("a viewer gets %q", failed.Code)
			}
			s.key = ours
			s.equal("the operator's", seen()[len(seen())-len("true <nil>; "):], "true <nil>; ")
		})
	}
}
