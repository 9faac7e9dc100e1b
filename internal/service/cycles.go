package service

import (
	"cmp"
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// cycleTask is the task that begins the cycle of a window.
func cycleTask(m mission.Mission, w mission.Window) mission.Task {
	t := mission.NewTask(m, mission.TaskCycleBegin, m.ID, w.Start)
	t.Day = w.Day
	return t
}

// newCycle returns m in the cycle of a window, with the cycle's job, and the
// tasks that it leaves: its first stage, its end and the next window's beginning.
func newCycle(tx store.Tx, m mission.Mission, w mission.Window, brand mission.Brand, now time.Time) (mission.Mission, mission.Job, []mission.Task) {
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

// opening returns a mission that has just started in its first cycle, where that
// is due, with the cycle's job, else nil; and the tasks that the start leaves.
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

// begin leaves the tasks of a mission that has just started, and begins its
// first cycle where that is due.
func begin(ctx context.Context, tx store.Tx, m mission.Mission, brand mission.Brand, now time.Time) (mission.Mission, error) {
	m, j, tasks := opening(tx, m, brand, now)
	if j == nil {
		return m, tx.AddTasks(ctx, now, tasks...)
	}
	return m, addCycle(ctx, tx, *j, tasks, now)
}

// addCycle writes a cycle's job and tasks, and has the mission be in it.
func addCycle(ctx context.Context, tx store.Tx, j mission.Job, tasks []mission.Task, now time.Time) error {
	if err := tx.CreateJob(ctx, j); err != nil {
		return err
	}
	if err := tx.SetCycle(ctx, j); err != nil {
		return err
	}
	return tx.AddTasks(ctx, now, tasks...)
}

// leavingPoll is how long a draft whose time has come waits, once and again, while
// its tenant is to be deleted.
const leavingPoll = time.Hour

// StartMission starts a draft whose starts_at has come.
func (s *Service) StartMission(ctx context.Context, t mission.Task) error {
	tenant, err := s.db.Tenant(ctx, t.TenantID)
	if err != nil {
		return err
	}
	return s.held(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
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

// BeginCycle begins the cycle of the task's day, or of the first posting day
// after it whose window isn't over.
func (s *Service) BeginCycle(ctx context.Context, t mission.Task) error {
	tenant, err := s.db.Tenant(ctx, t.TenantID)
	if err != nil {
		return err
	}
	return s.held(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
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

// nextCycle begins the cycle of a window. Errors: ErrDone where it began before.
func nextCycle(ctx context.Context, tx store.Tx, m mission.Mission, w mission.Window, brand mission.Brand, now time.Time) error {
	if last, err := tx.LastDay(ctx, m.ID); err != nil || last >= w.Day {
		return cmp.Or(err, ErrDone)
	}
	_, j, tasks := newCycle(tx, m, w, brand, now)
	return addCycle(ctx, tx, j, tasks, now)
}

// EndMission completes a mission whose duration is over. Posts that aren't
// published are canceled; a job whose posts were being written is canceled
// with them, one further on is measured and finished. In a mission that has ended,
// what calls of a writer have left reserved counts as spent.
func (s *Service) EndMission(ctx context.Context, t mission.Task) error {
	return s.held(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
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
		if err := s.wind(ctx, tx, c.To, t.ID, now); err != nil {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
}

// lastCall is how long a writer's call may go on after its mission's end: longer
// than any task or request does.
const lastCall = 15 * time.Minute

// endTasks are the tasks that a mission's end makes pointless.
var endTasks = []mission.TaskType{
	mission.TaskMissionStart, mission.TaskMissionEnd, mission.TaskCycleBegin, mission.TaskCycleEnd, mission.TaskCycleExpiring,
	mission.TaskStageIntake, mission.TaskStageStrategy, mission.TaskStageContent,
}

// wind up a completed mission: its posts, its jobs and its tasks but the one
// that the caller holds.
func (s *Service) wind(ctx context.Context, tx store.Tx, m mission.Mission, held string, now time.Time) error {
	if err := tx.DropTasks(ctx, m.ID, endTasks, held); err != nil {
		return err
	}
	if m.Reserved > 0 {
		// Calls that are under way settle what they cost. Those of processes that
		// were killed don't, and nobody makes them again.
		if err := tx.AddTasks(ctx, now, mission.NewTask(m, mission.TaskMissionEnd, m.ID, now.Add(lastCall))); err != nil {
			return err
		}
	}
	jobs, err := tx.RunningJobs(ctx, m.ID)
	if err != nil {
		return err
	}
	if err := s.windPosts(ctx, tx, m, now); err != nil {
		return err
	}
	for _, j := range jobs { // one, seldom two
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

// windPosts ends the posts of a completed mission that aren't out: those whose time
// for a review is over expire, the others are canceled.
func (s *Service) windPosts(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) error {
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
			continue // what the platform made of it is still to be recorded
		case c.Expired(now):
			expired++
			ch, err = c.Expire(now)
		default:
			ch, err = s.drop(ctx, tx, c, now)
		}
		if err != nil {
			return err
		}
		changes = append(changes, ch)
	}
	if err := tx.ChangeContent(ctx, changes...); err != nil {
		return err
	}
	return tellExpired(ctx, tx, m, expired, now)
}
