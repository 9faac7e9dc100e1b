package service

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// post runs fn in a transaction that holds t and locks its post.
func (s *Service) post(ctx context.Context, t mission.Task, fn func(tx store.Tx, m mission.Mission, c mission.Content, now time.Time) error) error {
	return s.held(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		c, err := tx.LockContent(ctx, t.TenantID, t.Subject)
		if err != nil {
			return err
		}
		return fn(tx, m, c, now)
	})
}

// OpenPost answers the task's post with what is to be done about it: a post
// that is publishing after this is to be published, one that was already in
// flight is first to be looked for (inDoubt), and one that is still scheduled
// was put back, for its slot has moved. The state is committed before the
// platform is called, so that no call can be forgotten.
// Errors: ErrDone, store.ErrLost.
func (s *Service) OpenPost(ctx context.Context, t mission.Task) (c mission.Content, inDoubt bool, err error) {
	err = s.post(ctx, t, func(tx store.Tx, m mission.Mission, found mission.Content, now time.Time) error {
		c = found
		switch c.Status {
		case mission.ContentPublishing, mission.ContentUnknown:
			inDoubt = true
			return nil
		case mission.ContentScheduled:
			inDoubt = false
			if m.Status != mission.StatusActive {
				return ErrDone
			}
			if c.ScheduledAt.After(now) {
				return tx.ReleaseTask(ctx, t, *c.ScheduledAt, now, 0)
			}
			ch, err := c.Publishing(now)
			if err != nil {
				return err
			}
			c = ch.To
			return tx.ChangeContent(ctx, ch)
		default:
			return ErrDone
		}
	})
	return c, inDoubt, err
}

// RecordPublished keeps the platform's answer. It also holds for a mission
// that was paused or ended while the platform was called: what was in flight
// is recorded.
func (s *Service) RecordPublished(ctx context.Context, t mission.Task, p mission.Publication) error {
	return s.settlePost(ctx, t, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		return c.Published(p, now)
	})
}

// RecordRefused keeps that the platform will never take the post.
func (s *Service) RecordRefused(ctx context.Context, t mission.Task, f mission.Failure) error {
	return s.settlePost(ctx, t, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		return c.Fail(f, now)
	})
}

// settlePost makes a change that settles the task's post, and with it the
// task and perhaps the job's publish stage.
func (s *Service) settlePost(ctx context.Context, t mission.Task, rule func(mission.Content, time.Time) (mission.ContentChange, error)) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		m, c, now, err := s.lockPost(ctx, tx, t)
		if err != nil {
			return err
		}
		ch, err := rule(c, now)
		if err != nil {
			return err
		}
		return s.settled(ctx, tx, m, ch, t, now)
	})
}

// settled writes a change that settles a held task's post.
func (s *Service) settled(ctx context.Context, tx store.Tx, m mission.Mission, ch mission.ContentChange, t mission.Task, now time.Time) error {
	if err := tx.ChangeContent(ctx, ch); err != nil {
		return err
	}
	if err := s.finishPublish(ctx, tx, m, ch.To.JobID, now); err != nil {
		return err
	}
	return tx.FinishTask(ctx, t)
}

// lockPost locks a held task's mission and post, whatever the mission's state.
func (s *Service) lockPost(ctx context.Context, tx store.Tx, t mission.Task) (m mission.Mission, c mission.Content, now time.Time, err error) {
	now = s.clock.Now()
	if m, err = tx.LockMission(ctx, t.TenantID, t.MissionID); err != nil {
		return m, c, now, err
	}
	if err = tx.HoldTask(ctx, t); err != nil {
		return m, c, now, err
	}
	c, err = tx.LockContent(ctx, t.TenantID, t.Subject)
	return m, c, now, err
}

// doubtDelay is the wait between looks for a post in doubt, once its task's
// plan has no more.
const doubtDelay = 5 * time.Minute

// RetryPost keeps that a call failed and leaves the task to be run again: a
// post that the platform is known not to have taken goes back to scheduled,
// one whose answer never came is unknown until it is looked for. A post that
// was not taken at the last attempt has failed.
func (s *Service) RetryPost(ctx context.Context, t mission.Task, o mission.Outcome, f mission.Failure) error {
	delay, more := t.Type.Plan().Delay(t.Attempt)
	if o == mission.OutcomeNotTaken && !more {
		return s.RecordRefused(ctx, t, f)
	}
	if !more {
		delay = doubtDelay // a post in doubt is looked for until it is known
	}
	return s.putBackPost(ctx, t, delay, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		if o == mission.OutcomeNotTaken {
			return c.Withdraw(now)
		}
		return c.Unknown(f, now)
	})
}

// putBackPost makes a change that leaves the task's post unsettled, and the
// task to be run again after a delay.
func (s *Service) putBackPost(ctx context.Context, t mission.Task, delay time.Duration, rule func(mission.Content, time.Time) (mission.ContentChange, error)) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		m, c, now, err := s.lockPost(ctx, tx, t)
		if err != nil {
			return err
		}
		ch, err := rule(c, now)
		if err != nil {
			return err
		}
		if err := tx.ChangeContent(ctx, ch); err != nil {
			return err
		}
		if m.Status == mission.StatusPaused && ch.To.Status == mission.ContentScheduled {
			return tx.ParkTask(ctx, t)
		}
		if m.Status == mission.StatusCompleted && ch.To.Status == mission.ContentScheduled {
			// The mission was completed while the post was in flight.
			if ch, err = ch.To.Cancel(now); err != nil {
				return err
			}
			return s.settled(ctx, tx, m, ch, t, now)
		}
		return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
	})
}

// RepublishPost takes back a call that the platform turned out not to have
// taken: the post is scheduled again, and its task runs at once. Looking for the
// post spent no attempt.
func (s *Service) RepublishPost(ctx context.Context, t mission.Task) error {
	t.Attempt--
	return s.putBackPost(ctx, t, 0, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		return c.Withdraw(now)
	})
}
