package missions

import (
	"context"
	"errors"
	"strings"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Setback is why an attempt failed.
type Setback struct {
	// Failure is the failure that the tenant sees.
	Failure mission.Failure
	// Outage reports whether an external service was unavailable. RetryAfter is the
	// pause that it requested, in domain time; 0 for none.
	Outage     bool
	RetryAfter time.Duration
}

// Trouble returns what of the service's own failed: "" if something outside did.
func (b Setback) Trouble() mission.Trouble {
	if b.Outage || b.Failure != mission.InternalFailure() {
		return ""
	}
	return mission.TroubleInternal
}

// FailTask settles a failed attempt: the task runs again after the delay of its
// plan, or fails for good, and so does the job of a stage. An outage is retried
// beyond the plan until the job's window ends. again reports whether the task runs
// again. Errors: ErrDone, store.ErrLost.
func (s *Pipeline) FailTask(ctx context.Context, t mission.Task, b Setback) (again bool, err error) {
	if strings.HasPrefix(string(t.Type), mission.StageTaskPrefix) {
		return s.failStage(ctx, t, b)
	}
	delay, again := t.Type.Plan().Delay(t.Attempt)
	settle := func(tx store.Tx, _ mission.Mission, now time.Time) error {
		if again {
			return tx.ReleaseTroubled(ctx, t, b.Trouble(), now.Add(delay), now, t.Attempt)
		}
		return tx.FinishTask(ctx, t)
	}
	if t.MissionID == "" {
		return again, s.store.Tx(ctx, func(tx store.Tx) error { return settle(tx, mission.Mission{}, s.clock.Now()) })
	}
	return again, s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) (err error) {
		if !again && (t.Type.Publishes() || t.Type == mission.TaskReplyHide) { // a failure of ours says nothing about the post
			delay = mission.LookupWait
			if again, err = s.waitsOn(ctx, tx, m, t, b, now); err != nil || !again {
				return err
			}
		}
		return settle(tx, m, now)
	})
}

// waitsOn settles what a task has to send whose attempts are used up by failures of ours, if its time is over. It reports
// whether the task goes on.
func (s *Pipeline) waitsOn(ctx context.Context, tx store.Tx, m mission.Mission, t mission.Task, b Setback, now time.Time) (bool, error) {
	since := t.TroubledSince(b.Trouble(), now)
	if t.Type == mission.TaskReplyHide {
		if !t.TroubleLasts(b.Trouble(), now) {
			return true, nil
		}
		r, _, err := lockReply(ctx, tx, t)
		if err != nil {
			return false, err
		}
		return false, errors.Join(tx.ChangeReply(ctx, r.Concealed(&b.Failure, now)), tx.FinishTask(ctx, t))
	}
	p, err := subjectOf(ctx, tx, m, t, now)
	if err != nil {
		return false, err
	}
	j, err := jobOf(ctx, tx, m, p.Content)
	if err != nil || now.Before(p.TroubleEnds(since, j.Window.End)) {
		return true, err
	}
	if p.Settled() {
		return false, tx.FinishTask(ctx, t)
	}
	return false, s.abandon(ctx, p, p.TroubleOver(b.Failure))
}

// failStage settles a failed attempt of a stage. Posts that are written are
// scheduled if the others won't be written soon.
func (s *Pipeline) failStage(ctx context.Context, t mission.Task, b Setback) (again bool, err error) {
	err = s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		delay, more := t.Type.Plan().Delay(t.Attempt)
		if b.Outage {
			delay, more = t.Type.Plan().OutageDelay(t.Attempt, b.RetryAfter, j.Window.End.Sub(now))
		}
		again = more
		ch := j.Fail(b.Failure, t.Attempt, now)
		if again {
			ch = j.Retry(b.Failure, t.Attempt, now)
		} else if err := tx.SettleLost(ctx, j.MissionID, mission.SpendWriting, slotSubjects(j), now); err != nil {
			return err
		}
		if err := tx.ChangeJob(ctx, ch); err != nil {
			return err
		}
		if j.CurrentStage == mission.StageContent && !ch.To.Gathers() {
			if err := s.schedule(ctx, tx, m, ch.To, now); err != nil {
				return err
			}
		}
		if again {
			return tx.ReleaseTroubled(ctx, t, b.Trouble(), now.Add(delay), now, t.Attempt)
		}
		return tx.FinishTask(ctx, t)
	})
	return again, err
}

// ReturnTask releases a task of any type that wasn't finished, without counting the
// attempt: the process is about to end, or trouble of the service's own, by, kept it from being done; "" is none.
// It runs again after wait. Errors: store.ErrLost.
func (s *Pipeline) ReturnTask(ctx context.Context, t mission.Task, by mission.Trouble, wait time.Duration) error {
	return s.store.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		return tx.ReleaseTroubled(ctx, t, by, mission.Millis(now.Add(wait)), now, t.Attempt-1)
	})
}

// PutOff puts off a task, without counting an attempt: too many calls to its platform, or
// of its tenant, are under way.
func (s *Pipeline) PutOff(ctx context.Context, t mission.Task, wait time.Duration) error {
	return s.leased(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		return tx.ReleaseTroubled(ctx, t, t.Trouble, now.Add(wait), now, t.Attempt-1)
	})
}
