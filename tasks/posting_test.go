package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/mission"
)

// byHand makes a post of a mission by hand.
func (w *world) byHand(missionID, text string, at *time.Time) mission.Content {
	w.t.Helper()
	c, err := w.service.CreateContent(context.Background(), w.tenant, missions.PostInput{
		MissionID: missionID, Platform: w.mission(missionID).Platforms[0], Text: &text, ScheduledAt: at,
	})
	w.must(err)
	return c
}

// told returns the types of a post's events, in order.
func (w *world) told(c mission.Content) (types []mission.EventType) {
	w.t.Helper()
	list, err := w.db.MissionEvents(context.Background(), w.tenant.TenantID, c.MissionID, "", 1000)
	w.must(err)
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
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(nil)
		at := w.clock.Now().Add(25*time.Hour + 7*time.Minute)
		c := w.byHand(m.ID, "By hand.", &at)
		w.until("it is measured", func() bool {
			c, _ = w.service.Content(ctx, w.tenant, c.ID)
			return c.MeasuredAt != nil
		})
		if c.PublishedAt.Before(at) || c.PublishedAt.After(at.Add(time.Minute)) {
			t.Errorf("it was published at %s, not at %s", c.PublishedAt, at)
		}
		events := w.told(c)
		if want := []mission.EventType{mission.EventContentCreated, mission.EventContentApproved, mission.EventContentScheduled, mission.EventContentPublished}; !slices.Equal(events, want) {
			t.Errorf("got its events %v", events)
		}
		w.idle()
		if j := w.firstJob(m); j.Status != mission.RunCompleted || j.Written != 2 || j.CompletedAt.After(at) {
			t.Errorf("the first job is %s, wrote %d, and was completed at %s", j.Status, j.Written, j.CompletedAt)
		}

		m = w.create(func(in *mission.CreateInput) {
			needsApproval(in)
			days := 4
			in.DurationDays = &days
		})
		at = w.clock.Now().Add(30 * time.Hour)
		c = w.byHand(m.ID, "May I?", &at)
		w.until("it expires", func() bool {
			c, _ = w.service.Content(ctx, w.tenant, c.ID)
			return c.Status == mission.ContentExpired
		})
		if now := w.clock.Now(); now.Before(at.Add(24*time.Hour)) || now.After(at.Add(24*time.Hour+time.Minute)) {
			t.Errorf("it expired at %s, its time was %s", now, at)
		}
		events = w.told(c)
		if want := []mission.EventType{mission.EventContentCreated, mission.EventContentExpiring, mission.EventContentExpired}; !slices.Equal(events, want) {
			t.Errorf("got its events %v", events)
		}
		w.idle()
	})
}

// Of twelve callers who do different things to one post, and others who want its time, no
// two are told what excludes the other, and the counters stay true.
func TestConcurrentHands(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		m := w.create(nil)
		at, later := w.clock.Now().Add(30*time.Hour), w.clock.Now().Add(31*time.Hour)
		c, text := w.byHand(m.ID, "By hand.", &at), "Another."
		platform := w.mission(m.ID).Platforms[0]
		var all sync.WaitGroup
		var mu sync.Mutex
		won := map[string]int{}
		for n := range 12 {
			name := []string{"cancel", "move", "make", "edit"}[n%4]
			all.Go(func() {
				var err error
				switch name {
				case "cancel":
					_, err = w.service.CancelContent(ctx, w.tenant, c.ID)
				case "move":
					_, err = w.service.RescheduleContent(ctx, w.tenant, c.ID, later)
				case "make":
					_, err = w.service.CreateContent(ctx, w.tenant, missions.PostInput{MissionID: m.ID, Platform: platform, Text: &text, ScheduledAt: &later})
				case "edit":
					_, err = w.service.EditContent(ctx, w.tenant, c.ID, serviceEdit(text))
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
		part := w.all(m.ID)
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
		if got := w.mission(m.ID).Counts; got != counted {
			t.Errorf("got the counts %+v, want %+v", got, counted)
		}
		w.idle()
	})
}
