package service

import (
	"context"
	"strings"
	"time"

	"missiond/mission"
	"missiond/store"
)

// FailTask settles an attempt that failed: the task runs again after its
// plan's delay, or has failed for good, which fails a stage's job.
// It answers whether it runs again. Errors: ErrDone, store.ErrLost.
func (s *Service) FailTask(ctx context.Context, t mission.Task, f mission.Failure) (again bool, err error) {
	delay, again := t.Type.Plan().Delay(t.Attempt)
	if t.Type == mission.TaskContentPublish && !again {
		delay, again = doubtDelay, true // a post is settled by what is known of it, never by our failures
	}
	if strings.HasPrefix(string(t.Type), mission.StageTaskPrefix) {
		return again, s.failStage(ctx, t, f, delay, again)
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

func (s *Service) failStage(ctx context.Context, t mission.Task, f mission.Failure, delay time.Duration, again bool) error {
	return s.stage(ctx, t, func(tx store.Tx, _ mission.Mission, j mission.Job, now time.Time) error {
		if again {
			if err := tx.ChangeJob(ctx, j.Retry(f, t.Attempt, now)); err != nil {
				return err
			}
			return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
		}
		if err := tx.SettleLost(ctx, j.MissionID, mission.SpendWriting, placesOf(j), now); err != nil {
			return err
		}
		if err := tx.ChangeJob(ctx, j.Fail(f, t.Attempt, now)); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// ReturnTask lets go of a task that wasn't finished, without spending its
// attempt: the process is about to end, or the run took long enough.
func (s *Service) ReturnTask(ctx context.Context, t mission.Task) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		return tx.ReleaseTask(ctx, t, now, now, t.Attempt-1)
	})
}
