package missions

import (
	"context"
	"maps"
	"slices"
	"time"

	"missiond/mission"
	"missiond/store"
)

// EndCycle ends a cycle's window: posts that weren't approved in time expire, so that
// a job that hasn't failed can go on. If posts of the job have more time, since they
// were rewritten late, the task runs again when theirs is over.
func (s *Pipeline) EndCycle(ctx context.Context, t mission.Task) error {
	return s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		j, err := tx.LockJob(ctx, t.TenantID, t.Subject)
		if err != nil {
			return err
		}
		if now.Before(j.Window.End) {
			return tx.ReleaseTask(ctx, t, j.Window.End, now, 0)
		}
		next, err := s.expire(ctx, tx, m, j, now)
		if err != nil {
			return err
		}
		if err := s.finishPublish(ctx, tx, m, j.ID, now); err != nil {
			return err
		}
		if next.IsZero() {
			return tx.FinishTask(ctx, t)
		}
		return tx.ReleaseTask(ctx, t, next, now, 0)
	})
}

// expire expires a job's posts whose time for review is over, and returns when the
// next post's is; the zero time if none is left.
func (s *Pipeline) expire(ctx context.Context, tx store.Tx, m mission.Mission, j mission.Job, now time.Time) (next time.Time, err error) {
	posts, err := tx.JobContents(ctx, j.ID)
	if err != nil {
		return next, err
	}
	var changes []mission.ContentChange
	for _, c := range posts {
		switch {
		case c.Expired(now):
			ch, err := c.Expire(now)
			if err != nil {
				return next, err
			}
			changes = append(changes, ch)
		case c.Status == mission.ContentPendingReview && (next.IsZero() || c.ExpiresAt.Before(next)):
			next = *c.ExpiresAt
		}
	}
	if err := tx.ChangeContent(ctx, changes...); err != nil {
		return next, err
	}
	return next, notifyExpired(ctx, tx, m, len(changes), now)
}

// notifyExpired notifies the tenant of a mission's posts that expired together.
func notifyExpired(ctx context.Context, tx store.Tx, m mission.Mission, posts int, now time.Time) error {
	if posts == 0 {
		return nil
	}
	return tx.AddNotification(ctx, m.NotifyExpired(tx.NewID(mission.PrefixNotification, now), posts, now))
}

// WarnCycle writes an event for each of a job's posts that are about to expire, and
// schedules the task for when the next ones are.
func (s *Pipeline) WarnCycle(ctx context.Context, t mission.Task) error {
	return s.leased(ctx, t, func(tx store.Tx, _ mission.Mission, now time.Time) error {
		posts, err := tx.JobContents(ctx, t.Subject)
		if err != nil {
			return err
		}
		var changes []mission.ContentChange
		for i, c := range posts {
			if !c.Expiring(now) {
				continue
			}
			ch, err := c.Warn(now)
			if err != nil {
				return err
			}
			posts[i], changes = ch.To, append(changes, ch)
		}
		if err := tx.ChangeContent(ctx, changes...); err != nil {
			return err
		}
		if next, ok := mission.NextExpiring(posts, t.Subject); ok {
			return tx.ReleaseTask(ctx, t, next, now, 0)
		}
		return tx.FinishTask(ctx, t)
	})
}

// ExpirePost warns when the task's post, which has a time of its own, is about to expire
// unreviewed, and lets it expire.
func (s *Pipeline) ExpirePost(ctx context.Context, t mission.Task) error {
	return s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		c, err := tx.LockContent(ctx, t.TenantID, t.Subject)
		if err != nil {
			return err
		}
		if c.Expired(now) {
			return s.expireOne(ctx, tx, m, t, c, now)
		}
		if c.Status != mission.ContentPendingReview {
			return ErrDone
		}
		if c.Expiring(now) {
			ch, err := c.Warn(now)
			if err != nil {
				return err
			}
			if err := tx.ChangeContent(ctx, ch); err != nil {
				return err
			}
			c = ch.To
		}
		return tx.ReleaseTask(ctx, t, expireAt(c), now, 0)
	})
}

// expireOne lets the post of a task expire.
func (s *Pipeline) expireOne(ctx context.Context, tx store.Tx, m mission.Mission, t mission.Task, c mission.Content, now time.Time) error {
	ch, err := c.Expire(now)
	if err != nil {
		return err
	}
	if err := tx.ChangeContent(ctx, ch); err != nil {
		return err
	}
	if err := s.finishPublish(ctx, tx, m, c.JobID, now); err != nil {
		return err
	}
	if err := notifyExpired(ctx, tx, m, 1, now); err != nil {
		return err
	}
	return tx.FinishTask(ctx, t)
}

// expireAt returns when the task that warns of a post's expiry, and then lets it expire, is
// due.
func expireAt(c mission.Content) time.Time {
	if c.ExpiringAt != nil {
		return *c.ExpiringAt
	}
	return *c.ExpiresAt
}

// reviewTasks returns the tasks that a post needs which begins to wait for review: its
// own if it has a time of its own, else those of its job except those that the job already
// has for its other posts.
func reviewTasks(m mission.Mission, j mission.Job, posts []mission.Content, c mission.Content) []mission.Task {
	var tasks []mission.Task
	if c.Status != mission.ContentPendingReview {
		return nil
	}
	if c.OwnTime() {
		return []mission.Task{mission.NewTask(m, mission.TaskContentExpire, c.ID, expireAt(c))}
	}
	if _, ok := mission.NextExpiring(posts, j.ID); !ok && c.ExpiringAt != nil {
		tasks = append(tasks, mission.NewTask(m, mission.TaskCycleExpiring, j.ID, *c.ExpiringAt))
	}
	late := func(c mission.Content) bool {
		return c.JobID == j.ID && c.Status == mission.ContentPendingReview && c.ExpiresAt.After(j.Window.End)
	}
	if late(c) && !slices.ContainsFunc(posts, late) {
		tasks = append(tasks, mission.NewTask(m, mission.TaskCycleEnd, j.ID, *c.ExpiresAt))
	}
	return tasks
}

// addReview adds the tasks of a post that begins to wait for review, or gets another time
// for it, in place of those left of an earlier wait; see reviewTasks.
func addReview(
	ctx context.Context, tx store.Tx, m mission.Mission, j mission.Job, posts []mission.Content, c mission.Content,
	now time.Time,
) error {
	return replaceTasks(ctx, tx, m, laterReviewTasks(m, j, posts, c), now)
}

// laterReviewTasks are the tasks that addReview adds.
func laterReviewTasks(m mission.Mission, j mission.Job, posts []mission.Content, c mission.Content) []mission.Task {
	tasks := reviewTasks(m, j, posts, c)
	for i, t := range tasks {
		if t.Type == mission.TaskCycleEnd {
			tasks[i].RunAt = j.Window.End // for the job's other posts, too; it runs again for this one
		}
	}
	return tasks
}

// replaceTasks adds tasks of a mission in place of those of their types and subjects.
func replaceTasks(ctx context.Context, tx store.Tx, m mission.Mission, tasks []mission.Task, now time.Time) error {
	subjects := map[mission.TaskType][]string{}
	for _, t := range tasks {
		subjects[t.Type] = append(subjects[t.Type], t.Subject)
	}
	for _, t := range slices.Sorted(maps.Keys(subjects)) {
		if err := tx.DropSubjects(ctx, m.ID, t, subjects[t]...); err != nil {
			return err
		}
	}
	return tx.AddTasks(ctx, now, tasks...)
}

// prolong extends the review of a job's posts to its longer window, and returns the
// tasks that this needs.
func (s *API) prolong(ctx context.Context, tx store.Tx, m mission.Mission, j mission.Job, now time.Time) ([]mission.Task, error) {
	posts, err := tx.JobContents(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	tasks := []mission.Task{mission.NewTask(m, mission.TaskCycleEnd, j.ID, j.Window.End)}
	var changes []mission.ContentChange
	for i, c := range posts {
		if c.Status != mission.ContentPendingReview || c.OwnTime() {
			continue
		}
		ch, err := c.Prolong(m.ReviewTime(c, j, now), now)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, reviewTasks(m, j, posts, ch.To)...)
		posts[i], changes = ch.To, append(changes, ch)
	}
	return tasks, tx.ChangeContent(ctx, changes...)
}
