package service

import (
	"context"
	"errors"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Times of posts in doubt.
const (
	// doubtDelay is the wait between looks, once the task's plan has no more.
	doubtDelay = 5 * time.Minute
	// doubtLimit is how long a post is looked for.
	doubtLimit = 48 * time.Hour
)

// RetryPost keeps that a call failed and leaves the task to be run again: a
// post that the platform is known not to have taken goes back to scheduled,
// one whose answer never came is unknown until it is looked for. A post that
// was not taken at the last attempt has failed, and so has one that nobody could
// look for in two days.
//
// A platform that wants to be left alone is, for all the tenant's posts there,
// and the call spent no attempt; nor did one whose credentials it refused. One
// that can't be reached is waited for as long as the window of the post's cycle
// lasts.
func (s *Service) RetryPost(ctx context.Context, t mission.Task, e mission.PublishError) error {
	delay, more := t.Type.Plan().Delay(t.Attempt)
	notTaken := e.Outcome == mission.OutcomeNotTaken
	if notTaken && !more {
		left, err := s.windowLeft(ctx, t)
		if err != nil {
			return err
		}
		delay, more = t.Type.Plan().OutageDelay(t.Attempt, 0, left)
	}
	delay = max(delay, e.RetryAfter)
	switch {
	case e.Unauthorized:
		delay = renewWait // by then the integration waits to be reconnected
		t.Attempt--
	case e.RetryAfter > 0 && notTaken:
		t.Attempt--
	case notTaken && !more:
		return s.failPost(ctx, t, func(c mission.Content) mission.Failure { return c.Untaken(e.Failure) })
	case !more:
		delay = max(doubtDelay, e.RetryAfter)
	}
	return s.putBackPost(ctx, t, putBack{delay: delay, hold: e.RetryAfter}, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		switch {
		case notTaken:
			return c.Withdraw(now)
		case c.CalledAt != nil && now.Sub(*c.CalledAt) > doubtLimit:
			return c.Fail(mission.NeverKnown(), now)
		default:
			return c.Unknown(e.Failure, now)
		}
	})
}

// windowLeft returns what is left of the window of a post's cycle. Errors:
// store.ErrLost where the post is gone.
func (s *Service) windowLeft(ctx context.Context, t mission.Task) (time.Duration, error) {
	c, err := s.db.Content(ctx, t.TenantID, t.Subject)
	if err == nil {
		var j mission.Job
		if j, err = s.db.Job(ctx, t.TenantID, c.JobID); err == nil {
			return j.Window.End.Sub(s.clock.Now()), nil
		}
	}
	if mission.CodeOf(err) == mission.CodeNotFound {
		return 0, store.ErrLost
	}
	return 0, err
}

// PutBackDoubt lets go of a post in doubt that couldn't be looked for.
func (s *Service) PutBackDoubt(ctx context.Context, t mission.Task, e mission.PublishError) error {
	e.Outcome = mission.OutcomeUnknown
	return s.RetryPost(ctx, t, e)
}

// RepublishPost takes back a call that the platform turned out not to have
// taken: the post is scheduled again, and its task runs at once. Looking for the
// post spent no attempt.
func (s *Service) RepublishPost(ctx context.Context, t mission.Task) error {
	t.Attempt--
	return s.putBackPost(ctx, t, putBack{looked: true}, mission.Content.Resend)
}

// ResendPost is RepublishPost where the platform tells whether it has the post
// only when it is sent again, or later: where it may not show it yet. Where it may
// not be sent any more, it is looked for later, or has failed.
func (s *Service) ResendPost(ctx context.Context, t mission.Task, later bool) error {
	t.Attempt--
	return s.putBackPost(ctx, t, putBack{looked: true, blind: true, later: later}, mission.Content.Resend)
}

// putBack is how a post is put back.
type putBack struct {
	delay time.Duration // of its task
	hold  time.Duration // how long its platform is left alone
	// looked tells that a look was answered and found nothing, blind that this
	// doesn't tell that there is nothing, later that it will.
	looked, blind, later bool
}

// putBackPost makes a change that leaves the task's post unsettled, and the
// task to be run again after a delay.
func (s *Service) putBackPost(ctx context.Context, t mission.Task, b putBack, rule func(mission.Content, time.Time) (mission.ContentChange, error)) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		m, c, now, err := s.lockPost(ctx, tx, t)
		if err != nil {
			return err
		}
		if b.blind && m.Status == mission.StatusCompleted {
			rule, b.delay = unsent(b.later), doubtDelay
		}
		ch, err := rule(c, now)
		if err != nil {
			return err
		}
		if b.hold > 0 {
			if err := tx.HoldPlatform(ctx, c.TenantID, c.Platform, now.Add(b.hold)); err != nil {
				return err
			}
		}
		return s.leave(ctx, tx, m, ch, t, b, now)
	})
}

// unsent is what becomes of a post in doubt that isn't sent again.
func unsent(later bool) func(mission.Content, time.Time) (mission.ContentChange, error) {
	return func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		if later {
			return c.Unknown(mission.Unanswered(), now)
		}
		return c.Fail(mission.NeverKnown(), now)
	}
}

// leave writes a change of a post that was put back, and what is to be done
// about it.
func (s *Service) leave(ctx context.Context, tx store.Tx, m mission.Mission, ch mission.ContentChange, t mission.Task, b putBack, now time.Time) error {
	if ch.To.Status != mission.ContentUnknown {
		if err := settleFees(ctx, tx, m, &ch.To, b.looked, now); err != nil {
			return err
		}
	}
	if ch.To.Status.Settled() {
		return s.settled(ctx, tx, m, ch, t, now)
	}
	if err := tx.ChangeContent(ctx, ch); err != nil {
		return err
	}
	if ch.To.Status == mission.ContentUnknown {
		return tx.ReleaseTask(ctx, t, now.Add(b.delay), now, t.Attempt)
	}
	return s.withdrawn(ctx, tx, m, ch.To, t, b, now)
}

// withdrawn leaves a post to be published again after a delay, or when its
// mission resumes; where that was completed while the post was in flight, it is
// dropped.
func (s *Service) withdrawn(ctx context.Context, tx store.Tx, m mission.Mission, c mission.Content, t mission.Task, b putBack, now time.Time) error {
	switch m.Status {
	case mission.StatusPaused:
		return tx.ParkTask(ctx, t)
	case mission.StatusCompleted:
		c.InDoubt = c.InDoubt && !b.looked
		ch, err := s.drop(ctx, tx, c, now)
		if err != nil {
			return err
		}
		if ch.To.Status.Settled() {
			return s.settled(ctx, tx, m, ch, t, now)
		}
		if err := tx.ChangeContent(ctx, ch); err != nil {
			return err
		}
	default:
	}
	return tx.ReleaseTask(ctx, t, now.Add(b.delay), now, t.Attempt)
}

// drop is what becomes of a post whose mission has ended before it was sent. One
// that the platform may have is looked for, where the budget bears that.
func (s *Service) drop(ctx context.Context, tx store.Tx, c mission.Content, now time.Time) (mission.ContentChange, error) {
	if !c.InDoubt {
		return c.Cancel(mission.MissionEnded(), now)
	}
	m, err := tx.LockMission(ctx, c.TenantID, c.MissionID) // as it is after the drops before
	if err != nil {
		return mission.ContentChange{}, err
	}
	if err := reserveFees(ctx, tx, m, c, now); errors.Is(err, errOverBudget) {
		return c.Fail(mission.NeverKnown(), now)
	} else if err != nil {
		return mission.ContentChange{}, err
	}
	return c.LookAgain(now)
}
