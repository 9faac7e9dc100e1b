package missions

import (
	"context"
	"maps"
	"slices"
	"time"

	"missiond/mission"
	"missiond/store"
)

// schedule schedules a job's approved posts, each with its own task: at its slot, or at
// a free one if it is late; without a job, those of the posts by people. A post that would fall behind the mission's end is canceled,
// and so is one that was missed in a restore of the database.
func (s *core) schedule(ctx context.Context, tx store.Tx, m mission.Mission, j mission.Job, now time.Time) error {
	posts, err := tx.UnsettledContents(ctx, j.MissionID)
	if err != nil {
		return err
	}
	approved := only(posts, func(c mission.Content) bool { return c.JobID == j.ID && c.Status == mission.ContentApproved })
	w := j.Window
	if j.ID == "" {
		w = m.Room(j, len(approved), now)
	}
	slots, err := freeSlots(ctx, tx, m, j.Brief.Constraints, w, posts, approved, now)
	if err != nil {
		return err
	}
	missed, err := missedIn(ctx, tx, approved, now)
	if err != nil {
		return err
	}
	changes := make([]mission.ContentChange, len(approved))
	var tasks []mission.Task
	for i, c := range approved {
		if why, ok := missed(c); ok {
			changes[i], err = c.Cancel(why, now)
		} else if slots[i].IsZero() {
			changes[i], err = c.Cancel(m.NoTimeLeft(c.ScheduledAt, now), now)
		} else {
			changes[i], err = c.Schedule(slots[i], now)
			tasks = append(tasks, mission.NewTask(m, mission.TaskContentPublish, c.ID, slots[i]))
		}
		if err != nil {
			return err
		}
	}
	if err := tx.ChangeContent(ctx, changes...); err != nil {
		return err
	}
	if err := tx.AddTasks(ctx, now, tasks...); err != nil || len(tasks) == len(approved) {
		return err
	}
	return s.finishPublish(ctx, tx, m, j.ID, now)
}

// missedIn returns which of some posts were missed in a restore of the database; see
// mission.Content.Missed. It reads the restore only if a slot has passed.
func missedIn(
	ctx context.Context, tx store.Tx, posts []mission.Content, now time.Time,
) (missed func(mission.Content) (mission.Failure, bool), err error) {
	missed = func(mission.Content) (why mission.Failure, ok bool) { return why, false }
	if !slices.ContainsFunc(posts, func(c mission.Content) bool { return c.ScheduledAt.Before(now) }) {
		return missed, nil
	}
	restore, err := tx.Restore(ctx)
	if err == nil && restore != nil {
		missed = func(c mission.Content) (mission.Failure, bool) { return c.Missed(restore.Reconciled) }
	}
	return missed, err
}

func only[T any](list []T, wanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(each T) bool { return !wanted(each) })
}

func times(posts []mission.Content) []time.Time {
	slots := make([]time.Time, len(posts))
	for i, c := range posts {
		slots[i] = *c.ScheduledAt
	}
	return slots
}

// freeSlots returns the slots of mine, some of a mission's unsettled posts, in their
// order: the slots that they have, and free ones for late posts; see
// mission.Mission.Reslot.
func freeSlots(
	ctx context.Context, tx store.Tx, m mission.Mission, c mission.Constraints, w mission.Window,
	posts, mine []mission.Content, now time.Time,
) ([]time.Time, error) {
	slots := times(mine)
	if !slices.ContainsFunc(slots, func(at time.Time) bool { return m.Late(at, now) }) {
		return slots, nil
	}
	published, err := tx.PublishedSince(ctx, m.ID, m.Clock(now).Add(-mission.Neighborhood))
	if err != nil {
		return nil, err
	}
	own := func(c mission.Content) bool {
		return slices.ContainsFunc(mine, func(mine mission.Content) bool { return mine.ID == c.ID })
	}
	return m.Reslot(c, w, slots, mission.Neighbors(posts, published, own, m.Clock(now)), now), nil
}

// moved writes changes of a mission's posts. It drops the tasks of posts that they
// cancel, and finishes jobs that waited only for those.
func (s *core) moved(ctx context.Context, tx store.Tx, m mission.Mission, changes []mission.ContentChange, now time.Time) error {
	jobs := map[string]bool{}
	var canceled []string
	for _, ch := range changes {
		if ch.To.Status == mission.ContentCanceled {
			jobs[ch.To.JobID], canceled = true, append(canceled, ch.To.ID)
		}
	}
	if err := tx.DropSubjects(ctx, m.ID, mission.TaskContentPublish, canceled...); err != nil {
		return err
	}
	if err := tx.ChangeContent(ctx, changes...); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(jobs)) {
		if err := s.finishPublish(ctx, tx, m, id, now); err != nil {
			return err
		}
	}
	return nil
}

// relocate moves late posts to free slots of a window, or cancels them if there are none.
// leased is the task of one of them that the caller has leased, if any.
func (s *core) relocate(
	ctx context.Context, tx store.Tx, m mission.Mission, c mission.Constraints, w mission.Window,
	posts, late []mission.Content, leased mission.Task, now time.Time,
) error {
	slots, err := freeSlots(ctx, tx, m, c, w, posts, late, now)
	if err != nil {
		return err
	}
	changes := make([]mission.ContentChange, len(late))
	var tasks []mission.Task
	for i, p := range late {
		mine, gone := p.ID == leased.Subject, slots[i].IsZero()
		if gone {
			changes[i], err = p.Cancel(m.NoTimeLeft(p.ScheduledAt, now), now)
		} else {
			changes[i], err = p.Reschedule(slots[i], now)
		}
		switch {
		case err != nil:
		case mine && gone:
			err = tx.FinishTask(ctx, leased)
		case mine:
			err = tx.ReleaseTask(ctx, leased, slots[i], now, 0)
		case !gone:
			tasks = append(tasks, mission.NewTask(m, mission.TaskContentPublish, p.ID, slots[i]))
		}
		if err != nil {
			return err
		}
	}
	if err := replaceTasks(ctx, tx, m, tasks, now); err != nil {
		return err
	}
	return s.moved(ctx, tx, m, changes, now)
}

// makeRoom moves the scheduled posts that lie behind a mission's end or in a blackout, after
// an update of them, whoever chose their slots.
func (s *API) makeRoom(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) error {
	behind := func(c mission.Content) bool { return !c.ScheduledAt.Before(*m.EndsAt) }
	err := s.moveOut(ctx, tx, m, behind, func([]mission.Content) mission.Window { return mission.Window{End: *m.EndsAt} }, now)
	if err != nil || len(m.Blackouts) == 0 {
		return err
	}
	silent := func(c mission.Content) bool {
		_, in := m.BlackoutAt(*c.ScheduledAt)
		return in
	}
	return s.moveOut(ctx, tx, m, silent, func(late []mission.Content) mission.Window {
		return m.Room(m.JobOf(mission.Content{}), len(late), slices.MinFunc(times(late), time.Time.Compare))
	}, now)
}

// moveOut moves the scheduled posts that are out of place to free slots of a window.
func (s *API) moveOut(
	ctx context.Context, tx store.Tx, m mission.Mission, out func(mission.Content) bool, window func([]mission.Content) mission.Window, now time.Time,
) error {
	posts, err := tx.UnsettledContents(ctx, m.ID)
	if err != nil {
		return err
	}
	late := only(posts, func(c mission.Content) bool {
		return c.Status == mission.ContentScheduled && !c.MayBePublished() && out(c)
	})
	if len(late) == 0 {
		return nil
	}
	return s.relocate(ctx, tx, m, m.Constraints, window(late), posts, late, mission.Task{}, now)
}
