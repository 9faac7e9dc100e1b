package missions

import (
	"context"
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

// FailTask settles a failed attempt: the task runs again after the delay of its
// plan, or fails for good, and so does the job of a stage. An outage is retried
// beyond the plan until the job's window ends. again reports whether the task runs
// again. Errors: ErrDone, store.ErrLost.
func (s *Pipeline) FailTask(ctx context.Context, t mission.Task, b Setback) (again bool, err error) {
	if strings.HasPrefix(string(t.Type), mission.StageTaskPrefix) {
		return s.failStage(ctx, t, b)
	}
	delay, again := t.Type.Plan().Delay(t.Attempt)
	if (t.Type.Publishes() || t.Type == mission.TaskReplyHide) && !again {
		delay, again = mission.LookupWait, true // a failure of ours says nothing about the post, and never settles it
	}
	if t.MissionID == "" {
		return again, s.store.Tx(ctx, func(tx store.Tx) error {
			now := s.clock.Now()
			if again {
				return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
			}
			return tx.FinishTask(ctx, t)
		})
	}
	return again, s.leased(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		if again {
			return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
		}
		return tx.FinishTask(ctx, t)
	})
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
			return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
		}
		return tx.FinishTask(ctx, t)
	})
	return again, err
}

// ReturnTask releases a task of any type that wasn't finished, without counting the
// attempt: the process is about to end, the run took its time, or the database was
// unavailable. It runs again after wait. Errors: store.ErrLost.
func (s *Pipeline) ReturnTask(ctx context.Context, t mission.Task, wait time.Duration) error {
	return s.store.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		return tx.ReleaseTask(ctx, t, mission.Millis(now.Add(wait)), now, t.Attempt-1)
	})
}

// PutOff puts off a task, without counting an attempt: too many calls to its platform, or
// of its tenant, are under way.
func (s *Pipeline) PutOff(ctx context.Context, t mission.Task, wait time.Duration) error {
	return s.leased(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		return tx.ReleaseTask(ctx, t, now.Add(wait), now, t.Attempt-1)
	})
}
