package mission

import (
	"testing"
	"time"
)

// During an outage retries follow the plan, and then run every ten minutes of the
// window, or when the other side allows it, if the window has the time.
func TestOutageDelay(t *testing.T) {
	plan := TaskStageContent.Plan()
	for _, tt := range []struct {
		attempt           int
		retryAfter, left  time.Duration
		want              time.Duration // 0 is none
		withoutAnOutageOK bool
	}{
		{1, 0, day, time.Second, true},
		{4, 0, day, 5 * time.Minute, true},
		{4, 0, -time.Hour, 5 * time.Minute, true},
		{5, 0, day, OutageWait, false},
		{99, 0, OutageWait + 1, OutageWait, false},
		{5, 0, OutageWait, 0, false},
		{5, 0, -time.Hour, 0, false},
		{1, time.Hour, day, time.Hour, true},
		{5, time.Hour, day, time.Hour, false},
		{5, time.Minute, day, OutageWait, false},
		{1, 2 * day, day, day - OutageWait, true},
		{5, 2 * day, day, day - OutageWait, false},
	} {
		d, ok := plan.OutageDelay(tt.attempt, tt.retryAfter, tt.left)
		if ok != (tt.want > 0) || ok && d != tt.want {
			t.Errorf("after attempt %d, with %s left and %s requested: got %s, %t", tt.attempt, tt.left, tt.retryAfter, d, ok)
		}
		if _, ok := plan.Delay(tt.attempt); ok != tt.withoutAnOutageOK {
			t.Errorf("without an outage attempt %d: got another %t", tt.attempt, ok)
		}
	}
}

// Posts wait for the others of their job while these are written, but not while the
// writing is delayed, or after it failed.
func TestJobGathers(t *testing.T) {
	job := func(s StageName, status RunStatus, attempts int) Job {
		return Job{Status: status, CurrentStage: s, Stages: []Stage{{Name: StageContent, Attempts: attempts}}}
	}
	for name, tt := range map[string]struct {
		job  Job
		want bool
	}{
		"planned":       {job(StageStrategy, RunRunning, 0), true},
		"being written": {job(StageContent, RunRunning, 4), true},
		"held up":       {job(StageContent, RunRunning, 5), false},
		"failed":        {job(StageContent, RunFailed, 1), false},
		"published":     {job(StagePublish, RunRunning, 9), false},
	} {
		if got := tt.job.Gathers(); got != tt.want {
			t.Errorf("%s: got %t, want %t", name, got, tt.want)
		}
	}
}
