package missions_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// gauge is a platform with a configurable Measure, which records which posts were
// measured when.
type gauge struct {
	world.Publisher
	clock *clock.Manual
	// answer runs before the platform's own Measure.
	response func(posts []mission.Content) error
	// hides are the posts that it doesn't find.
	hides     map[string]bool
	mu        sync.Mutex // platforms are measured concurrently
	requested map[string][]time.Time
}

func (g *gauge) Measure(ctx context.Context, via *mission.Integration, posts []mission.Content) (map[string]mission.Metrics, error) {
	g.mu.Lock()
	for _, c := range posts {
		g.requested[c.ID] = append(g.requested[c.ID], g.clock.Now())
	}
	g.mu.Unlock()
	if g.response != nil {
		if err := g.response(posts); err != nil {
			return nil, err
		}
	}
	measured, err := g.Publisher.Measure(ctx, via, posts)
	maps.DeleteFunc(measured, func(id string, _ mission.Metrics) bool { return g.hides[id] })
	return measured, err
}

// gauged puts a gauge in front of the world's platform.
func gauged(w *world.World) *gauge {
	g := &gauge{Publisher: w.Parts.Publisher, clock: w.Clock, requested: map[string][]time.Time{}}
	w.Parts.Publisher = g
	return g
}

// Every post is measured at the ages of the schedule, also after its mission's end,
// until the last; the series, the post and the totals agree.
func TestPostsAreMeasured(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		g := gauged(w)
		m := w.Create(nil)
		w.Idle()
		totals := map[mission.Platform]mission.Metrics{}
		for _, c := range w.Published(m.ID) {
			times := g.requested[c.ID]
			if n := len(times); n < mission.MeasureSteps-1 || n > mission.MeasureSteps+6 {
				t.Errorf("got %d measurements of a post", n)
			}
			for step := 1; step < mission.MeasureSteps; step++ {
				if !slices.ContainsFunc(times, func(at time.Time) bool { return mission.MeasureStep(at.Sub(*c.PublishedAt)) == step }) {
					t.Errorf("the post published at %s isn't measured at step %d: got %v", c.PublishedAt, step, times)
				}
			}
			if c.MeasureAt != nil || c.MeasuredAt == nil || c.MeasuredAt.Sub(*c.PublishedAt) < 90*24*time.Hour {
				t.Errorf("got the last measurement at %v, and the next at %v", c.MeasuredAt, c.MeasureAt)
			}
			totals[c.Platform] = totals[c.Platform].Plus(c.Metrics)
		}
		if got := w.Mission(m.ID).Totals; !reflect.DeepEqual(map[mission.Platform]mission.Metrics(got), totals) {
			t.Errorf("got the totals %v, want %v", got, totals)
		}
	})
}

// A platform that fails, and a post that isn't found, delay no other; they are
// measured again at the time that the platform names.
func TestMeasuringFailsAlone(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		g := gauged(w)
		broken, quiet := true, 2*time.Hour
		g.response = func(posts []mission.Content) error {
			if posts[0].Platform == mission.LinkedIn && broken {
				return &mission.PublishError{Outcome: mission.OutcomeNotAccepted, RetryAfter: quiet, Failure: mission.Failure{Code: "rate_limited", Message: "Later."}}
			}
			return nil
		}
		m := w.Create(func(in *mission.CreateInput) { in.Platforms = []mission.Platform{mission.Twitter, mission.LinkedIn} })
		measured := func(p mission.Platform) (n int) {
			for _, c := range w.Published(m.ID) {
				if c.Platform == p && c.Metrics != nil {
					n++
				}
			}
			return n
		}
		w.Over(m.ID)
		if measured(mission.Twitter) != 2 || measured(mission.LinkedIn) != 0 {
			t.Errorf("got %d measured posts of the platform that responds and %d of the one that fails", measured(mission.Twitter), measured(mission.LinkedIn))
		}
		for _, c := range w.Published(m.ID) {
			for i, at := range g.requested[c.ID][1:] {
				if wait := at.Sub(g.requested[c.ID][i]); c.Platform == mission.LinkedIn && wait < quiet {
					t.Errorf("the platform that requested a pause of %s is called again after %s", quiet, wait)
				}
			}
		}
		broken = false
		lost := w.Published(m.ID)[1].ID
		g.hides = map[string]bool{lost: true}
		w.Idle()
		for _, c := range w.Published(m.ID) {
			if (c.Metrics == nil) != (c.ID == lost) {
				t.Errorf("got %[2]v of the %[1]s post", c.Platform, c.Metrics)
			}
		}
		if n := len(g.requested[lost]); n > 200 {
			t.Errorf("a post that is gone is measured %d times", n)
		}
	})
}

// A paused mission's posts are measured when it resumes.
func TestPausedMissionsAreNotMeasured(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, g := context.Background(), gauged(w)
		m := w.Create(nil)
		w.Until("a post", func() bool { return w.Mission(m.ID).Counts.Published > 0 })
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		clear(g.requested)
		for range 5 {
			w.Clock.Advance(12 * time.Hour)
			w.Step()
		}
		if len(g.requested) > 0 {
			t.Errorf("got the measurements %v in a pause", g.requested)
		}
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		resumed := w.Clock.Now()
		w.Step()
		for id, times := range g.requested {
			if !times[0].Equal(resumed) {
				t.Errorf("%s is measured %s after the mission was resumed", id, times[0].Sub(resumed))
			}
		}
		if len(g.requested) == 0 {
			t.Error("nothing is measured after the resumption")
		}
		w.Over(m.ID)
	})
}

// A failed task is run again, without a limit.
func TestMeasuringIsNeverGivenUp(t *testing.T) {
	if _, more := mission.TaskMissionMeasure.Plan().Delay(1000); !more {
		t.Error("after a thousand attempts it isn't retried")
	}
	world.Each(t, func(t *testing.T, w *world.World) {
		g := gauged(w)
		g.response = func([]mission.Content) error { return errors.New("connection reset") }
		m := w.Create(nil)
		w.Over(m.ID)
		w.Clock.Advance(20 * 24 * time.Hour)
		w.Step()
		g.response = nil
		w.Idle()
		for _, c := range w.Published(m.ID) {
			if c.Metrics == nil {
				t.Errorf("the post published at %s has no figures", c.PublishedAt)
			}
		}
	})
}

// A platform that reports no figures is never asked for any. Posts there have the service's own count of clicks,
// at the ages of the schedule, or none at all.
func TestNothingToMeasure(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		g := gauged(w)
		m := w.Create(func(in *mission.CreateInput) {
			linking(in)
			in.Platforms, in.Links.Track = []mission.Platform{mission.Telegram}, []mission.Platform{mission.Telegram}
		})
		plain := w.Create(func(in *mission.CreateInput) {
			in.Platforms = []mission.Platform{mission.Telegram, mission.Bluesky}
		})
		linked := compose(w, m, "New: https://acme.com/2.0", "")
		w.Until("it is out", func() bool { return w.Content(linked.ID).Status == mission.ContentPublished })
		use := store.LinkUse{Code: w.Content(linked.ID).TrackedLinks()[0].Code, Day: w.Clock.Now().UTC().Format(time.DateOnly), Clicks: 3}
		w.Must(w.DB.Tx(t.Context(), func(tx store.Tx) error { return tx.AddLinkClicks(t.Context(), []store.LinkUse{use}) }))
		w.Idle()
		asked := 0
		for _, c := range append(w.Published(m.ID), w.Published(plain.ID)...) {
			clicks, counted := c.Metrics[mission.LinkClicks]
			switch {
			case c.Platform == mission.Bluesky:
				asked += len(g.requested[c.ID])
			case len(g.requested[c.ID]) > 0 || c.MeasureAt != nil:
				t.Errorf("%s is asked for %d times, and measured at %v", c.ID, len(g.requested[c.ID]), c.MeasureAt)
			case counted != (c.MissionID == m.ID) || (c.MeasuredAt != nil) != counted || len(c.Metrics) > 1 || (clicks == 3) != (c.ID == linked.ID):
				t.Errorf("%s has %v, measured at %v", c.ID, c.Metrics, c.MeasuredAt)
			}
		}
		if asked == 0 {
			t.Error("the other platform isn't asked either")
		}
	})
}
