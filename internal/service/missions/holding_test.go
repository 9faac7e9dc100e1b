package missions_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"missiond/internal/database"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

func hold(w *world.World, until *time.Time) {
	w.T.Helper()
	_, err := w.Missions.HoldTenant(context.Background(), w.Tenant, mission.HoldInput{Reason: "an accident", Until: until})
	w.Must(err)
}

func releaseHold(w *world.World) {
	w.T.Helper()
	_, err := w.Missions.ReleaseTenant(context.Background(), w.Tenant)
	w.Must(err)
}

// On hold nothing goes out and clocks stop; after the release the posts follow each other as
// after a pause. A mission that a person has paused stays paused, and other tenants go on.
func TestTenantOnHold(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		connect(w, mission.Twitter)
		platform := newShelf(w.Parts.Publisher)
		w.Parts.Publisher = platform
		m, paused, before := w.Create(onTwitter(fourPosts)), w.Create(onTwitter(fourPosts)), w.Tenant
		_, err := w.Missions.PauseMission(ctx, w.Tenant, paused.ID)
		w.Must(err)
		w.Tenant = w.NewTenant("Others")
		others := w.Create(fourPosts)
		w.Tenant = before
		w.Step()
		slots := map[string]time.Time{}
		for _, c := range w.Posts(m.ID) {
			slots[c.ID] = *c.ScheduledAt
		}
		ends := *w.Mission(m.ID).EndsAt
		w.Clock.Advance(30 * time.Minute) // 08:30
		hold(w, nil)
		w.Step()
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		world.WantCode(t, err, mission.CodeConflict)
		w.Pass(90 * time.Minute) // 10:00
		if got := w.Mission(m.ID); got.Status != mission.StatusPaused || !got.Held {
			t.Errorf("on hold the mission is %s, held: %t", got.Status, got.Held)
		}
		for _, c := range w.Posts(m.ID) {
			if c.Status != mission.ContentScheduled || c.CalledAt != nil {
				t.Errorf("on hold a post is %s", c.Status)
			}
		}
		w.Tenant = mission.Principal{TenantID: others.TenantID}
		if n := len(w.Published(others.ID)); n != 3 {
			t.Errorf("another tenant has %d published posts, want 3", n)
		}
		w.Tenant = before
		releaseHold(w)
		w.Step()
		got := w.Mission(m.ID)
		if got.Status != mission.StatusActive || got.Held || !got.EndsAt.Equal(ends.Add(90*time.Minute)) {
			t.Errorf("after the release the mission is %s, held: %t, until %s", got.Status, got.Held, got.EndsAt)
		}
		var at []time.Time
		for _, c := range w.Posts(m.ID) {
			if c.ScheduledAt.Before(slots[c.ID]) {
				t.Errorf("a post of %s moved to %s", slots[c.ID], c.ScheduledAt)
			}
			at = append(at, *c.ScheduledAt)
		}
		slices.SortFunc(at, time.Time.Compare)
		for i := range at[1:] {
			if at[i+1].Sub(at[i]) < 5*time.Minute {
				t.Errorf("posts follow each other at %s and %s", at[i], at[i+1])
			}
		}
		if got := w.Mission(paused.ID); got.Status != mission.StatusPaused {
			t.Errorf("the mission that a person had paused is %s", got.Status)
		}
		w.Over(m.ID)
		platform.once(t, w.Posts(m.ID))
	})
}

// When HoldTenant returns, none of the tenant's posts is being published.
func TestTenantHoldWaitsForCalls(t *testing.T) {
	waitsForCalls(t, func(w *world.World) error {
		_, err := w.Missions.HoldTenant(context.Background(), w.Tenant, mission.HoldInput{Reason: "an accident"})
		return err
	})
}

// A hold with an end ends by itself, at the end that was given last. A mission that begins
// meanwhile waits for it, and one that a person pauses meanwhile stays paused.
func TestHoldEnds(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		first, second := w.Clock.Now().Add(time.Hour), w.Clock.Now().Add(3*time.Hour)
		m := w.Create(fourPosts)
		w.Step()
		hold(w, &first)
		hold(w, &second)
		w.Step()
		begun := w.Create(fourPosts)
		w.Pass(2 * time.Hour)
		if got := w.Mission(begun.ID); got.Status != mission.StatusPaused || len(w.Posts(begun.ID)) > 0 {
			t.Errorf("a mission that begins on hold is %s and has %d posts", got.Status, len(w.Posts(begun.ID)))
		}
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		w.Pass(2 * time.Hour)
		if h, err := w.Missions.TenantHold(ctx, w.Tenant); h != nil || err != nil {
			t.Errorf("after its end the hold is %v, %v", h, err)
		}
		if a, b := w.Mission(m.ID).Status, w.Mission(begun.ID).Status; a != mission.StatusPaused || b != mission.StatusActive {
			t.Errorf("the mission that was paused meanwhile is %s, the other %s", a, b)
		}
		_, err = w.Missions.ReleaseTenant(ctx, w.Tenant)
		world.WantCode(t, err, mission.CodeConflict)
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		var told []mission.EventType
		for _, e := range w.Events("") {
			if e == mission.EventTenantHeld || e == mission.EventTenantReleased {
				told = append(told, e)
			}
		}
		want := []mission.EventType{mission.EventTenantHeld, mission.EventTenantHeld, mission.EventTenantReleased}
		if !slices.Equal(told, want) {
			t.Errorf("the events are %v", told)
		}
	})
}

// A tenant's missions follow its hold in batches, whatever the process that pauses or resumes
// them crashes at.
func TestHoldOfManyMissions(t *testing.T) {
	world.EachFaulty(t, func(t *testing.T, w *world.World, faults *database.Faults) {
		var all []string
		for range 60 {
			all = append(all, w.Create(world.OneDay).ID)
		}
		w.Step()
		follow := func(change func(), want mission.Status) {
			change()
			for n := int64(7); w.CrashesAt(faults, n, func() { w.Step() }); n *= 3 {
				w.ExpireLeases()
			}
			w.ExpireLeases()
			w.Step()
			for _, id := range all {
				if got := w.Mission(id); got.Status != want || got.Held != (want == mission.StatusPaused) {
					t.Fatalf("a mission is %s, want %s", got.Status, want)
				}
			}
		}
		follow(func() { hold(w, nil) }, mission.StatusPaused)
		follow(func() { releaseHold(w) }, mission.StatusActive)
	})
}
