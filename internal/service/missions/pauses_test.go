package missions_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/mission"
)

// An update in a pause leaves the next cycle's time as it is.
func TestReplannedInAPause(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, days := context.Background(), 3
		m := w.Create(func(in *mission.CreateInput) { in.DurationDays = &days })
		after(w, 13*time.Hour)
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		after(w, 63*time.Hour)
		_, err = w.Missions.UpdateMission(ctx, w.Tenant, m.ID, mission.UpdateInput{DurationDays: mission.Some(4)})
		w.Must(err)
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		w.Over(m.ID)
		if n := w.Mission(m.ID).Counts.Published; n != 8 {
			t.Errorf("got %d published posts, want those of four days", n)
		}
	})
}

// A mission that is given another day makes up for what an earlier pause took of that.
func TestExtendedAfterAPause(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(world.OneDay)
		after(w, time.Hour)
		_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		after(w, 26*time.Hour)
		_, err = w.Missions.ResumeMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		_, err = w.Missions.UpdateMission(ctx, w.Tenant, m.ID, mission.UpdateInput{DurationDays: mission.Some(2)})
		w.Must(err)
		w.Over(m.ID)
		if got := hours(out(w, m.ID)); got != "0 48" {
			t.Errorf("posts go out at %s, want 0 48", got)
		}
	})
}

// Posts that are written after their day expire, even if the day's end was handled
// before.
func TestPostsWrittenTooLateExpire(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		broken := true
		w.Writer = world.PlainWriter{Fail: func(mission.Assignment) error {
			if broken {
				return errors.New("broken")
			}
			return nil
		}}
		m := w.Create(world.NeedsApproval)
		w.Step()
		broken = false
		w.Clock.Advance(25 * time.Hour)
		for _, task := range w.Due() { // the day's end first
			if task.Type == mission.TaskCycleEnd {
				w.Run(task.ID)
			}
		}
		j := func() mission.Job {
			j, err := w.DB.Job(context.Background(), w.Tenant.TenantID, *m.PipelineJobID)
			w.Must(err)
			return j
		}
		w.Until("the first job's end", func() bool { return j().Status != mission.RunRunning || w.Mission(m.ID).Status != mission.StatusActive })
		if got := j(); got.Status != mission.RunCompleted || got.Written != 2 || got.Settled != 2 || w.Mission(m.ID).Status != mission.StatusActive {
			t.Errorf("got the job %s with %d of %d posts settled", got.Status, got.Settled, got.Written)
		}
	})
}

// The posts of a job that is run again after its day expire with its new day.
func TestRetriedJobEnds(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx, days, broken := context.Background(), 5, true
		w.Writer = world.PlainWriter{Fail: func(a mission.Assignment) error {
			if broken && a.Slot.Position == 1 && a.Slot.At.Before(world.Began.Add(24*time.Hour)) {
				return errors.New("broken")
			}
			return nil
		}}
		m := w.Create(func(in *mission.CreateInput) { world.NeedsApproval(in); in.DurationDays = &days })
		after(w, 25*time.Hour)
		broken = false
		_, err := w.Missions.RetryMission(ctx, w.Tenant, m.ID)
		w.Must(err)
		after(w, 49*time.Hour-time.Second)
		j, err := w.DB.Job(ctx, w.Tenant.TenantID, *m.PipelineJobID)
		w.Must(err)
		if j.Status != mission.RunRunning || j.Written != 2 || j.Settled != 1 {
			t.Errorf("in its new day got the job %s with %d of %d posts settled", j.Status, j.Settled, j.Written)
		}
		after(w, 49*time.Hour)
		j, err = w.DB.Job(ctx, w.Tenant.TenantID, *m.PipelineJobID)
		w.Must(err)
		if j.Status != mission.RunCompleted || j.Settled != 2 {
			t.Errorf("after its new day got the job %s with %d settled posts", j.Status, j.Settled)
		}
	})
}

// Posts age in a pause, and are measured further if their mission is completed in
// one.
func TestPausesDontHoldUpMeasuring(t *testing.T) {
	for name, end := range map[string]func(w *world.World, id string) error{
		"resumed":   func(w *world.World, id string) error { return of(w.Missions.ResumeMission(ctx, w.Tenant, id)) },
		"completed": func(w *world.World, id string) error { return of(w.Missions.CompleteMission(ctx, w.Tenant, id)) },
	} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				m := w.Create(nil)
				w.Step()
				at := *w.Published(m.ID)[0].MeasureAt
				_, err := w.Missions.PauseMission(ctx, w.Tenant, m.ID)
				w.Must(err)
				w.Clock.Advance(at.Sub(w.Clock.Now()) / 2)
				w.Must(end(w, m.ID))
				after(w, at.Sub(world.Began)+time.Second)
				if c := w.Published(m.ID)[0]; c.MeasuredAt == nil {
					t.Errorf("no measurement at %s", at)
				}
				w.Idle()
				if c := w.Published(m.ID)[0]; c.MeasureAt != nil {
					t.Errorf("at the end got the next measurement at %s, want none", c.MeasureAt)
				}
			})
		})
	}
}

// A post that is rewritten is no longer settled.
func TestRewrittenPostIsAwaited(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(world.NeedsApproval)
		w.Step()
		list := w.Posts(m.ID)
		settled := func() int {
			j, err := w.DB.Job(ctx, w.Tenant.TenantID, *m.PipelineJobID)
			w.Must(err)
			return j.Settled
		}
		_, err := w.Missions.RejectContent(ctx, w.Tenant, list[0].ID, "no", nil)
		w.Must(err)
		if n := settled(); n != 1 {
			t.Fatalf("got %d settled posts, want 1", n)
		}
		setText(w, list[0].ID, "Anew.")
		if n := settled(); n != 0 {
			t.Fatalf("got %d settled posts after it is rewritten", n)
		}
		_, err = w.Missions.RejectContent(ctx, w.Tenant, list[1].ID, "no", nil)
		w.Must(err)
		j, err := w.DB.Job(ctx, w.Tenant.TenantID, *m.PipelineJobID)
		w.Must(err)
		if j.Status != mission.RunRunning || j.CurrentStage != mission.StagePublish {
			t.Errorf("while it waits got the job %s at %s", j.Status, j.CurrentStage)
		}
	})
}
