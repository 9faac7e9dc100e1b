package tasks_test

import (
	"context"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// The ledger's status and the backlog count the same due tasks.
func TestLedgerStatus(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		w.Create(func(in *mission.CreateInput) {
			posts, days, times := 4, 1, []string{"09:00", "09:10", "09:20", "22:00"}
			in.Platforms = []mission.Platform{mission.Twitter}
			in.Constraints.PostsPerDay, in.Constraints.PostingTimes, in.DurationDays = &posts, times, &days
		})
		w.Step()
		at := w.Clock.Now()
		w.Clock.Advance(90 * time.Minute)
		lines, err := w.DB.LedgerStatus(ctx, w.Clock.Now())
		w.Must(err)
		b, err := w.DB.Backlog(ctx, w.Clock.Now())
		w.Must(err)
		var posts store.LedgerLine
		for _, l := range lines {
			if l.Type == mission.TaskContentPublish {
				posts = l
			}
		}
		oldest := at.Add(time.Hour)
		if posts.Due != 3 || posts.Waiting != 1 || posts.OldestDue == nil || !posts.OldestDue.Equal(oldest) {
			t.Errorf("the ledger's posts are %+v, want 3 due since %s and 1 waiting", posts, oldest)
		}
		if b.Due[mission.TaskContentPublish] != 3 || !b.OldestDue[mission.TaskContentPublish].Equal(oldest) || b.Held {
			t.Errorf("the backlog is %+v", b)
		}
		w.Must(w.Missions.HoldPublishing(ctx, "a test"))
		if b, err = w.DB.Backlog(ctx, w.Clock.Now()); err != nil || !b.Held {
			t.Errorf("the backlog with a hold is %+v, %v", b, err)
		}
	})
}
