package api

import (
	"fmt"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
)

// A cycle says how many of its posts came how far, in as many statements as several do.
func TestPostsOfACycle(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			s := newHarness(t, open)
			gql := graphAPI{s}
			id := s.make(restAPI{s}, object{"start_immediately": true})
			query := `{ missions { edges { node { jobs { edges { node { posts { written pendingReview approved published failed expired } } } } } } } }`
			counts := func() string {
				return fmt.Sprint(edges(edges(gql.query(query)["missions"])[0]["jobs"])[0]["posts"])
			}
			s.equal("a new cycle", counts(), "map[approved:0 expired:0 failed:0 pendingReview:0 published:0 written:0]")
			for n, status := range []mission.ContentStatus{
				mission.ContentPendingReview, mission.ContentApproved, mission.ContentScheduled, mission.ContentPublished, mission.ContentPublished,
				mission.ContentFailed, mission.ContentExpired, mission.ContentRejected, mission.ContentCanceled,
			} {
				at := s.clock.Now().Add(time.Duration(n) * time.Hour)
				s.postOn(id, mission.Destination{Platform: mission.Twitter}, at, func(c *mission.Content) { c.Status, c.ScheduledAt = status, &at })
			}
			s.equal("the cycle", counts(), "map[approved:5 expired:1 failed:1 pendingReview:1 published:2 written:9]")
			s.plain = nil // statements are counted
			statements := func() int64 {
				before := s.faults.Statements()
				if _, failed := gql.call(query, nil); failed.Code != "" {
					t.Fatal(fmt.Sprint(failed))
				}
				return s.faults.Statements() - before
			}
			one := statements()
			for range 5 {
				s.make(restAPI{s}, object{"start_immediately": true})
			}
			if six := statements(); one != six || six > 6 {
				t.Errorf("one mission's cycles take %d statements, six missions' %d", one, six)
			}
		})
	}
}
