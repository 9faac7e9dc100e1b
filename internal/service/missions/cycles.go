package missions

import (
	"cmp"
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// cycleTask returns the task that begins the cycle of a window.
func cycleTask(m mission.Mission, w mission.Window) mission.Task {
	t := mission.NewTask(m, mission.TaskCycleBegin, m.ID, w.Start)
	t.Day = w.Day
	return t
}

// newCycle returns m in the cycle of a window, the cycle's job, and the tasks that
// the cycle needs: its first stage, its end and the beginning of the next one.
func newCycle(
	tx store.Tx, m mission.Mission, w mission.Window, brand mission.Brand, now time.Time,
) (mission.Mission, mission.Job, []mission.Task) {
	j := mission.NewJob(tx.NewID(mission.PrefixJob, now), m, w, brand, now)
	m.PipelineJobID, m.NextCycle = &j.ID, j.Cycle
	tasks := []mission.Task{
		mission.NewTask(m, mission.StageTask(j.CurrentStage), j.ID, now),
		mission.NewTask(m, mission.TaskCycleEnd, j.ID, w.End),
	}
	if next, ok := m.NextWindow(w.Day+1, now); ok {
		tasks = append(tasks, cycleTask(m, next))
	}
	return m, j, tasks
}

// opening returns a mission that has just started, with the job of its first cycle
// if that is due, else nil, and the tasks that the start needs.
func opening(tx store.Tx, m mission.Mission, brand mission.Brand, now time.Time) (mission.Mission, *mission.Job, []mission.Task) {
	tasks := []mission.Task{mission.NewTask(m, mission.TaskMissionEnd, m.ID, *m.EndsAt)}
	w, ok := m.NextWindow(0, now)
	if ok && w.Start.After(now) {
		tasks = append(tasks, cycleTask(m, w))
	}
	if !ok || w.Start.After(now) {
		return m, nil, tasks
	}
	m, j, cycle := newCycle(tx, m, w, brand, now)
	return m, &j, append(tasks, cycle...)
}

// begin adds the tasks of a mission that has just started, and begins its first
// cycle if that is due.
func begin(ctx context.Context, tx store.Tx, m mission.Mission, brand mission.Brand, now time.Time) (mission.Mission, error) {
	m, j, tasks := opening(tx, m, brand, now)
	if j == nil {
		return m, tx.AddTasks(ctx, now, tasks...)
	}
	return m, addCycle(ctx, tx, *j, tasks, now)
}

// addCycle writes a cycle's job and tasks, and puts the mission into the cycle.
func addCycle(ctx context.Context, tx store.Tx, j mission.Job, tasks []mission.Task, now time.Time) error {
	if err := tx.CreateJob(ctx, j); err != nil {
		return err
	}
	if err := tx.SetCycle(ctx, j); err != nil {
		return err
	}
	return tx.AddTasks(ctx, now, tasks...)
}

// leavingPoll is how often the start of a draft is retried while its tenant is to
// be deleted.
const leavingPoll = time.Hour

// StartMission starts a draft that is due, at its starts_at.
func (s *Pipeline) StartMission(ctx context.Context, t mission.Task) error {
	tenant, err := s.store.Tenant(ctx, t.TenantID)
	if err != nil {
		return err
	}
	return s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		if m.Status != mission.StatusDraft {
			return ErrDone
		}
		if m.Leaving {
			return tx.ReleaseTask(ctx, t, now.Add(leavingPoll), now, t.Attempt-1)
		}
		c, err := m.Start(now)
		if err != nil {
			return err
		}
		if err := tx.ChangeMission(ctx, c); err != nil {
			return err
		}
		if _, err := begin(ctx, tx, c.To, tenant.Brand, now); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// BeginCycle begins the cycle of the task's day, or of the first posting day after
// it whose window hasn't ended.
func (s *Pipeline) BeginCycle(ctx context.Context, t mission.Task) error {
	tenant, err := s.store.Tenant(ctx, t.TenantID)
	if err != nil {
		return err
	}
	return s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		w, ok := m.NextWindow(t.Day, now)
		if m.Status != mission.StatusActive || !ok {
			return ErrDone
		}
		if w.Start.After(now) {
			err = tx.AddTasks(ctx, now, cycleTask(m, w))
		} else {
			err = nextCycle(ctx, tx, m, w, tenant.Brand, now)
		}
		if err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// nextCycle begins the cycle of a window. Errors: ErrDone if it has begun already.
func nextCycle(ctx context.Context, tx store.Tx, m mission.Mission, w mission.Window, brand mission.Brand, now time.Time) error {
	if last, err := tx.LastDay(ctx, m.ID); err != nil || last >= w.Day {
		return cmp.Or(err, ErrDone)
	}
	_, j, tasks := newCycle(tx, m, w, brand, now)
	return addCycle(ctx, tx, j, tasks, now)
}

// EndMission completes a mission whose duration is over. Posts that aren't
// published are canceled. A job whose posts are still being written is canceled
// too; a job further on is measured and finished. In a mission that has ended,
// reservations that writers' calls left behind count as spent.
func (s *Pipeline) EndMission(ctx context.Context, t mission.Task) error {
	return s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		if m.Status == mission.StatusCompleted && m.Reserved > 0 {
			if err := tx.SettleLost(ctx, m.ID, mission.SpendWriting, "", now); err != nil {
				return err
			}
		}
		if m.Status != mission.StatusActive {
			return ErrDone
		}
		if !m.Due(now) {
			return tx.ReleaseTask(ctx, t, *m.EndsAt, now, 0)
		}
		c, err := m.Complete(now)
		if err != nil {
			return err
		}
		if err := tx.ChangeMission(ctx, c); err != nil {
			return err
		}
		if err := s.windUp(ctx, tx, c.To, t.ID, now); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// lastCall is how long a writer's call may take after its mission's end: longer
// than any task or request.
const lastCall = 15 * time.Minute

// endTasks are the tasks that a mission's end makes pointless.
var endTasks = []mission.TaskType{
	mission.TaskMissionStart, mission.TaskMissionEnd, mission.TaskCycleBegin, mission.TaskCycleEnd,
	mission.TaskCycleExpiring, mission.TaskContentExpire,
	mission.TaskStageIntake, mission.TaskStageStrategy, mission.TaskStageContent,
}

// windUp ends the posts, the jobs and the tasks of a completed mission, except the
// task that the caller has leased.
func (s *core) windUp(ctx context.Context, tx store.Tx, m mission.Mission, leased string, now time.Time) error {
	if err := tx.DropTasks(ctx, m.ID, endTasks, leased); err != nil {
		return err
	}
	if m.Reserved > 0 {
		// Calls under way settle their own cost. Those of processes that were killed
		// don't, and aren't repeated.
		if err := tx.AddTasks(ctx, now, mission.NewTask(m, mission.TaskMissionEnd, m.ID, now.Add(lastCall))); err != nil {
			return err
		}
	}
	jobs, err := tx.RunningJobs(ctx, m.ID)
	if err != nil {
		return err
	}
	if err := s.windUpPosts(ctx, tx, m, now); err != nil {
		return err
	}
	for _, j := range jobs { // rarely more than one
		if j.CurrentStage.Index() < mission.StagePublish.Index() {
			err = tx.ChangeJob(ctx, j.Cancel(now))
		} else {
			err = s.finishPublish(ctx, tx, m, j.ID, now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// windUpPosts ends the unpublished posts of a completed mission: posts whose time
// for review is over expire, the others are canceled.
func (s *core) windUpPosts(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) error {
	posts, err := tx.UnsettledContents(ctx, m.ID)
	if err != nil {
		return err
	}
	expired := 0
	var changes []mission.ContentChange
	for _, c := range posts {
		var ch mission.ContentChange
		switch {
		case c.Status == mission.ContentPublishing || c.Status == mission.ContentUnknown:
			continue // its outcome is still to be recorded
		case c.Expired(now):
			expired++
			ch, err = c.Expire(now)
		default:
			ch, err = drop(ctx, tx, c, now)
		}
		if err != nil {
			return err
		}
		changes = append(changes, ch)
	}
	if err := tx.ChangeContent(ctx, changes...); err != nil {
		return err
	}
	return notifyExpired(ctx, tx, m, expired, now)
}
