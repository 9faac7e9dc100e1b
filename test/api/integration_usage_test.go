package api

import (
	"fmt"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
)

// An account says how many posts wait for it, which missions post through it, chosen or as their
// platform's default, and when it published last: in as many statements as ten accounts do.
func TestWhatAccountsAreUsedFor(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			connect := func(account string) string {
				s.platform.set(func(f *fakePlatform) { f.account = account })
				return rest.connect(map[string]any{"platform": "twitter", "access_token": "good"}).Fields["id"].(string)
			}
			usual, other := connect("1"), connect("2")
			on := func(changes object) string {
				changes["platforms"], changes["start_immediately"] = []any{"twitter"}, true
				return s.make(rest, changes)
			}
			first, second := on(object{"name": "First"}), on(object{"name": "Second", "integration_ids": []any{other}})
			s.want(rest.complete(on(object{"name": "Ended"})), "", "")
			now := s.clock.Now()
			slots := 0
			post := func(missionID string, account string, status mission.ContentStatus) {
				s.postOn(missionID, mission.Destination{Platform: mission.Twitter, IntegrationID: account}, now, func(c *mission.Content) {
					slots++
					slot := now.Add(time.Duration(slots) * time.Hour)
					if c.Status, c.ScheduledAt = status, &slot; status == mission.ContentPublished {
						at := now.Add(-time.Hour)
						c.PublishedAt = &at
					}
				})
			}
			for _, status := range []mission.ContentStatus{mission.ContentApproved, mission.ContentScheduled, mission.ContentPublished, mission.ContentRejected} {
				post(second, other, status)
			}
			post(first, "", mission.ContentScheduled) // of before an account was connected
			shown := func(id string) string {
				return fmt.Sprint(gql.query(fmt.Sprintf(`{ integration(id: %q) { usage { waitingPosts lastPublishedAt missions { name } } } }`, id))["integration"])
			}
			s.equal("the default", shown(usual), "map[usage:map[lastPublishedAt:<nil> missions:[map[name:First]] waitingPosts:1]]")
			s.equal("the other", shown(other), "map[usage:map[lastPublishedAt:2026-11-21T07:00:00.000Z missions:[map[name:Second]] waitingPosts:2]]")
			s.key = s.narrow(mission.ScopeIntegrationsRead)
			if failed := gql.run(`{ integrations { edges { node { usage { missions { id } } } } } }`, nil, "integrations"); failed.Code != "forbidden" {
				t.Errorf("without the scope got %q", failed.Code)
			}
			s.key = s.keys["ours"]
			s.plain = nil // statements are counted
			statements := func(n int) int64 {
				before := s.faults.Statements()
				query := `query($n: Int!) { integrations(first: $n) { edges { node { usage { waitingPosts missions { name } } } } } }`
				if _, failed := gql.call(query, map[string]any{"n": n}); failed.Code != "" {
					t.Fatal(fmt.Sprint(failed))
				}
				return s.faults.Statements() - before
			}
			one := statements(1)
			for n := range 8 {
				connect(fmt.Sprint(n + 3))
			}
			if many := statements(10); one != many || many > 8 {
				t.Errorf("one account takes %d statements, ten %d", one, many)
			}
		})
	}
}
