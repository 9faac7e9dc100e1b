package missions

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// recheck checks a mission's unpublished posts, at most those of its running cycles,
// against the exclusions as they are now, unless that was foreseen. Posts that violate them
// wait for review. Errors: errUnforeseen.
func (s *core) recheck(ctx context.Context, tx store.Tx, m mission.Mission, foreseen verdicts, now time.Time) error {
	excluded, err := exclusions(ctx, tx, m)
	if err != nil {
		return err
	}
	posts, err := tx.UnsettledContents(ctx, m.ID)
	if err != nil {
		return err
	}
	if !foreseen.foresees(posts, excluded) {
		return errUnforeseen
	}
	var changes []mission.ContentChange
	var unscheduled []string
	for _, c := range posts {
		ch, ok := c.Recheck(foreseen.judge(c, excluded, now), now)
		if !ok {
			continue
		}
		changes = append(changes, ch)
		if ch.From == mission.ContentScheduled && ch.To.Status != mission.ContentScheduled {
			unscheduled = append(unscheduled, c.ID)
		}
	}
	if err := tx.DropSubjects(ctx, m.ID, mission.TaskContentPublish, unscheduled...); err != nil {
		return err
	}
	if err := startReview(ctx, tx, m, posts, changes, now); err != nil {
		return err
	}
	return tx.ChangeContent(ctx, changes...)
}

// startReview gives posts that return to review their time for it, and adds the
// tasks for it. posts are the mission's unsettled posts before the changes.
func startReview(
	ctx context.Context, tx store.Tx, m mission.Mission, posts []mission.Content, changes []mission.ContentChange,
	now time.Time,
) error {
	jobs := map[string]mission.Job{} // rarely more than one
	var tasks []mission.Task
	for i, ch := range changes {
		if ch.From == ch.To.Status || ch.To.Status != mission.ContentPendingReview {
			continue
		}
		j, ok := jobs[ch.To.JobID]
		if !ok {
			var err error
			if j, err = jobOf(ctx, tx, m, ch.To); err != nil {
				return err
			}
			if j.ID != "" {
				jobs[j.ID] = j
			}
		}
		changes[i] = ch.Awaiting(m.ReviewTime(ch.To, j, now))
		tasks = append(tasks, laterReviewTasks(m, j, posts, changes[i].To)...)
		posts = append(posts, changes[i].To)
	}
	return replaceTasks(ctx, tx, m, tasks, now)
}

// readExcluded reads what keeps a post from going out whoever wrote it.
func (*Pipeline) readExcluded(ctx context.Context, p *lockedPost) error {
	excluded, err := exclusions(ctx, p.tx, p.mission)
	if err != nil {
		return err
	}
	if p.verdict = judge(p.Content, excluded, p.now); !p.verdict.Passed() {
		p.at.Excluded = p.verdict.Failure()
	}
	return nil
}

// reviewExcluded has a post wait for review whose text doesn't keep to the brand's rules any more.
func (*Pipeline) reviewExcluded(ctx context.Context, p lockedPost) error {
	ch, err := p.ReturnToReview(p.verdict, p.now)
	if err != nil {
		return err
	}
	return p.review(ctx, ch)
}

// review has a post that was about to be sent wait for review, by the change ch.
func (p lockedPost) review(ctx context.Context, ch mission.ContentChange) error {
	posts, err := p.tx.Slots(ctx, p.MissionID)
	if err != nil {
		return err
	}
	changes := []mission.ContentChange{ch}
	if err := startReview(ctx, p.tx, p.mission, posts, changes, p.now); err != nil {
		return err
	}
	if err := p.tx.ChangeContent(ctx, changes...); err != nil {
		return err
	}
	return p.tx.FinishTask(ctx, p.task)
}

// RecheckTenant checks the posts of a tenant's missions against its exclusions, which
// have changed. It takes a transaction for each mission, and a task for each batch
// of missions; the task's subject is the last mission of the batch before. A task that waits
// to begin anew supersedes it.
func (s *Pipeline) RecheckTenant(ctx context.Context, t mission.Task) error {
	superseded := false
	err := s.store.Tx(ctx, func(tx store.Tx) (err error) {
		if superseded, err = tx.RecheckWaits(ctx, t.TenantID); err != nil || !superseded {
			return err
		}
		return tx.FinishTask(ctx, t)
	})
	if err != nil || superseded {
		return err
	}
	return s.byMission(ctx, t, s.store.UnfinishedMissions, s.recheckMission)
}

// tenantBatch is how many missions a run of a tenant's task goes through.
const tenantBatch = 50

// byMission goes through a batch of a tenant's missions, of those that list returns after the
// task's subject, and adds the task of the next batch. A mission that isn't there any more is passed over.
func (s *Pipeline) byMission(
	ctx context.Context, t mission.Task, list func(ctx context.Context, tenantID, after string, limit int) ([]string, error),
	do func(ctx context.Context, tenantID, id string) error,
) error {
	ids, err := list(ctx, t.TenantID, t.Subject, tenantBatch)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := do(ctx, t.TenantID, id); err != nil && mission.CodeOf(err) != mission.CodeNotFound {
			return err
		}
	}
	return s.store.Tx(ctx, func(tx store.Tx) error {
		if len(ids) == tenantBatch {
			now := s.clock.Now()
			if err := tx.AddTasks(ctx, now, mission.NewTenantTask(t.TenantID, t.Type, ids[len(ids)-1], now)); err != nil {
				return err
			}
		}
		return tx.FinishTask(ctx, t)
	})
}

func (s *Pipeline) recheckMission(ctx context.Context, tenantID, id string) error {
	same := func(m mission.Mission, _ time.Time) (mission.Mission, error) { return m, nil }
	_, err := foreseen(func() (verdicts, error) { return s.foresee(ctx, tenantID, id, same) }, func(v verdicts) (none struct{}, err error) {
		return none, s.store.Tx(ctx, func(tx store.Tx) error {
			m, err := tx.LockMission(ctx, tenantID, id)
			if err != nil || m.Status == mission.StatusCompleted {
				return err
			}
			now := s.clock.Now()
			if err := s.recheck(ctx, tx, m, v, now); err != nil {
				return err
			}
			return distrust(ctx, tx, m, now)
		})
	})
	return err
}
