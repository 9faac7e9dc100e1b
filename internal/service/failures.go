package service

import (
	"context"
	"strings"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Setback is why an attempt failed.
type Setback struct {
	// Failure is what the tenant is told.
	Failure mission.Failure
	// Outage reports that somebody outside didn't answer, who wants to be left
	// alone for RetryAfter, in domain time; 0 where it doesn't say.
	Outage     bool
	RetryAfter time.Duration
}

// FailTask settles an attempt that failed: the task runs again after its
// plan's delay, or has failed for good, which fails a stage's job. An outage is
// waited for beyond the plan, as long as the job's window lasts.
// It returns whether the task runs again. Errors: ErrDone, store.ErrLost.
func (s *Service) FailTask(ctx context.Context, t mission.Task, b Setback) (again bool, err error) {
	if strings.HasPrefix(string(t.Type), mission.StageTaskPrefix) {
		return s.failStage(ctx, t, b)
	}
	delay, again := t.Type.Plan().Delay(t.Attempt)
	if t.Type == mission.TaskContentPublish && !again {
		delay, again = doubtDelay, true // a post is settled by what is known of it, never by our failures
	}
	if t.MissionID == "" {
		return again, s.db.Tx(ctx, func(tx store.Tx) error {
			now := s.clock.Now()
			if again {
				return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
			}
			return tx.FinishTask(ctx, t)
		})
	}
	return again, s.held(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		if again {
			return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
		}
		return tx.FinishTask(ctx, t)
	})
}

// failStage settles a stage's attempt that failed. Posts that are written go out
// where the others aren't to come soon.
func (s *Service) failStage(ctx context.Context, t mission.Task, b Setback) (again bool, err error) {
	err = s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		delay, more := t.Type.Plan().Delay(t.Attempt)
		if b.Outage {
			delay, more = t.Type.Plan().OutageDelay(t.Attempt, b.RetryAfter, j.Window.End.Sub(now))
		}
		again = more
		ch := j.Fail(b.Failure, t.Attempt, now)
		if again {
			ch = j.Retry(b.Failure, t.Attempt, now)
		} else if err := tx.SettleLost(ctx, j.MissionID, mission.SpendWriting, placesOf(j), now); err != nil {
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

// ReturnTask lets go of a task that wasn't finished, without spending its
// attempt: the process is about to end, or the run took long enough.
func (s *Service) ReturnTask(ctx context.Context, t mission.Task) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		return tx.ReleaseTask(ctx, t, now, now, t.Attempt-1)
	})
}
