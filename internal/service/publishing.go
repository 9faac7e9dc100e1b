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

// PostPlatform returns where the task's post is to be published. Errors:
// store.ErrLost if the post is gone.
func (s *Service) PostPlatform(ctx context.Context, t mission.Task) (mission.Platform, error) {
	c, err := s.db.Content(ctx, t.TenantID, t.Subject)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return "", store.ErrLost
	}
	return c.Platform, err
}

// Call is what is to be done about a post.
type Call struct {
	Content mission.Content
	// Via is the integration that the post goes out through; nil is the sandbox.
	Via *mission.Integration
	// Ready tells that the platform is to be called; else the post was seen to.
	Ready bool
	// InDoubt tells that the next part was sent before, and is first to be looked
	// for.
	InDoubt bool
}

// OpenPost returns the task's post with what is to be done about it: one that was
// already in flight is first to be looked for. One that isn't ready was put back,
// for its slot has moved, or its platform can't be called now. The state is
// committed before the platform is called, so that no call can be forgotten.
// A post whose fee the budget doesn't bear, or whose platform isn't connected,
// has failed. Errors: ErrDone, store.ErrLost.
func (s *Service) OpenPost(ctx context.Context, t mission.Task) (call Call, err error) {
	err = s.post(ctx, t, func(tx store.Tx, m mission.Mission, c mission.Content, now time.Time) error {
		call = Call{Content: c}
		switch c.Status {
		case mission.ContentPublishing, mission.ContentUnknown:
			return s.reopen(ctx, tx, m, &call, t, now)
		case mission.ContentScheduled:
			if m.Status != mission.StatusActive {
				return ErrDone
			}
			return s.prepare(ctx, tx, m, &call, t, now)
		default:
			return ErrDone
		}
	})
	return call, err
}

// reopen takes up a post that is in flight. One whose integration is gone has
// failed: nobody can tell whether it was taken.
func (s *Service) reopen(ctx context.Context, tx store.Tx, m mission.Mission, call *Call, t mission.Task, now time.Time) error {
	c := call.Content
	if c.IntegrationID == "" {
		call.Ready, call.InDoubt = true, true
		return nil
	}
	via, ok, err := tx.IntegrationWith(ctx, c.TenantID, c.Platform)
	if err != nil {
		return err
	}
	if !ok || via.ID != c.IntegrationID {
		return s.abandon(ctx, tx, m, call, t, mission.Disconnected(c.Platform), now)
	}
	switch hold, err := tx.PlatformHold(ctx, c.TenantID, c.Platform); {
	case err != nil:
		return err
	case hold != nil && hold.After(now):
		return tx.ReleaseTask(ctx, t, *hold, now, t.Attempt-1)
	case via.Usable():
		call.Via, call.Ready, call.InDoubt = &via, true, true
		return nil
	case c.CalledAt != nil && now.Sub(*c.CalledAt) > lookupLimit:
		return s.abandon(ctx, tx, m, call, t, mission.NeverKnown(), now)
	}
	return tx.ReleaseTask(ctx, t, now.Add(reconnectPoll), now, t.Attempt-1)
}

// reconnectPoll is how long a post waits for its integration without being woken.
const reconnectPoll = 10 * time.Minute

// abandon fails a post, and answers it so.
func (s *Service) abandon(ctx context.Context, tx store.Tx, m mission.Mission, call *Call, t mission.Task, f mission.Failure, now time.Time) error {
	ch, err := call.Content.Fail(f, now)
	if err != nil {
		return err
	}
	if err := settleFees(ctx, tx, m, &ch.To, false, now); err != nil {
		return err
	}
	call.Content = ch.To
	return s.settled(ctx, tx, m, ch, t, now)
}

// prepare records that the post's platform is about to be called, if its
// time has come, it breaks no exclusion, the platform may be called, and its fee
// is borne.
func (s *Service) prepare(ctx context.Context, tx store.Tx, m mission.Mission, call *Call, t mission.Task, now time.Time) error {
	c := call.Content
	if c.ScheduledAt.After(now) {
		return tx.ReleaseTask(ctx, t, *c.ScheduledAt, now, 0)
	}
	if held, err := s.holdBack(ctx, tx, m, call, t, now); err != nil || held {
		return err
	}
	via, ready, err := s.route(ctx, tx, m, call, t, now)
	if err != nil || !ready {
		return err
	}
	hold, err := tx.PlatformHold(ctx, c.TenantID, c.Platform)
	if err != nil {
		return err
	}
	if hold != nil && hold.After(now) {
		return tx.ReleaseTask(ctx, t, *hold, now, t.Attempt-1)
	}
	id := ""
	if via != nil {
		id = via.ID
	}
	ch, err := c.Publishing(id, now)
	if err != nil {
		return err
	}
	if err := reserveFees(ctx, tx, m, ch.To, now); errors.Is(err, errOverBudget) {
		return s.abandon(ctx, tx, m, call, t, c.Untaken(mission.Overdraft()), now)
	} else if err != nil {
		return err
	}
	call.Content, call.Via, call.Ready = ch.To, via, true
	return tx.ChangeContent(ctx, ch)
}

// route finds the integration that a post goes out through; nil is the sandbox.
// If it isn't ready, the post has been seen to: it failed, waits, or moved to
// a later slot.
func (s *Service) route(ctx context.Context, tx store.Tx, m mission.Mission, call *Call, t mission.Task, now time.Time) (via *mission.Integration, ready bool, err error) {
	c := call.Content
	found, ok, err := tx.IntegrationWith(ctx, c.TenantID, c.Platform)
	if err != nil {
		return nil, false, err
	}
	switch {
	case c.Begun() && c.IntegrationID != found.ID:
		return nil, false, s.abandon(ctx, tx, m, call, t, mission.Disconnected(c.Platform), now)
	case (!ok || found.Status == mission.IntegrationPending) && s.sandbox:
		return nil, true, nil
	case !ok || found.Status == mission.IntegrationPending:
		return nil, false, s.abandon(ctx, tx, m, call, t, mission.NotConnected(c.Platform), now)
	case !found.Usable():
		return nil, false, tx.ReleaseTask(ctx, t, now.Add(reconnectPoll), now, t.Attempt-1)
	case !c.Begun() && found.ConnectedAt.After(*c.ScheduledAt):
		return nil, false, s.catchUp(ctx, tx, m, c, found, t, now)
	}
	return &found, true, nil
}

// catchUp moves the mission's posts whose slots passed while their integration
// wasn't connected to later ones, at the pace of the mission: never in a burst. c
// is one of them.
func (s *Service) catchUp(ctx context.Context, tx store.Tx, m mission.Mission, c mission.Content, via mission.Integration, t mission.Task, now time.Time) error {
	j, err := tx.LockJob(ctx, m.TenantID, c.JobID)
	if err != nil {
		return err
	}
	posts, err := tx.UnsettledContents(ctx, m.ID)
	if err != nil {
		return err
	}
	late := only(posts, func(p mission.Content) bool {
		return p.Platform == c.Platform && p.Status == mission.ContentScheduled && !p.Begun() && p.ScheduledAt.Before(*via.ConnectedAt)
	})
	return s.relocate(ctx, tx, m, j.Brief.Constraints, m.Room(j, len(late), now), posts, late, t, now)
}

// PutOff lets go of a task for a while, without spending an attempt: its peer has
// as many calls under way as it gets.
func (s *Service) PutOff(ctx context.Context, t mission.Task, wait time.Duration) error {
	return s.held(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		return tx.ReleaseTask(ctx, t, now.Add(wait), now, t.Attempt-1)
	})
}

// RecordTaken keeps that the platform took the next part of the task's post, and
// answers the post: it is published after its last part, and still publishing
// before. looked tells that the part was found by a look. It also holds for a
// mission that was paused or ended while the platform was called: what was in
// flight is recorded. A published post is left to be measured.
func (s *Service) RecordTaken(ctx context.Context, t mission.Task, p mission.Publication, looked bool) (c mission.Content, err error) {
	err = s.db.Tx(ctx, func(tx store.Tx) error {
		m, found, now, err := s.lockPost(ctx, tx, t)
		if err != nil {
			return err
		}
		ch, err := found.Took(p, now)
		if err != nil {
			return err
		}
		if looked || ch.To.Status.Settled() {
			if err := settleFees(ctx, tx, m, &ch.To, looked, now); err != nil {
				return err
			}
		}
		c = ch.To
		if c.Status.Settled() {
			return s.settled(ctx, tx, m, ch, t, now)
		}
		if err := tx.ChangeContent(ctx, ch); err != nil || !looked {
			return err
		}
		c, err = s.goOn(ctx, tx, c, t, now)
		return err
	})
	return c, err
}

// goOn reserves anew what the rest of a thread may cost, after a look for one of
// its parts. If the budget doesn't bear it, or the mission has ended, the
// thread has failed.
func (s *Service) goOn(ctx context.Context, tx store.Tx, c mission.Content, t mission.Task, now time.Time) (mission.Content, error) {
	m, err := tx.LockMission(ctx, c.TenantID, c.MissionID)
	if err != nil {
		return c, err
	}
	call := Call{Content: c}
	if m.Status == mission.StatusCompleted {
		return call.Content, s.abandon(ctx, tx, m, &call, t, mission.EndedHalfway(), now)
	}
	err = reserveFees(ctx, tx, m, c, now)
	if errors.Is(err, errOverBudget) {
		err = s.abandon(ctx, tx, m, &call, t, mission.Overdraft(), now)
	}
	return call.Content, err
}

// RecordRefused keeps that the platform will never take the post.
func (s *Service) RecordRefused(ctx context.Context, t mission.Task, f mission.Failure) error {
	return s.failPost(ctx, t, func(mission.Content) mission.Failure { return f })
}

// failPost fails the task's post.
func (s *Service) failPost(ctx context.Context, t mission.Task, why func(c mission.Content) mission.Failure) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		m, c, now, err := s.lockPost(ctx, tx, t)
		if err != nil {
			return err
		}
		ch, err := c.Fail(why(c), now)
		if err != nil {
			return err
		}
		if err := settleFees(ctx, tx, m, &ch.To, false, now); err != nil {
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
