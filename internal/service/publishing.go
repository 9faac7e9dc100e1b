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

// PostPlatform returns the platform of the task's post. Errors: store.ErrLost if the
// post was deleted.
func (s *Service) PostPlatform(ctx context.Context, t mission.Task) (mission.Platform, error) {
	c, err := s.db.Content(ctx, t.TenantID, t.Subject)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return "", store.ErrLost
	}
	return c.Platform, err
}

// Call is the next step for a post.
type Call struct {
	Content mission.Content
	// Via is the integration that publishes the post; nil is the sandbox.
	Via *mission.Integration
	// Ready reports whether the platform is to be called; if not, the post and its
	// task are settled or put back already.
	Ready bool
	// InDoubt reports whether the next part was sent before, and has to be looked up
	// first.
	InDoubt bool
}

// OpenPost returns the next step for the task's post. A post that was already in flight
// has to be looked up first. A post that isn't ready was put back, since its slot has
// moved or its platform can't be called now. The state is committed before the platform
// is called, so that no call is forgotten. A post fails if the budget can't pay its fee,
// or its platform isn't connected. Errors: ErrDone, store.ErrLost.
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

// reopen resumes a post that is in flight. If its integration was deleted it fails,
// since it can't be found out whether the platform took it.
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

// reconnectPoll is how often a post checks whether its integration is usable again.
const reconnectPoll = 10 * time.Minute

// abandon fails a post and settles its task; call.Content is the failed post.
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

// prepare records that the post's platform is about to be called, if the post is due and
// violates no exclusion, the platform may be called, and the budget can pay the fee.
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

// route returns the integration that publishes a post; nil is the sandbox. If ready is
// false, the post has failed, waits, or has moved to a later slot, and its task is
// settled.
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

// catchUp moves the mission's posts whose slots passed while their integration wasn't
// connected to later slots, at the pace of the mission and never in a burst. c is one of
// them.
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

// PutOff puts off a task, without counting an attempt: too many calls to its platform, or
// of its tenant, are under way.
func (s *Service) PutOff(ctx context.Context, t mission.Task, wait time.Duration) error {
	return s.held(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		return tx.ReleaseTask(ctx, t, now.Add(wait), now, t.Attempt-1)
	})
}

// RecordTaken records that the platform took the next part of the task's post, and
// returns the post: published after its last part, still publishing before. looked
// reports whether a lookup found the part. It works for missions too that were paused or
// ended during the call. It schedules the measurement of a published post.
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

// goOn reserves what the rest of a thread may cost, after a lookup of one of its parts.
// If the budget can't pay it, or the mission has ended, the thread fails.
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

// RecordRefused records that the platform will never take the post.
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
