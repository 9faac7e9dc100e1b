package missions_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/mission"
)

// A failed job that is retried continues where it failed, and completes.
func TestRetriedJobGoesOn(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		broken := true
		w.Writer = world.PlainWriter{Fail: func(a mission.Assignment) error {
			if broken && a.Slot.Position == 1 {
				return errors.New("the writer is broken")
			}
			return nil
		}}
		m := w.Create(nil)
		first := *m.PipelineJobID
		job := func() mission.Job {
			j, err := w.DB.Job(context.Background(), w.Tenant.TenantID, first)
			w.Must(err)
			return j
		}
		w.Until("the failure", func() bool { return job().Status == mission.RunFailed })
		broken = false
		w.Clock.Advance(time.Hour)
		_, err := w.Missions.RetryMission(context.Background(), w.Tenant, m.ID)
		w.Must(err)
		w.Idle()
		j := job()
		if j.Status != mission.RunCompleted || j.Written != 2 || j.Error != nil {
			t.Errorf("got the retried job %s with %d posts, %+v", j.Status, j.Written, j.Error)
		}
		if m := w.Mission(m.ID); m.Counts.Published != 4 {
			t.Errorf("got %d published posts, want 4", m.Counts.Published)
		}
	})
}

// A mission that is completed, running or paused, leaves no work: its pending posts
// are canceled, its published ones measured.
func TestCompletedMissionLeavesNothing(t *testing.T) {
	for name, pause := range map[string]bool{"active": false, "paused": true} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				ctx, posts := context.Background(), 4
				m := w.Create(func(in *mission.CreateInput) { in.Constraints.PostsPerDay = &posts })
				w.Step()
				if pause {
					_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
					w.Must(err)
				}
				done, err := w.Missions.CompleteMission(ctx, w.Tenant, m.ID)
				w.Must(err)
				if done.Status != mission.StatusCompleted || done.PausedAt != nil {
					t.Errorf("got the completed mission %s", done.Status)
				}
				w.Idle()
				v := w.Status(m.ID)
				if v.Content.Published != 1 || v.Content.Scheduled != 0 || v.Pipeline.Status != mission.RunCompleted {
					t.Errorf("at the end got the status %+v", v)
				}
				statuses := map[mission.ContentStatus]int{}
				for _, c := range w.Posts(m.ID) {
					statuses[c.Status]++
				}
				if statuses[mission.ContentCanceled] != 3 || statuses[mission.ContentPublished] != 1 {
					t.Errorf("got the posts %v", statuses)
				}
				events := w.Events(m.ID)
				if n := len(slices.DeleteFunc(events, func(e mission.EventType) bool { return e != mission.EventMissionCompleted })); n != 1 {
					t.Errorf("got %d events of its end, want 1", n)
				}
			})
		})
	}
}

// A longer mission has more cycles, a shorter one ends sooner; a running cycle keeps
// its brief.
func TestUpdatedMissionIsReplanned(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		update := func(id string, in mission.UpdateInput) {
			t.Helper()
			_, err := w.Missions.UpdateMission(ctx, w.Tenant, id, in)
			w.Must(err)
		}
		one := 1
		m := w.Create(func(in *mission.CreateInput) { in.DurationDays = &one })
		w.Step() // its last cycle has begun
		update(m.ID, mission.UpdateInput{
			DurationDays: mission.Some(3), Constraints: mission.ConstraintsUpdate{PostsPerDay: mission.Some(1)},
		})
		if n := len(w.Posts(m.ID)); n != 2 {
			t.Errorf("got %d posts of the running cycle, want 2", n)
		}
		w.Over(m.ID)
		m = w.Mission(m.ID)
		if m.Counts.Published != 4 || m.Status != mission.StatusCompleted || !w.Clock.Now().Equal(world.Began.Add(72*time.Hour)) {
			t.Errorf("extended it published %d posts and is %s at %s", m.Counts.Published, m.Status, w.Clock.Now())
		}
		start, ten := w.Clock.Now(), 10
		n := w.Create(func(in *mission.CreateInput) { in.DurationDays = &ten })
		w.Step()
		w.Clock.Advance(25 * time.Hour)
		w.Step()
		update(n.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.Over(n.ID)
		n = w.Mission(n.ID)
		if n.Counts.Published != 4 || n.Status != mission.StatusCompleted || w.Clock.Now().Sub(start) != 48*time.Hour {
			t.Errorf("shortened it published %d posts and is %s after %s", n.Counts.Published, n.Status, w.Clock.Now().Sub(start))
		}
		// In a pause, too.
		start = w.Clock.Now()
		p := w.Create(func(in *mission.CreateInput) { in.DurationDays = &one })
		w.Step()
		_, err := w.Missions.PauseMission(ctx, w.Tenant, p.ID)
		w.Must(err)
		update(p.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.Clock.Advance(50 * time.Hour)
		w.Step()
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, p.ID)
		w.Must(err)
		w.Over(p.ID)
		p = w.Mission(p.ID)
		if p.Counts.Published != 4 || w.Clock.Now().Sub(start) != 98*time.Hour {
			t.Errorf("extended in a pause it published %d posts and ended after %s", p.Counts.Published, w.Clock.Now().Sub(start))
		}
	})
}

// Of concurrent requests for the same transition one succeeds, with one event; the
// others get a conflict.
func TestConcurrentTransitions(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		ignore := func(_ mission.Mission, err error) error { return err }
		active := func() string { return w.Create(nil).ID }
		for name, tt := range map[string]struct {
			reach func() string
			do    func(id string) error
			event mission.EventType
		}{
			"start": {
				func() string {
					return w.Create(func(in *mission.CreateInput) { in.StartImmediately = nil }).ID
				},
				func(id string) error { return ignore(w.Missions.StartMissionNow(ctx, w.Tenant, id)) }, mission.EventMissionStarted,
			},
			"pause": {active, func(id string) error { return ignore(w.Missions.PauseMission(ctx, w.Tenant, id)) }, mission.EventMissionPaused},
			"resume": {
				func() string {
					id := active()
					w.Must(ignore(w.Missions.PauseMission(ctx, w.Tenant, id)))
					return id
				},
				func(id string) error { return ignore(w.Missions.ResumeMission(ctx, w.Tenant, id)) }, mission.EventMissionResumed,
			},
			"complete": {active, func(id string) error { return ignore(w.Missions.CompleteMission(ctx, w.Tenant, id)) }, mission.EventMissionCompleted},
		} {
			id := tt.reach()
			var all sync.WaitGroup
			errs := make([]error, 8)
			for i := range errs {
				all.Go(func() { errs[i] = tt.do(id) })
			}
			all.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
				} else if mission.CodeOf(err) != mission.CodeConflict {
					t.Errorf("%s: %v", name, err)
				}
			}
			events := len(slices.DeleteFunc(w.Events(id), func(e mission.EventType) bool { return e != tt.event }))
			if won != 1 || events != 1 {
				t.Errorf("of concurrent requests of %s %d won, with %d events", name, won, events)
			}
		}
	})
}
