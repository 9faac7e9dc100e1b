package mission_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

// After the moves that are made no post that moved is at another's instant, and each that isn't
// made would be: no move is refused without need.
func TestApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
		at := func(label string) *time.Time {
			t := start.Add(time.Duration(rapid.IntRange(0, 6).Draw(t, label)) * time.Hour)
			return &t
		}
		posts := make([]mission.Content, rapid.IntRange(1, 6).Draw(t, "posts"))
		var moves []mission.ContentChange
		for i := range posts {
			posts[i] = mission.Content{ID: fmt.Sprint("cnt_", i), Platform: mission.LinkedIn, ScheduledAt: at("time")}
			if rapid.Bool().Draw(t, "moves") {
				ch := mission.ContentChange{To: posts[i]}
				ch.To.ScheduledAt = at("new time")
				moves = append(moves, ch)
			}
		}
		before := slices.Clone(posts)
		stays := func(ch mission.ContentChange) bool {
			return slices.ContainsFunc(before, func(c mission.Content) bool { return c.ID == ch.To.ID && c.ScheduledAt.Equal(*ch.To.ScheduledAt) })
		}
		made, taken := mission.Apart(posts, moves)
		if len(made)+len(taken) != len(moves) || !slices.EqualFunc(posts, before, func(a, b mission.Content) bool { return a.ScheduledAt == b.ScheduledAt }) {
			t.Fatalf("%d moves became %d and %d, or the posts changed", len(moves), len(made), len(taken))
		}
		for _, ch := range made {
			for i := range posts {
				if posts[i].ID == ch.To.ID {
					posts[i].ScheduledAt = ch.To.ScheduledAt
				}
			}
		}
		for _, ch := range made {
			if !stays(ch) && mission.Taken(posts, ch.To.ID, ch.To.Destination(), *ch.To.ScheduledAt) {
				t.Fatalf("%s was moved to another's time", ch.To.ID)
			}
		}
		for _, ch := range taken {
			own := slices.ContainsFunc(made, func(m mission.ContentChange) bool { return m.To.ScheduledAt.Equal(*ch.To.ScheduledAt) })
			if stays(ch) || !own && !mission.Taken(before, ch.To.ID, ch.To.Destination(), *ch.To.ScheduledAt) {
				t.Fatalf("%s could have moved", ch.To.ID)
			}
		}
	})
}
