package tasks

import (
	"context"
	"errors"
	"testing"
	"time"

	"missiond/mission"
)

// An update in a pause leaves the next cycle's time as it is.
func TestReplannedInAPause(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, days := context.Background(), 3
		m := w.create(func(in *mission.CreateInput) { in.DurationDays = &days })
		w.after(13 * time.Hour)
		_, err := w.service.PauseMission(ctx, w.tenant, m.ID)
		w.must(err)
		w.after(63 * time.Hour)
		_, err = w.service.UpdateMission(ctx, w.tenant, m.ID, mission.UpdateInput{DurationDays: mission.Some(4)})
		w.must(err)
		_, err = w.service.ResumeMission(ctx, w.tenant, m.ID)
		w.must(err)
		w.over(m.ID)
		if n := w.mission(m.ID).Counts.Published; n != 8 {
			t.Errorf("got %d published posts, want those of four days", n)
		}
	})
}

// Posts that are written after their day expire, even if the day's end was handled
// before.
func TestPostsWrittenTooLateExpire(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		broken := true
		w.writer.Writer = plainWriter{fail: func(mission.Assignment) error {
			if broken {
				return errors.New("broken")
			}
			return nil
		}}
		m := w.create(needsApproval)
		w.step()
		broken = false
		w.clock.Advance(25 * time.Hour)
		for _, task := range w.due() { // the day's end first
			if task.Type == mission.TaskCycleEnd {
				w.run(task.ID)
			}
		}
		j := func() mission.Job {
			j, err := w.db.Job(context.Background(), w.tenant.TenantID, *m.PipelineJobID)
			w.must(err)
			return j
		}
		w.until("the first job's end", func() bool { return j().Status != mission.RunRunning || w.mission(m.ID).Status != mission.StatusActive })
		if got := j(); got.Status != mission.RunCompleted || got.Written != 2 || got.Settled != 2 || w.mission(m.ID).Status != mission.StatusActive {
			t.Errorf("got the job %s with %d of %d posts settled", got.Status, got.Settled, got.Written)
		}
	})
}

// The posts of a job that is run again after its day expire with its new day.
func TestRetriedJobEnds(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		ctx, days, broken := context.Background(), 5, true
		w.writer.Writer = plainWriter{fail: func(a mission.Assignment) error {
			if broken && a.Slot.Position == 1 && a.Slot.At.Before(began.Add(24*time.Hour)) {
				return errors.New("broken")
			}
			return nil
		}}
		m := w.create(func(in *mission.CreateInput) { needsApproval(in); in.DurationDays = &days })
		w.after(25 * time.Hour)
		broken = false
		_, err := w.service.RetryMission(ctx, w.tenant, m.ID)
		w.must(err)
		w.after(49*time.Hour - time.Second)
		j, err := w.db.Job(ctx, w.tenant.TenantID, *m.PipelineJobID)
		w.must(err)
		if j.Status != mission.RunRunning || j.Written != 2 || j.Settled != 1 {
			t.Errorf("in its new day got the job %s with %d of %d posts settled", j.Status, j.Settled, j.Written)
		}
		w.after(49 * time.Hour)
		j, err = w.db.Job(ctx, w.tenant.TenantID, *m.PipelineJobID)
		w.must(err)
		if j.Status != mission.RunCompleted || j.Settled != 2 {
			t.Errorf("after its new day got the job %s with %d settled posts", j.Status, j.Settled)
		}
	})
}

// Posts age in a pause, and are measured further if their mission is completed in
// one.
func TestPausesDontHoldUpMeasuring(t *testing.T) {
	for name, end := range map[string]func(w *world, id string) error{
		"resumed":   func(w *world, id string) error { return of(w.service.ResumeMission(ctx, w.tenant, id)) },
		"completed": func(w *world, id string) error { return of(w.service.CompleteMission(ctx, w.tenant, id)) },
	} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, func(t *testing.T, w *world) {
				m := w.create(nil)
				w.step()
				at := *w.posts(m.ID)[0].MeasureAt
				_, err := w.service.PauseMission(ctx, w.tenant, m.ID)
				w.must(err)
				w.clock.Advance(at.Sub(w.clock.Now()) / 2)
				w.must(end(w, m.ID))
				w.after(at.Sub(began) + time.Second)
				if c := w.posts(m.ID)[0]; c.MeasuredAt == nil {
					t.Errorf("no measurement at %s", at)
				}
				w.idle()
				if c := w.posts(m.ID)[0]; c.MeasureAt != nil {
					t.Errorf("at the end got the next measurement at %s, want none", c.MeasureAt)
				}
			})
		})
	}
}

// A post that is rewritten is no longer settled.
func TestRewrittenPostIsAwaited(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(needsApproval)
		w.step()
		list := w.all(m.ID)
		settled := func() int {
			j, err := w.db.Job(ctx, w.tenant.TenantID, *m.PipelineJobID)
			w.must(err)
			return j.Settled
		}
		_, err := w.service.RejectContent(ctx, w.tenant, list[0].ID, "no", nil)
		w.must(err)
		if n := settled(); n != 1 {
			t.Fatalf("got %d settled posts, want 1", n)
		}
		w.setText(list[0].ID, "Anew.")
		if n := settled(); n != 0 {
			t.Fatalf("got %d settled posts after it is rewritten", n)
		}
		_, err = w.service.RejectContent(ctx, w.tenant, list[1].ID, "no", nil)
		w.must(err)
		j, err := w.db.Job(ctx, w.tenant.TenantID, *m.PipelineJobID)
		w.must(err)
		if j.Status != mission.RunRunning || j.CurrentStage != mission.StagePublish {
			t.Errorf("while it waits got the job %s at %s", j.Status, j.CurrentStage)
		}
	})
}
