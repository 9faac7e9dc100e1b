package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

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
func (w *world) outage(until time.Duration, err error) *[]time.Duration {
	tries := &[]time.Duration{}
	w.writer.Writer = plainWriter{fail: func(a mission.Assignment) error {
		if a.Slot.Position != 1 || !a.Slot.At.Before(began.Add(24*time.Hour)) {
			return nil
		}
		at := w.clock.Now().Sub(began)
		*tries = append(*tries, at)
		if at < until {
			return err
		}
		return nil
	}}
	return tries
}

// firstJob returns a mission's first job.
func (w *world) firstJob(m mission.Mission) mission.Job {
	w.t.Helper()
	j, err := w.db.Job(context.Background(), w.tenant.TenantID, *m.PipelineJobID)
	w.must(err)
	return j
}

// planned are the times of a stage's attempts by its plan.
var planned = []time.Duration{0, time.Second, 11 * time.Second, 71 * time.Second, 371 * time.Second}

// During a writer's outage the stage is retried every ten minutes after the planned
// retries. Written posts are published in the meantime, the others afterwards.
func TestOutageIsWaitedFor(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tries := w.outage(2*time.Hour, unresponsive(0))
		m := w.create(nil)
		w.until("the first post", func() bool { return len(w.posts(m.ID)) == 1 })
		if late := w.clock.Now().Sub(began); late > 10*time.Minute {
			t.Errorf("written posts are published after %s", late)
		}
		if j := w.firstJob(m); j.Status != mission.RunRunning || j.CurrentStage != mission.StageContent || j.Stages[2].Error.Code != mission.CodeWriterUnavailable {
			t.Errorf("in the outage got the job %s in %s: %+v", j.Status, j.CurrentStage, j.Stages[2].Error)
		}
		w.idle()
		want := slices.Clone(planned)
		for want[len(want)-1] < 2*time.Hour {
			want = append(want, want[len(want)-1]+10*time.Minute)
		}
		if !slices.Equal(*tries, want) {
			t.Errorf("got calls of the writer at %v, want %v", *tries, want)
		}
		j := w.firstJob(m)
		if m := w.mission(m.ID); j.Status != mission.RunCompleted || j.Written != 2 || m.Counts.Published != 4 || slices.Contains(w.events(m.ID), mission.EventJobFailed) {
			t.Errorf("at the end got the job %s with %d posts; the mission has %+v", j.Status, j.Written, m.Counts)
		}
	})
}

// An outage that outlasts the cycle's window fails the job, with an event; written
// posts are published, and the next cycle has its posts.
func TestOutageOutlastsTheWindow(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tries := w.outage(48*time.Hour, unresponsive(0))
		m := w.create(nil)
		w.idle()
		j := w.firstJob(m)
		if j.Status != mission.RunFailed || j.CompletedAt.After(j.Window.End) || j.CompletedAt.Before(j.Window.End.Add(-10*time.Minute)) {
			t.Errorf("got the job %s at %s", j.Status, j.CompletedAt)
		}
		var data mission.JobFailedData
		events, err := w.db.MissionEvents(context.Background(), w.tenant.TenantID, m.ID, "", 1000)
		w.must(err)
		for _, e := range events {
			if e.Type == mission.EventJobFailed {
				w.must(json.Unmarshal(e.Data.(json.RawMessage), &data))
			}
		}
		if data.FailedStage != mission.StageContent || data.Attempts != len(*tries) || data.Error.Code != mission.CodeWriterUnavailable || strings.Contains(data.Error.Message, "10.0.0.1") {
			t.Errorf("after %d calls got the event %+v", len(*tries), data)
		}
		if m := w.mission(m.ID); m.Counts.Published != 3 || m.Counts.Scheduled != 0 {
			t.Errorf("got the counts %+v, want 3 published", m.Counts)
		}
	})
}

// A writer that requests a long pause gets it, within the window.
func TestOutageNamesItsEnd(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tries := w.outage(time.Hour, unresponsive(3*time.Hour))
		w.create(nil)
		w.idle()
		if want := []time.Duration{0, 3 * time.Hour}; !slices.Equal(*tries, want) {
			t.Errorf("got calls of the writer at %v, want %v", *tries, want)
		}
	})
}

// A permanent error fails the job by its plan; written posts are published all the
// same.
func TestRefusedWritingIsNotWaitedFor(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tries := w.outage(48*time.Hour, errors.New("llm: the endpoint rejected the API key (401)"))
		m := w.create(nil)
		w.until("the failure", func() bool { return w.firstJob(m).Status == mission.RunFailed })
		if !slices.Equal(*tries, planned) {
			t.Errorf("got calls of the writer at %v, want %v", *tries, planned)
		}
		w.step()
		if n := len(w.posts(m.ID)); n != 1 {
			t.Errorf("got %d published posts of the failed job, want the one that was written", n)
		}
		w.idle()
		if m := w.mission(m.ID); m.Counts.Published != 3 {
			t.Errorf("got the counts %+v, want 3 published", m.Counts)
		}
	})
}

// A post that is approved while its job's writing is delayed, or has failed, is
// published.
func TestApprovalsInAnOutage(t *testing.T) {
	for name, err := range map[string]error{"held up": unresponsive(0), "failed": errors.New("llm: the endpoint responded with 404")} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, func(t *testing.T, w *world) {
				w.outage(48*time.Hour, err)
				m := w.create(needsApproval)
				w.until("the fifth attempt", func() bool { _, s := w.contentStage(m); return s.Attempts == 5 && s.Error != nil })
				_, err := w.service.ApproveContent(context.Background(), w.tenant, w.all(m.ID)[0].ID, nil)
				w.must(err)
				w.step()
				if n := len(w.posts(m.ID)); n != 1 {
					t.Errorf("got %d published posts, want the one that was approved", n)
				}
			})
		})
	}
}

// A reviewer gets an error that the writer is unavailable, and when to retry.
func TestRegeneratingInAnOutage(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(needsApproval)
		w.step()
		w.writer.Writer = newChoosy(func(int) error { return unresponsive(2 * time.Minute) })
		_, err := w.service.RegenerateContent(context.Background(), w.tenant, w.all(m.ID)[0].ID, "", nil)
		var e *mission.Error
		if !errors.As(err, &e) || e.Code != mission.CodeServiceUnavailable || e.RetryAfter != 120 || strings.Contains(e.Message, "10.0.0.1") {
			t.Errorf("got %+v", err)
		}
	})
}
