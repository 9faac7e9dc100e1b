package service

import (
	"context"
	"errors"
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

// PostPlatform answers where the task's post is to be published. Errors:
// store.ErrLost where the post is gone.
func (s *Service) PostPlatform(ctx context.Context, t mission.Task) (mission.Platform, error) {
	c, err := s.db.Content(ctx, t.TenantID, t.Subject)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return "", store.ErrLost
	}
	return c.Platform, err
}

// OpenPost answers the task's post with what is to be done about it: a post
// that is publishing after this is to be published, one that was already in
// flight is first to be looked for (inDoubt), and one that is still scheduled
// was put back, for its slot has moved. The state is committed before the
// platform is called, so that no call can be forgotten.
// A post whose platform wants to be left alone is put back until then; one
// whose fee the budget doesn't bear has failed. Errors: ErrDone, store.ErrLost.
func (s *Service) OpenPost(ctx context.Context, t mission.Task, fee func(mission.Content) mission.Micros) (c mission.Content, inDoubt bool, err error) {
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
			c, err = s.prepare(ctx, tx, m, c, t, fee(c), now)
			return err
		default:
			return ErrDone
		}
	})
	return c, inDoubt, err
}

// prepare records that the post's platform is about to be called, where its
// time has come, the platform may be called, and its fee is borne.
func (s *Service) prepare(ctx context.Context, tx store.Tx, m mission.Mission, c mission.Content, t mission.Task, fee mission.Micros, now time.Time) (mission.Content, error) {
	if c.ScheduledAt.After(now) {
		return c, tx.ReleaseTask(ctx, t, *c.ScheduledAt, now, 0)
	}
	hold, err := tx.PlatformHold(ctx, c.TenantID, c.Platform)
	if err != nil {
		return c, err
	}
	if hold != nil && hold.After(now) {
		return c, tx.ReleaseTask(ctx, t, *hold, now, t.Attempt-1)
	}
	if fee > 0 {
		err := reserve(ctx, tx, m, c.JobID, mission.SpendPublishing, c.ID, fee, now)
		if errors.Is(err, errOverBudget) {
			ch, err := c.Fail(mission.Overdraft(), now)
			if err != nil {
				return c, err
			}
			return ch.To, s.settled(ctx, tx, m, ch, t, now)
		}
		if err != nil {
			return c, err
		}
	}
	ch, err := c.Publishing(now)
	if err != nil {
		return c, err
	}
	return ch.To, tx.ChangeContent(ctx, ch)
}

// PutOffPost lets go of a post's task for a while, without spending an attempt:
// its platform has as many calls under way as it gets.
func (s *Service) PutOffPost(ctx context.Context, t mission.Task, wait time.Duration) error {
	return s.held(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		return tx.ReleaseTask(ctx, t, now.Add(wait), now, t.Attempt-1)
	})
}

// RecordPublished keeps the platform's answer. It also holds for a mission
// that was paused or ended while the platform was called: what was in flight
// is recorded. The post is left to be measured.
func (s *Service) RecordPublished(ctx context.Context, t mission.Task, p mission.Publication, fee func(mission.Content) mission.Micros) error {
	return s.settlePost(ctx, t, fee, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		ch, err := c.Published(p, now)
		ch.To.Cost += fee(c)
		return ch, err
	})
}

// noFee is what a post costs that the platform didn't take.
func noFee(mission.Content) mission.Micros { return 0 }

// RecordRefused keeps that the platform will never take the post.
func (s *Service) RecordRefused(ctx context.Context, t mission.Task, f mission.Failure) error {
	return s.settlePost(ctx, t, noFee, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		return c.Fail(f, now)
	})
}

// settlePost makes a change that settles the task's post, its fee, and with it
// the task and perhaps the job's publish stage.
func (s *Service) settlePost(ctx context.Context, t mission.Task, fee func(mission.Content) mission.Micros, rule func(mission.Content, time.Time) (mission.ContentChange, error)) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		m, c, now, err := s.lockPost(ctx, tx, t)
		if err != nil {
			return err
		}
		ch, err := rule(c, now)
		if err != nil {
			return err
		}
		if err := settleFee(ctx, tx, m, c, fee(c), now); err != nil {
			return err
		}
		return s.settled(ctx, tx, m, ch, t, now)
	})
}

// settleFee records what a post's publication cost, where money is reserved.
func settleFee(ctx context.Context, tx store.Tx, m mission.Mission, c mission.Content, fee mission.Micros, now time.Time) error {
	if m.Reserved == 0 {
		return nil
	}
	return tx.Settle(ctx, m.ID, mission.SpendPublishing, c.ID, fee, now)
}

// settled writes a change that settles a held task's post.
func (s *Service) settled(ctx context.Context, tx store.Tx, m mission.Mission, ch mission.ContentChange, t mission.Task, now time.Time) error {
	if err := tx.ChangeContent(ctx, ch); err != nil {
		return err
	}
	if at := ch.To.MeasureAt; at != nil {
		if err := tx.MeasureBy(ctx, m, *at, now); err != nil {
			return err
		}
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
//
// A platform that wants to be left alone is, for all the tenant's posts there,
// and the call spent no attempt.
func (s *Service) RetryPost(ctx context.Context, t mission.Task, e mission.PublishError) error {
	delay, more := t.Type.Plan().Delay(t.Attempt)
	notTaken := e.Outcome == mission.OutcomeNotTaken
	switch {
	case e.RetryAfter > 0 && notTaken:
		delay = e.RetryAfter
		t.Attempt--
	case notTaken && !more:
		return s.RecordRefused(ctx, t, e.Failure)
	case !more:
		delay = doubtDelay // a post in doubt is looked for until it is known
	}
	return s.putBackPost(ctx, t, delay, e.RetryAfter, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		if notTaken {
			return c.Withdraw(now)
		}
		return c.Unknown(e.Failure, now)
	})
}

// putBackPost makes a change that leaves the task's post unsettled, and the
// task to be run again after a delay; hold is how long its platform is left
// alone.
func (s *Service) putBackPost(ctx context.Context, t mission.Task, delay, hold time.Duration, rule func(mission.Content, time.Time) (mission.ContentChange, error)) error {
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
		if hold > 0 {
			if err := tx.HoldPlatform(ctx, c.TenantID, c.Platform, now.Add(hold)); err != nil {
				return err
			}
		}
		if ch.To.Status == mission.ContentScheduled {
			return s.withdrawn(ctx, tx, m, ch.To, t, delay, now)
		}
		return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
	})
}

// withdrawn leaves a post to be published again after a delay, or when its
// mission resumes; where that was completed while the post was in flight, it is
// canceled. Its fee is free again.
func (s *Service) withdrawn(ctx context.Context, tx store.Tx, m mission.Mission, c mission.Content, t mission.Task, delay time.Duration, now time.Time) error {
	if err := settleFee(ctx, tx, m, c, 0, now); err != nil {
		return err
	}
	switch m.Status {
	case mission.StatusPaused:
		return tx.ParkTask(ctx, t)
	case mission.StatusCompleted:
		ch, err := c.Cancel(now)
		if err != nil {
			return err
		}
		return s.settled(ctx, tx, m, ch, t, now)
	default:
		return tx.ReleaseTask(ctx, t, now.Add(delay), now, t.Attempt)
	}
}

// RepublishPost takes back a call that the platform turned out not to have
// taken: the post is scheduled again, and its task runs at once. Looking for the
// post spent no attempt.
func (s *Service) RepublishPost(ctx context.Context, t mission.Task) error {
	t.Attempt--
	return s.putBackPost(ctx, t, 0, 0, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		return c.Withdraw(now)
	})
}
