package missions

import (
	"context"
	"errors"
	"time"

	"missiond/mission"
	"missiond/store"
)

// SettlePost records the result of a call for the task's post or first comment, whatever the state of its
// mission, and returns the next step: ready if another part is to be sent at once. See
// mission.Content.After. It may be called again with a result that it has recorded.
// Errors: store.ErrLost.
func (s *Pipeline) SettlePost(ctx context.Context, t mission.Task, call Call, r mission.PublishResult) (next Call, err error) {
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		now := s.clock.Now()
		m, err := tx.LockMission(ctx, t.TenantID, t.MissionID)
		if err != nil {
			return err
		}
		if err := tx.RequireLease(ctx, t); err != nil {
			return err
		}
		p, err := subjectOf(ctx, tx, m, t, now)
		if err != nil {
			return err
		}
		c := p.Content
		if len(c.Published) > len(call.Content.Published) {
			next = Call{Content: c, Via: call.Via, Ready: true, Presentation: call.Presentation} // recorded already; the reply was lost
			return nil
		}
		at := mission.PublishAttempt{Number: t.Attempt, Mission: m.Status, Lookup: s.lookupOf(call.Via, t.Type), Task: t}
		if p.reply != nil {
			at.Mission = mission.StatusActive // whatever it is: a person has decided it
		}
		if r.Outcome == mission.OutcomeNotAccepted || r.LookedUp || r.Trouble != "" {
			j, err := jobOf(ctx, tx, m, c)
			if err != nil {
				return err
			}
			at.WindowEnd = j.Window.End
		}
		n, err := c.After(r, at, now)
		if err == nil {
			n, err = s.settlePost(ctx, p, n)
		}
		next = Call{Content: n.Change.To, Via: call.Via, Ready: n.Task == mission.TaskRunning, Presentation: call.Presentation}
		return err
	})
	return next, err
}

// abandon fails a post and settles its task.
func (s *Pipeline) abandon(ctx context.Context, p lockedPost, f mission.Failure) error {
	ch, err := p.Fail(f, p.now)
	if err == nil {
		_, err = s.settlePost(ctx, p, mission.Settlement{Change: ch})
	}
	return err
}

// settlePost writes a settlement of a post and its task, and returns it as written: the
// budget may not pay for it. A published post's measurement is scheduled.
func (s *Pipeline) settlePost(ctx context.Context, p lockedPost, n mission.Settlement) (mission.Settlement, error) {
	if !n.PausedUntil.IsZero() {
		if err := p.tx.PauseAccount(ctx, p.TenantID, p.Platform, n.Change.To.IntegrationID, n.PausedUntil); err != nil {
			return n, err
		}
	}
	if n.FeesDue() {
		if err := settleFees(ctx, p.tx, p.mission, &n.Change.To, n.LookedUp, p.now); err != nil {
			return n, err
		}
	}
	n, err := reserveRest(ctx, p.tx, n, p.now)
	if err != nil {
		return n, err
	}
	if err := p.write(ctx, n.Change); err != nil {
		return n, err
	}
	switch n.Task {
	case mission.TaskRunning:
		return n, nil
	case mission.TaskWaiting:
		return n, p.tx.ReleaseTroubled(ctx, p.task, n.Trouble, n.RunAt, p.now, n.Attempts)
	case mission.TaskParked:
		return n, p.tx.ParkTask(ctx, p.task)
	default:
		return n, s.finishPost(ctx, p, n.Change)
	}
}

// finishPost finishes the task of a post, first comment or answer that is settled. A post's first
// comment becomes due, and its job's publish stage is finished if the post was the last.
func (s *Pipeline) finishPost(ctx context.Context, p lockedPost, ch mission.ContentChange) error {
	if p.task.Type != mission.TaskContentPublish {
		return p.tx.FinishTask(ctx, p.task)
	}
	if err := s.published(ctx, p, ch); err != nil {
		return err
	}
	return p.tx.FinishTask(ctx, p.task)
}

// published does what follows a post that is settled: see finishPost.
func (s *core) published(ctx context.Context, p lockedPost, ch mission.ContentChange) error {
	c := ch.To
	if ch.CommentDue() {
		if err := p.tx.AddTasks(ctx, p.now, mission.NewTask(p.mission, mission.TaskContentComment, c.ID, p.now)); err != nil {
			return err
		}
	}
	if c.MeasureAt != nil {
		if err := p.tx.MeasureBy(ctx, p.mission, *c.MeasureAt, p.now); err != nil {
			return err
		}
	}
	return s.finishPublish(ctx, p.tx, p.mission, c.JobID, p.now)
}

// reserveRest reserves what is left to do for a post may cost, if it is to be reserved,
// and returns the settlement: the post fails if the budget can't pay for it.
func reserveRest(ctx context.Context, tx store.Tx, n mission.Settlement, now time.Time) (mission.Settlement, error) {
	if n.Unpaid.Code == "" {
		return n, nil
	}
	c := n.Change.To
	m, err := tx.LockMission(ctx, c.TenantID, c.MissionID) // with what was settled and reserved before
	if err != nil {
		return n, err
	}
	if err = reserveFees(ctx, tx, m, c, now); errors.Is(err, errOverBudget) {
		return n.WithoutBudget(now)
	}
	return n, err
}

// drop returns the change of a scheduled post whose mission has ended. A post that the
// platform may have is looked up, if the budget allows it.
func drop(ctx context.Context, tx store.Tx, c mission.Content, now time.Time) (mission.ContentChange, error) {
	n, err := c.Drop(now)
	if err == nil {
		n, err = reserveRest(ctx, tx, n, now)
	}
	return n.Change, err
}
