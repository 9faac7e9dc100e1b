package missions_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// byHand makes a post of a mission by hand.
func byHand(w *world.World, missionID, text string, at *time.Time) mission.Content {
	w.T.Helper()
	c, err := w.Missions.CreateContent(context.Background(), w.Tenant, missions.ContentInput{
		MissionID: missionID, Platform: w.Mission(missionID).Platforms[0], Text: &text, ScheduledAt: at,
	})
	w.Must(err)
	return c
}

// told returns the types of a post's events, in order.
func told(w *world.World, c mission.Content) (types []mission.EventType) {
	w.T.Helper()
	list, err := w.DB.MissionEvents(context.Background(), w.Tenant.TenantID, c.MissionID, "", 1000)
	w.Must(err)
	for _, e := range list {
		if strings.Contains(fmt.Sprintf("%s", e.Data), c.ID) {
			types = append(types, e.Type)
		}
	}
	return types
}

// A post that a person made is published at its time, beside the pipeline's, measured, and
// no job waits for it; one that nobody approves expires with a warning.
func TestPostsByHand(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(nil)
		at := w.Clock.Now().Add(25*time.Hour + 7*time.Minute)
		c := byHand(w, m.ID, "By hand.", &at)
		w.Until("it is measured", func() bool {
			c, _ = w.Missions.Content(ctx, w.Tenant, c.ID)
			return c.MeasuredAt != nil
		})
		if c.PublishedAt.Before(at) || c.PublishedAt.After(at.Add(time.Minute)) {
			t.Errorf("it was published at %s, not at %s", c.PublishedAt, at)
		}
		events := told(w, c)
		if want := []mission.EventType{mission.EventContentCreated, mission.EventContentApproved, mission.EventContentScheduled, mission.EventContentPublished}; !slices.Equal(events, want) {
			t.Errorf("got its events %v", events)
		}
		w.Idle()
		if j := w.Job(m); j.Status != mission.RunCompleted || j.Written != 2 || j.CompletedAt.After(at) {
			t.Errorf("the first job is %s, wrote %d, and was completed at %s", j.Status, j.Written, j.CompletedAt)
		}

		m = w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			days := 4
			in.DurationDays = &days
		})
		at = w.Clock.Now().Add(30 * time.Hour)
		c = byHand(w, m.ID, "May I?", &at)
		w.Until("it expires", func() bool {
			c, _ = w.Missions.Content(ctx, w.Tenant, c.ID)
			return c.Status == mission.ContentExpired
		})
		if now := w.Clock.Now(); now.Before(at.Add(24*time.Hour)) || now.After(at.Add(24*time.Hour+time.Minute)) {
			t.Errorf("it expired at %s, its time was %s", now, at)
		}
		events = told(w, c)
		if want := []mission.EventType{mission.EventContentCreated, mission.EventReviewRequested, mission.EventContentExpiring, mission.EventContentExpired}; !slices.Equal(events, want) {
			t.Errorf("got its events %v", events)
		}
		w.Idle()
	})
}

// Of twelve callers who do different things to one post, and others who want its time, no
// two are told what excludes the other, and the counters stay true.
func TestConcurrentHands(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(nil)
		at, later := w.Clock.Now().Add(30*time.Hour), w.Clock.Now().Add(31*time.Hour)
		c, text := byHand(w, m.ID, "By hand.", &at), "Another."
		platform := w.Mission(m.ID).Platforms[0]
		var all sync.WaitGroup
		var mu sync.Mutex
		won := map[string]int{}
		for n := range 12 {
			name := []string{"cancel", "move", "make", "edit"}[n%4]
			all.Go(func() {
				var err error
				switch name {
				case "cancel":
					_, err = w.Missions.CancelContent(ctx, w.Tenant, c.ID)
				case "move":
					_, err = w.Missions.RescheduleContent(ctx, w.Tenant, c.ID, later)
				case "make":
					_, err = w.Missions.CreateContent(ctx, w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: platform, Text: &text, ScheduledAt: &later})
				case "edit":
					_, err = w.Missions.EditContent(ctx, w.Tenant, c.ID, withText(text))
				}
				if err != nil && mission.CodeOf(err) != mission.CodeConflict {
					t.Errorf("%s: %v", name, err)
				}
				if err == nil {
					mu.Lock()
					won[name]++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if won["cancel"] != 1 || won["make"] > 1 {
			t.Errorf("these were told that they did it: %v", won)
		}
		part := w.Posts(m.ID)
		taken := map[string]int{}
		var counted mission.ContentCounts
		for _, p := range part {
			counted = counted.Plus(mission.Moved("", p.Status))
			if !p.Status.Settled() {
				taken[p.ScheduledAt.String()]++
			}
		}
		for slot, n := range taken {
			if n > 1 {
				t.Errorf("%d posts have the slot %s", n, slot)
			}
		}
		if got := w.Mission(m.ID).Counts; got != counted {
			t.Errorf("got the counts %+v, want %+v", got, counted)
		}
		w.Idle()
	})
}
