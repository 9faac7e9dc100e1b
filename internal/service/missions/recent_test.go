package missions_test

import (
	"context"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// What is recent are the posts that were published, expired and failed since a time, with the best;
// it takes two statements however many they are, and isn't another tenant's.
func TestRecent(t *testing.T) {
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		ctx := context.Background()
		refusal := &mission.PublishError{Outcome: mission.OutcomeRefused, Failure: mission.Failure{Code: mission.CodePlatformRefused, Message: "Too loud."}}
		wants := func(since time.Time, published, expired, failed int) mission.Recent {
			t.Helper()
			before := faults.Statements()
			got, err := w.Missions.Recent(ctx, w.Tenant, since)
			w.Must(err)
			if n := faults.Statements() - before; n != 2 {
				t.Errorf("it takes %d statements", n)
			}
			if got.Published != published || got.Expired != expired || got.Failed != failed {
				t.Errorf("since %s got %+v, want %d, %d and %d", since, got, published, expired, failed)
			}
			return got
		}
		if got := wants(w.Clock.Now().Add(-time.Hour), 0, 0, 0); got.BestID != "" {
			t.Errorf("nothing is best, got %+v", got)
		}
		m := w.Create(noonDaily(3))
		reviewed := w.Create(func(in *mission.CreateInput) {
			noonDaily(1)(in)
			world.NeedsApproval(in)
		})
		after(w, 2*24*time.Hour+6*time.Hour)
		if n := len(w.Published(m.ID)); n != 3 || w.Posts(reviewed.ID)[0].Status != mission.ContentExpired {
			t.Fatalf("%d posts were published", n)
		}
		all := wants(world.Began, 3, 1, 0)
		if best := w.Content(all.BestID); best.MissionID != m.ID || best.Metrics.Engagements() == 0 {
			t.Errorf("the best is %+v", best)
		}
		wants(w.Clock.Now().Add(-24*time.Hour), 1, 0, 0)
		wants(world.Began.Add(-100*24*time.Hour), 3, 1, 0)
		if got := wants(w.Clock.Now().Add(time.Hour), 0, 0, 0); !got.Since.Equal(w.Clock.Now()) || got.BestID != "" {
			t.Errorf("got %+v", got)
		}

		connect(w, mission.Twitter)
		w.Parts.Publisher = &scripted{Publisher: w.Parts.Publisher, results: []error{refusal}}
		began := w.Clock.Now()
		fails := w.Create(onTwitter(world.OneDay))
		w.Over(fails.ID)
		wants(began, len(w.Published(fails.ID)), 0, 1)

		got, err := w.Missions.Recent(ctx, w.NewTenant("Other"), world.Began)
		if err != nil || got.Published+got.Expired+got.Failed > 0 || got.BestID != "" {
			t.Errorf("another tenant gets %+v, %v", got, err)
		}
	})
}
