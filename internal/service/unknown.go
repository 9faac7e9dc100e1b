package service

import (
	"context"
	"errors"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Times of posts with an unknown outcome.
const (
	// lookupDelay is the time between lookups, once the task's plan has no more.
	lookupDelay = 5 * time.Minute
	// lookupLimit is how long a post is looked up.
	lookupLimit = 48 * time.Hour
)

// RetryPost records that a call failed, and schedules the task again. A post that
// the platform is known not to have taken goes back to scheduled; a post whose
// response never came is unknown until it is looked up. A post that wasn't taken at
// the last attempt fails, and so does one that couldn't be looked up for two days.
//
// If the platform asks for a pause, all the tenant's posts there wait, and the call
// doesn't count as an attempt; nor does one whose credentials it refused. An
// unreachable platform is retried until the window of the post's cycle ends.
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
		delay = renewWait // by then the integration needs to be reconnected
		t.Attempt--
	case e.RetryAfter > 0 && notTaken:
		t.Attempt--
	case notTaken && !more:
		return s.failPost(ctx, t, func(c mission.Content) mission.Failure { return c.Untaken(e.Failure) })
	case !more:
		delay = max(lookupDelay, e.RetryAfter)
	}
	return s.putBackPost(ctx, t, putBack{delay: delay, hold: e.RetryAfter}, func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		switch {
		case notTaken:
			return c.Withdraw(now)
		case c.CalledAt != nil && now.Sub(*c.CalledAt) > lookupLimit:
			return c.Fail(mission.NeverKnown(), now)
		default:
			return c.Unknown(e.Failure, now)
		}
	})
}

// windowLeft returns the time until the window of a post's cycle ends. Errors:
// store.ErrLost if the post was deleted.
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

// RetryLookup schedules the task again of a post with an unknown outcome that
// couldn't be looked up.
func (s *Service) RetryLookup(ctx context.Context, t mission.Task, e mission.PublishError) error {
	e.Outcome = mission.OutcomeUnknown
	return s.RetryPost(ctx, t, e)
}

// RepublishPost schedules a post again that a lookup didn't find on its platform,
// with its task due now. The lookup doesn't count as an attempt.
func (s *Service) RepublishPost(ctx context.Context, t mission.Task) error {
	t.Attempt--
	return s.putBackPost(ctx, t, putBack{looked: true}, mission.Content.Resend)
}

// ResendPost is RepublishPost for a platform that reveals only when the post is
// sent again whether it has it, or, with later, may not show the post yet. A post
// whose mission has completed isn't sent again: it is looked up later, or fails.
func (s *Service) ResendPost(ctx context.Context, t mission.Task, later bool) error {
	t.Attempt--
	return s.putBackPost(ctx, t, putBack{looked: true, blind: true, later: later}, mission.Content.Resend)
}

// putBack is how a post is put back.
type putBack struct {
	delay time.Duration // of its task
	hold  time.Duration // how long its platform is left alone
	// looked reports that a lookup found nothing, blind that the platform may have
	// the post nevertheless, later that a later lookup will find out.
	looked, blind, later bool
}

// putBackPost makes a change that leaves the task's post unsettled, and schedules
// the task again after a delay.
func (s *Service) putBackPost(ctx context.Context, t mission.Task, b putBack, rule func(mission.Content, time.Time) (mission.ContentChange, error)) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		m, c, now, err := s.lockPost(ctx, tx, t)
		if err != nil {
			return err
		}
		if b.blind && m.Status == mission.StatusCompleted {
			rule, b.delay = unsent(b.later), lookupDelay
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
		return s.writePutBack(ctx, tx, m, ch, t, b, now)
	})
}

// unsent returns the change of a post with an unknown outcome that isn't sent again.
func unsent(later bool) func(mission.Content, time.Time) (mission.ContentChange, error) {
	return func(c mission.Content, now time.Time) (mission.ContentChange, error) {
		if later {
			return c.Unknown(mission.Unanswered(), now)
		}
		return c.Fail(mission.NeverKnown(), now)
	}
}

// writePutBack writes the change of a post that was put back, with its fees, and
// settles the post's task.
func (s *Service) writePutBack(ctx context.Context, tx store.Tx, m mission.Mission, ch mission.ContentChange, t mission.Task, b putBack, now time.Time) error {
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

// withdrawn schedules a post's task after a delay, or parks it until the mission
// resumes; if the mission was completed while the post was in flight, it drops the
// post.
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

// drop returns the change of a post whose mission ended before it was sent: it is
// canceled. A post that the platform may have is looked up, if the budget allows it.
func (s *Service) drop(ctx context.Context, tx store.Tx, c mission.Content, now time.Time) (mission.ContentChange, error) {
	if !c.InDoubt {
		return c.Cancel(mission.MissionEnded(), now)
	}
	m, err := tx.LockMission(ctx, c.TenantID, c.MissionID) // as earlier drops left it
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
