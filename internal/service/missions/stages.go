package missions

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/mission/learning"
	"missiond/store"
)

// Work is the mission and the job of a stage.
type Work struct {
	Mission mission.Mission
	Job     mission.Job
}

// OpenStage records that the task's stage runs, and returns its mission and job. Errors:
// ErrDone, store.ErrLost.
func (s *Pipeline) OpenStage(ctx context.Context, t mission.Task) (Work, error) {
	var w Work
	err := s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		ch := j.Begin(t.Attempt, now)
		w = Work{Mission: m, Job: ch.To}
		return tx.ChangeJob(ctx, ch)
	})
	return w, err
}

// runStage runs a stage that makes no external calls, from its beginning to its end, in
// one transaction; work does the stage's work.
func (s *Pipeline) runStage(ctx context.Context, t mission.Task, work func(tx store.Tx, w Work, now time.Time) error) error {
	return s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		j = j.Begin(t.Attempt, now).To
		if err := work(tx, Work{Mission: m, Job: j}, now); err != nil {
			return err
		}
		if err := finish(ctx, tx, m, j, nil, s.clock.Now()); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// stage runs fn in a transaction that leases t, if t's stage is the current one of its
// job. Errors: ErrDone if it isn't; fn's.
func (s *Pipeline) stage(ctx context.Context, t mission.Task,
	fn func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error,
) error {
	return s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		j, err := tx.LockJob(ctx, t.TenantID, t.Subject)
		if err != nil {
			return err
		}
		if j.Status != mission.RunRunning || mission.StageTask(j.CurrentStage) != t.Type {
			return ErrDone
		}
		return fn(tx, m, j, now)
	})
}

// finish completes a job's current stage and adds the task of the next.
func finish(ctx context.Context, tx store.Tx, m mission.Mission, j mission.Job, note *mission.Failure, now time.Time) error {
	ch := j.Finish(note, now)
	if err := tx.ChangeJob(ctx, ch); err != nil {
		return err
	}
	if ch.To.Status != mission.RunRunning {
		return nil
	}
	return tx.AddTasks(ctx, now, mission.NewTask(m, mission.StageTask(ch.To.CurrentStage), j.ID, now))
}

// Intake checks the brief that was frozen when the cycle began.
func (s *Pipeline) Intake(ctx context.Context, t mission.Task) error {
	return s.runStage(ctx, t, func(_ store.Tx, w Work, _ time.Time) error { return w.Job.Brief.Check() })
}

// Strategy plans the slot, platform, format, angle and objective of each post, by what
// the mission has learned so far.
func (s *Pipeline) Strategy(ctx context.Context, t mission.Task) error {
	return s.runStage(ctx, t, func(tx store.Tx, w Work, now time.Time) error {
		learned, err := tx.Learned(ctx, w.Mission.ID)
		if err != nil {
			return err
		}
		accounts, err := tx.Accounts(ctx, w.Mission.TenantID, w.Job.Brief.Platforms, w.Job.Brief.IntegrationIDs)
		if err != nil {
			return err
		}
		w.Job = w.Mission.Planning(w.Job)
		plan := learning.NewPlan(w.Job, w.Job.Brief.Destinations(accounts), learned)
		if plan, err = owed(ctx, tx, w, plan); err != nil {
			return err
		}
		if plan, err = planWithin(ctx, tx, w, plan, accounts); err != nil {
			return err
		}
		if plan, err = s.repeating(ctx, tx, w, plan, accounts, learned, now); err != nil {
			return err
		}
		return tx.SetPlan(ctx, w.Job.ID, plan)
	})
}

// owed returns the part of a plan that the mission owes, if the job's day is beyond its duration, and
// records that it owes that no more.
func owed(ctx context.Context, tx store.Tx, w Work, p mission.Plan) (mission.Plan, error) {
	p, after := w.Mission.Owing(w.Job, p)
	if after.Owed == w.Mission.Owed {
		return p, nil
	}
	return p, tx.SetOwed(ctx, after)
}

// Optimize learns the preferences of the next strategy from the mission's latest posts
// that are old enough to compare, by their figures at the same age.
func (s *Pipeline) Optimize(ctx context.Context, t mission.Task) error {
	return s.runStage(ctx, t, func(tx store.Tx, w Work, now time.Time) error {
		accounts, err := tx.MeasuredAccounts(ctx, w.Mission)
		if err != nil {
			return err
		}
		posts, err := tx.RipePosts(ctx, w.Mission.ID, accounts, learning.LearnedPosts, now)
		if err != nil {
			return err
		}
		return tx.SetLearned(ctx, w.Mission.ID, learning.Fit(posts, w.Job.Brief.Constraints.Zone()), now)
	})
}

// SchedulePosts schedules the job's approved posts, each with its own task at its slot.
// The stage runs until every post is settled; whatever settles the last post completes
// it.
func (s *Pipeline) SchedulePosts(ctx context.Context, t mission.Task) error {
	return s.stage(ctx, t, func(tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
		ch := j.Begin(t.Attempt, now)
		if err := tx.ChangeJob(ctx, ch); err != nil {
			return err
		}
		over := !now.Before(j.Window.End)
		if over {
			if _, err := s.expire(ctx, tx, m, j, now); err != nil {
				return err
			}
		}
		err := s.schedule(ctx, tx, m, j, now) // if it settles posts, it finishes the stage
		switch {
		case err != nil:
			return err
		case over:
			err = s.finishPublish(ctx, tx, m, j.ID, now)
		case ch.To.PublishDone():
			err = finish(ctx, tx, m, ch.To, nil, now)
		}
		if err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// finishPublish completes a job's publish stage if all its posts are settled. A post by a
// person has no job, "".
func (s *core) finishPublish(ctx context.Context, tx store.Tx, m mission.Mission, jobID string, now time.Time) error {
	if jobID == "" {
		return nil
	}
	j, err := tx.LockJob(ctx, m.TenantID, jobID)
	if err != nil {
		return err
	}
	if !j.PublishDone() {
		return nil
	}
	return finish(ctx, tx, m, j, nil, now)
}
