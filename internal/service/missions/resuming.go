package missions

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// resume resumes a mission in a transaction that locks it; see mission.Resumption. Errors: conflict.
func (s *core) resume(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) (mission.Mission, error) {
	shift := m.Shift(now)
	c, err := m.Resume(now)
	if err != nil {
		return m, err
	}
	r, err := heldUp(ctx, tx, c.To, now.Add(-shift), now)
	if err != nil {
		return m, err
	}
	moves := r.Move()
	c.To = moves.Mission
	if err := tx.ChangeMission(ctx, c); err != nil {
		return m, err
	}
	if err := tx.SetWindows(ctx, moves.Jobs); err != nil {
		return m, err
	}
	if err := s.reslot(ctx, tx, c.To, r.Posts, moves.Slots, shift, now); err != nil {
		return m, err
	}
	return c.To, unpark(ctx, tx, r, moves, shift, now)
}

// heldUp reads what a mission's pause has held up. m is the mission after it.
func heldUp(ctx context.Context, tx store.Tx, m mission.Mission, paused, now time.Time) (r mission.Resumption, err error) {
	r = mission.Resumption{Mission: m, PausedAt: paused, Now: now}
	if r.LastDay, err = tx.LastDay(ctx, m.ID); err != nil {
		return r, err
	}
	if r.Jobs, err = tx.RunningJobs(ctx, m.ID); err != nil {
		return r, err
	}
	if r.Posts, err = tx.UnsettledContents(ctx, m.ID); err != nil {
		return r, err
	}
	r.Published, err = tx.PublishedSince(ctx, m.ID, now.Add(-mission.Neighborhood))
	return r, err
}

// reslot gives the scheduled posts of a mission that resumes their slots, and shifts the times of posts
// that wait for review. Posts without a slot are canceled, except those of which the platform may have
// a part: they go on at once. slots are then those of all scheduled posts.
func (s *core) reslot(
	ctx context.Context, tx store.Tx, m mission.Mission, posts []mission.Content, slots map[string]time.Time, shift time.Duration,
	now time.Time,
) error {
	var changes []mission.ContentChange
	for i, p := range posts {
		var ch mission.ContentChange
		var err error
		at, scheduled := slots[p.ID]
		switch {
		case p.Status == mission.ContentPendingReview:
			ch, err = p.Shift(shift)
		case !scheduled || at.Equal(*p.ScheduledAt):
			continue
		case at.IsZero() && !p.MayBePublished():
			delete(slots, p.ID)
			ch, err = p.Cancel(m.NoTimeLeft(p.ScheduledAt, now), now)
		case at.IsZero():
			slots[p.ID] = mission.FreeSlot(now, posts)
			ch, err = p.Reschedule(slots[p.ID], now)
		default:
			ch, err = p.Reschedule(at, now)
		}
		if err != nil {
			return err
		}
		posts[i], changes = ch.To, append(changes, ch)
	}
	return s.moved(ctx, tx, m, changes, now)
}

// unpark has the tasks of a mission that resumes run: those of its posts at their slots, those of its days
// when these begin and end, the others later by its pause.
func unpark(ctx context.Context, tx store.Tx, r mission.Resumption, moves mission.Moves, shift time.Duration, now time.Time) error {
	m := moves.Mission
	if err := tx.DropTasks(ctx, m.ID, []mission.TaskType{mission.TaskCycleBegin}, ""); err != nil {
		return err
	}
	tasks, err := tx.ParkedTasks(ctx, m.ID)
	if err != nil {
		return err
	}
	ends := map[string]time.Time{}
	for _, j := range moves.Jobs {
		ends[j.ID] = j.Window.End
	}
	for i, t := range tasks {
		if t.Type == mission.TaskMissionMeasure {
			continue // posts grow older in a pause
		}
		tasks[i].RunAt = t.RunAt.Add(shift)
		if at, ok := moves.Slots[t.Subject]; ok {
			tasks[i].RunAt = at
		}
		if end, ok := ends[t.Subject]; ok && t.Type == mission.TaskCycleEnd {
			tasks[i].RunAt = end
		}
	}
	if err := tx.Unpark(ctx, tasks, now); err != nil {
		return err
	}
	if next, ok := m.NextWindow(r.LastDay+1, now); ok {
		return tx.AddTasks(ctx, now, cycleTask(m, next))
	}
	return nil
}
