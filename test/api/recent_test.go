package api

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
)

// What is recent has its numbers and its best post, of the caller's tenant and within seven days.
func TestRecent(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			rest, gql := restAPI{s}, graphAPI{s}
			recent := func(since time.Time) string {
				t.Helper()
				return fmt.Sprint(gql.query(fmt.Sprintf(`{ recent(since: %q) { since published expired failed best { id metrics { likes impressions } } } }`,
					since.Format(time.RFC3339)))["recent"])
			}
			now := s.clock.Now()
			nothing := "map[best:<nil> expired:0 failed:0 published:0 since:2026-11-20T08:00:00.000Z]"
			if got := recent(now.Add(-24 * time.Hour)); got != nothing {
				t.Errorf("got %s", got)
			}
			id := s.make(rest, object{"start_immediately": true})
			liked, seen := s.published(id, mission.Twitter, now.Add(-time.Hour)), s.published(id, mission.LinkedIn, now.Add(-2*time.Hour))
			earlier := s.published(id, mission.Twitter, now.Add(-25*time.Hour))
			s.measure(id, now, map[string]mission.Metrics{
				liked: {mission.Likes: 3, mission.Impressions: 10}, seen: {mission.Likes: 2, mission.Impressions: 900}, earlier: {mission.Likes: 900},
			})
			_, unknown := s.written(rest, nil)
			s.unknown(unknown, false) // which has the event of a failure
			best := fmt.Sprintf("map[best:map[id:%s metrics:map[impressions:10 likes:3]] expired:0 failed:1 published:", liked)
			if got := recent(now.Add(-24 * time.Hour)); got[:len(best)] != best {
				t.Errorf("got %s, want %s", got, best)
			}
			if got := fmt.Sprint(gql.query(`{ recent(since: "2020-01-01T00:00:00Z") { since best { id } } }`)["recent"]); got != fmt.Sprintf("map[best:map[id:%s] since:2026-11-14T08:00:00.000Z]", earlier) {
				t.Errorf("got %s", got)
			}

			s.key = s.narrow(mission.ScopeMissionsRead)
			if status, response := s.send(http.MethodPost, "/graphql", object{"query": `{ recent(since: "2026-11-20T08:00:00Z") { published } }`}); at(firstError(response["errors"]), "extensions", "code") != "forbidden" {
				t.Errorf("without the scope got %d %v", status, response)
			}
			s.key = s.keys["theirs"]
			if got := recent(now.Add(-24 * time.Hour)); got != nothing {
				t.Errorf("another tenant gets %s", got)
			}
		})
	}
}
