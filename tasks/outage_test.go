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

// unanswering is the failure of a writer that doesn't respond.
func unanswering(retryAfter time.Duration) error {
	return &mission.OutageError{
		Failure:    mission.Failure{Code: mission.CodeWriterUnavailable, Message: "The language model doesn't respond."},
		RetryAfter: retryAfter, Err: errors.New("connection refused by 10.0.0.1"),
	}
}

// outage has the world's writer not answer for the second post of the first day
// until a time after the beginning. It returns the times of the calls.
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

// firstJob returns the job that a mission began with.
func (w *world) firstJob(m mission.Mission) mission.Job {
	w.t.Helper()
	j, err := w.db.Job(context.Background(), w.tenant.TenantID, *m.PipelineJobID)
	w.must(err)
	return j
}

// planned are when a stage's attempts begin by its plan.
var planned = []time.Duration{0, time.Second, 11 * time.Second, 71 * time.Second, 371 * time.Second}

// A writer's outage is waited for: each ten minutes once the plan is used up.
// What is written goes out meanwhile, the rest afterwards.
func TestOutageIsWaitedFor(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tries := w.outage(2*time.Hour, unanswering(0))
		m := w.create(nil)
		w.until("the first post", func() bool { return len(w.posts(m.ID)) == 1 })
		if late := w.clock.Now().Sub(began); late > 10*time.Minute {
			t.Errorf("what is written goes out after %s", late)
		}
		if j := w.firstJob(m); j.Status != mission.RunRunning || j.CurrentStage != mission.StageContent || j.Stages[2].Error.Code != mission.CodeWriterUnavailable {
			t.Errorf("in the outage the job is %s in %s: %+v", j.Status, j.CurrentStage, j.Stages[2].Error)
		}
		w.idle()
		want := slices.Clone(planned)
		for want[len(want)-1] < 2*time.Hour {
			want = append(want, want[len(want)-1]+10*time.Minute)
		}
		if !slices.Equal(*tries, want) {
			t.Errorf("the writer is called at %v, want %v", *tries, want)
		}
		j := w.firstJob(m)
		if m := w.mission(m.ID); j.Status != mission.RunCompleted || j.Written != 2 || m.Counts.Published != 4 || slices.Contains(w.events(m.ID), mission.EventJobFailed) {
			t.Errorf("in the end the job is %s with %d posts; the mission has %+v", j.Status, j.Written, m.Counts)
		}
	})
}

// An outage that outlasts the cycle's window fails the job, which tells of it;
// what is written is published, and the next cycle has its posts.
func TestOutageOutlastsTheWindow(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tries := w.outage(48*time.Hour, unanswering(0))
		m := w.create(nil)
		w.idle()
		j := w.firstJob(m)
		if j.Status != mission.RunFailed || j.CompletedAt.After(j.Window.End) || j.CompletedAt.Before(j.Window.End.Add(-10*time.Minute)) {
			t.Errorf("the job is %s at %s", j.Status, j.CompletedAt)
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
			t.Errorf("after %d calls the event says %+v", len(*tries), data)
		}
		if m := w.mission(m.ID); m.Counts.Published != 3 || m.Counts.Scheduled != 0 {
			t.Errorf("the mission has %+v, want 3 published", m.Counts)
		}
	})
}

// A writer that wants to be left alone for long is, within the window.
func TestOutageNamesItsEnd(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tries := w.outage(time.Hour, unanswering(3*time.Hour))
		w.create(nil)
		w.idle()
		if want := []time.Duration{0, 3 * time.Hour}; !slices.Equal(*tries, want) {
			t.Errorf("the writer is called at %v, want %v", *tries, want)
		}
	})
}

// What no waiting mends fails the job by its plan; what is written is published
// all the same.
func TestRefusedWritingIsNotWaitedFor(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tries := w.outage(48*time.Hour, errors.New("llm: the endpoint rejected the API key (401)"))
		m := w.create(nil)
		w.until("the failure", func() bool { return w.firstJob(m).Status == mission.RunFailed })
		if !slices.Equal(*tries, planned) {
			t.Errorf("the writer is called at %v, want %v", *tries, planned)
		}
		w.step()
		if n := len(w.posts(m.ID)); n != 1 {
			t.Errorf("%d posts of the failed job are published, want the one that was written", n)
		}
		w.idle()
		if m := w.mission(m.ID); m.Counts.Published != 3 {
			t.Errorf("the mission has %+v, want 3 published", m.Counts)
		}
	})
}

// A post that is approved while its job's writing is held up, or has failed, goes
// out.
func TestApprovalsInAnOutage(t *testing.T) {
	for name, err := range map[string]error{"held up": unanswering(0), "failed": errors.New("llm: the endpoint responded with 404")} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, func(t *testing.T, w *world) {
				w.outage(48*time.Hour, err)
				m := w.create(needsApproval)
				w.until("the fifth attempt", func() bool { _, s := w.contentStage(m); return s.Attempts == 5 && s.Error != nil })
				_, err := w.service.ApproveContent(context.Background(), w.tenant, w.all(m.ID)[0].ID, nil)
				w.must(err)
				w.step()
				if n := len(w.posts(m.ID)); n != 1 {
					t.Errorf("%d posts are published, want the one that was approved", n)
				}
			})
		})
	}
}

// A reviewer learns that the writer is unavailable, and when to retry.
func TestRegeneratingInAnOutage(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		m := w.create(needsApproval)
		w.step()
		w.writer.Writer = newChoosy(func(int) error { return unanswering(2 * time.Minute) })
		_, err := w.service.RegenerateContent(context.Background(), w.tenant, w.all(m.ID)[0].ID, "")
		var e *mission.Error
		if !errors.As(err, &e) || e.Code != mission.CodeServiceUnavailable || e.RetryAfter != 120 || strings.Contains(e.Message, "10.0.0.1") {
			t.Errorf("it answers %+v", err)
		}
	})
}
