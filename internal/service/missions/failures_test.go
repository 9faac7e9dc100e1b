package missions_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit/world"
	"missiond/mission"
)

// unresponsive is the error of a writer that doesn't respond.
func unresponsive(retryAfter time.Duration) error {
	return &mission.OutageError{
		Failure:    mission.Failure{Code: mission.CodeWriterUnavailable, Message: "The language model doesn't respond."},
		RetryAfter: retryAfter, Err: errors.New("connection refused by 10.0.0.1"),
	}
}

// outage makes the world's writer fail for the second post of the first day until a
// time after the start. It returns the times of the calls.
func outage(w *world.World, until time.Duration, err error) *[]time.Duration {
	tries := &[]time.Duration{}
	w.Writer = world.PlainWriter{Fail: func(a mission.Assignment) error {
		if a.Slot.Position != 1 || !a.Slot.At.Before(world.Began.Add(24*time.Hour)) {
			return nil
		}
		at := w.Clock.Now().Sub(world.Began)
		*tries = append(*tries, at)
		if at < until {
			return err
		}
		return nil
	}}
	return tries
}

// planned are the times of a stage's attempts by its plan.
var planned = []time.Duration{0, time.Second, 11 * time.Second, 71 * time.Second, 371 * time.Second}

// During a writer's outage the stage is retried every ten minutes after the planned
// retries. Written posts are published in the meantime, the others afterwards.
func TestOutageIsWaitedFor(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		tries := outage(w, 2*time.Hour, unresponsive(0))
		m := w.Create(nil)
		w.Until("the first post", func() bool { return len(w.Published(m.ID)) == 1 })
		if late := w.Clock.Now().Sub(world.Began); late > 10*time.Minute {
			t.Errorf("written posts are published after %s", late)
		}
		if j := w.Job(m); j.Status != mission.RunRunning || j.CurrentStage != mission.StageContent || j.Stages[2].Error.Code != mission.CodeWriterUnavailable {
			t.Errorf("in the outage got the job %s in %s: %+v", j.Status, j.CurrentStage, j.Stages[2].Error)
		}
		w.Idle()
		want := slices.Clone(planned)
		for want[len(want)-1] < 2*time.Hour {
			want = append(want, want[len(want)-1]+10*time.Minute)
		}
		if !slices.Equal(*tries, want) {
			t.Errorf("got calls of the writer at %v, want %v", *tries, want)
		}
		j := w.Job(m)
		if m := w.Mission(m.ID); j.Status != mission.RunCompleted || j.Written != 2 || m.Counts.Published != 4 || slices.Contains(w.Events(m.ID), mission.EventJobFailed) {
			t.Errorf("at the end got the job %s with %d posts; the mission has %+v", j.Status, j.Written, m.Counts)
		}
	})
}

// An outage that outlasts the cycle's window fails the job, with an event; written
// posts are published, and the next cycle has its posts.
func TestOutageOutlastsTheWindow(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		tries := outage(w, 48*time.Hour, unresponsive(0))
		m := w.Create(nil)
		w.Idle()
		j := w.Job(m)
		if j.Status != mission.RunFailed || j.CompletedAt.After(j.Window.End) || j.CompletedAt.Before(j.Window.End.Add(-10*time.Minute)) {
			t.Errorf("got the job %s at %s", j.Status, j.CompletedAt)
		}
		var data mission.JobFailedData
		events, err := w.DB.MissionEvents(context.Background(), w.Tenant.TenantID, m.ID, "", 1000)
		w.Must(err)
		for _, e := range events {
			if e.Type == mission.EventJobFailed {
				w.Must(json.Unmarshal(e.Data.(json.RawMessage), &data))
			}
		}
		if data.FailedStage != mission.StageContent || data.Attempts != len(*tries) || data.Error.Code != mission.CodeWriterUnavailable || strings.Contains(data.Error.Message, "10.0.0.1") {
			t.Errorf("after %d calls got the event %+v", len(*tries), data)
		}
		if m := w.Mission(m.ID); m.Counts.Published != 3 || m.Counts.Scheduled != 0 {
			t.Errorf("got the counts %+v, want 3 published", m.Counts)
		}
	})
}

// A writer that requests a long pause gets it, within the window.
func TestOutageNamesItsEnd(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		tries := outage(w, time.Hour, unresponsive(3*time.Hour))
		w.Create(nil)
		w.Idle()
		if want := []time.Duration{0, 3 * time.Hour}; !slices.Equal(*tries, want) {
			t.Errorf("got calls of the writer at %v, want %v", *tries, want)
		}
	})
}

// A permanent error fails the job by its plan; written posts are published all the
// same.
func TestRefusedWritingIsNotWaitedFor(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		tries := outage(w, 48*time.Hour, errors.New("llm: the endpoint rejected the API key (401)"))
		m := w.Create(nil)
		w.Until("the failure", func() bool { return w.Job(m).Status == mission.RunFailed })
		if !slices.Equal(*tries, planned) {
			t.Errorf("got calls of the writer at %v, want %v", *tries, planned)
		}
		w.Step()
		if n := len(w.Published(m.ID)); n != 1 {
			t.Errorf("got %d published posts of the failed job, want the one that was written", n)
		}
		w.Idle()
		if m := w.Mission(m.ID); m.Counts.Published != 3 {
			t.Errorf("got the counts %+v, want 3 published", m.Counts)
		}
	})
}

// A post that is approved while its job's writing is delayed, or has failed, is
// published.
func TestApprovalsInAnOutage(t *testing.T) {
	for name, err := range map[string]error{"held up": unresponsive(0), "failed": errors.New("llm: the endpoint responded with 404")} {
		t.Run(name, func(t *testing.T) {
			world.Each(t, func(t *testing.T, w *world.World) {
				outage(w, 48*time.Hour, err)
				m := w.Create(world.NeedsApproval)
				w.Until("the fifth attempt", func() bool { _, s := contentStage(w, m); return s.Attempts == 5 && s.Error != nil })
				_, err := w.Missions.ApproveContent(context.Background(), w.Tenant, w.Posts(m.ID)[0].ID, nil)
				w.Must(err)
				w.Step()
				if n := len(w.Published(m.ID)); n != 1 {
					t.Errorf("got %d published posts, want the one that was approved", n)
				}
			})
		})
	}
}

// A reviewer gets an error that the writer is unavailable, and when to retry.
func TestRegeneratingInAnOutage(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(world.NeedsApproval)
		w.Step()
		w.Writer = newChoosy(func(int) error { return unresponsive(2 * time.Minute) })
		_, err := w.Missions.RegenerateContent(context.Background(), w.Tenant, w.Posts(m.ID)[0].ID, "", nil)
		var e *mission.Error
		if !errors.As(err, &e) || e.Code != mission.CodeServiceUnavailable || e.RetryAfter != 120 || strings.Contains(e.Message, "10.0.0.1") {
			t.Errorf("got %+v", err)
		}
	})
}
