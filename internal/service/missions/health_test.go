package missions_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// wantHealth checks a mission's health: its state, and what it says.
func wantHealth(w *world.World, id string, state mission.HealthState, says string) mission.Health {
	w.T.Helper()
	all, err := w.Missions.Healths(context.Background(), w.Tenant, []string{id})
	w.Must(err)
	got := all[id]
	if got.State != state || !strings.Contains(got.Message, says) {
		w.T.Fatalf("got %+v, want %s: %s", got, state, says)
	}
	return got
}

// noonDaily has a post a day at noon, for so many days.
func noonDaily(days int) func(in *mission.CreateInput) {
	return onTwitter(func(in *mission.CreateInput) {
		posts := 1
		in.Constraints.PostsPerDay, in.Constraints.PostingTimes, in.DurationDays = &posts, []string{"12:00"}, &days
	})
}

// A mission's health follows what becomes of its posts, its account and its clock.
func TestHealthOfAMission(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		account := connect(w, mission.Twitter)
		draft := w.Create(func(in *mission.CreateInput) { in.StartImmediately = nil })
		wantHealth(w, draft.ID, "", "")

		m := w.Create(func(in *mission.CreateInput) {
			noonDaily(10)(in)
			world.NeedsApproval(in)
		})
		wantHealth(w, m.ID, mission.HealthOnPace, "Nothing keeps its posts")
		w.Step()
		wantHealth(w, m.ID, mission.HealthStarving, "A post waits for review, and none is approved for the next 24 hours.")
		w.Must(of(w.Missions.ApproveContent(ctx, w.Tenant, w.Posts(m.ID)[0].ID, nil)))
		wantHealth(w, m.ID, mission.HealthOnPace, "")

		w.Must(of(w.Missions.PauseMission(ctx, w.Tenant, m.ID)))
		if held := wantHealth(w, m.ID, mission.HealthHeld, "The mission is paused."); held.Since == nil || !held.Since.Equal(w.Clock.Now()) {
			t.Errorf("got %+v, want it since %s", held, w.Clock.Now())
		}
		w.Must(of(w.Missions.ResumeMission(ctx, w.Tenant, m.ID)))

		// One post is published, and the next days' expire.
		after(w, 3*24*time.Hour+8*time.Hour)
		published := w.Published(m.ID)
		if len(published) != 1 {
			t.Fatalf("%d posts were published", len(published))
		}
		starving := wantHealth(w, m.ID, mission.HealthStarving, "A post waits for review; none is approved, and nothing was published since 2026-11-21 12:00 UTC.")
		if !starving.Since.Equal(*published[0].PublishedAt) {
			t.Errorf("got %+v, want it since %s", starving, published[0].PublishedAt)
		}

		set(w, account, refused)
		wantHealth(w, m.ID, mission.HealthBlocked, "has to be connected again")
		w.Must(w.Missions.HoldPublishing(ctx, "a test"))
		wantHealth(w, m.ID, mission.HealthHeld, "The service's operator holds all posts.")
		w.Must(of(w.Missions.CompleteMission(ctx, w.Tenant, m.ID)))
		wantHealth(w, m.ID, "", "")
	})
}

// A mission that publishes but whose KPI needs more is behind.
func TestHealthOfAMissionBehind(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(func(in *mission.CreateInput) {
			noonDaily(10)(in)
			target := 1e9
			in.KPIs = []mission.KPIInput{{Metric: mission.Likes, Target: &target}}
		})
		after(w, 3*24*time.Hour-time.Minute)
		wantHealth(w, m.ID, mission.HealthOnPace, "")
		after(w, 3*24*time.Hour)
		wantHealth(w, m.ID, mission.HealthBehind, "a day to reach 1000000000.")
	})
}

// The health of several missions takes as many statements as that of one; another tenant's isn't
// found.
func TestHealthOfSeveral(t *testing.T) {
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		ctx := context.Background()
		var ids []string
		for range 3 {
			ids = append(ids, w.Create(fourADay).ID)
			w.Step()
		}
		took := func(ids []string) int64 {
			before := faults.Statements()
			got, err := w.Missions.Healths(ctx, w.Tenant, ids)
			w.Must(err)
			if len(got) != len(ids) {
				t.Errorf("got the health of %d of %d missions", len(got), len(ids))
			}
			return faults.Statements() - before
		}
		if one, all := took(ids[:1]), took(ids); one != all || one > 8 {
			t.Errorf("the health of one mission takes %d statements, that of %d takes %d", one, len(ids), all)
		}
		if got, err := w.Missions.Healths(ctx, w.NewTenant("Other"), ids); err != nil || len(got) != 0 {
			t.Errorf("another tenant gets %v, %v", got, err)
		}
	})
}
