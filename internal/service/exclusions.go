package service

import (
	"context"
	"time"

	"missiond/internal/textlimit"
	"missiond/internal/topic"
	"missiond/mission"
	"missiond/store"
)

// exclusions are the topics that a mission's posts don't mention, as they are
// now. The caller holds the mission's lock: what it writes by them is gone
// through once more by whoever changes them later.
func exclusions(ctx context.Context, tx store.Tx, m mission.Mission) (*topic.List, error) {
	brand, err := tx.Brand(ctx, m.TenantID)
	return topic.NewList(m.Exclusions(brand)), err
}

// check holds a text to its platform's limits and looks for excluded topics.
// Errors: invalid_request, naming text or parts.
func check(platform mission.Platform, d mission.Draft, excluded *topic.List) (mission.Verdict, error) {
	caps, ok := mission.CapabilitiesOf(platform)
	if !ok {
		return mission.Verdict{}, mission.Invalid("platform", "Unknown platform %q.", platform)
	}
	if err := textlimit.Check(caps, d); err != nil {
		return mission.Verdict{}, err
	}
	return judge(d.Text, excluded), nil
}

// judge looks for excluded topics in a text.
func judge(text string, excluded *topic.List) mission.Verdict {
	_, name := excluded.Find(text)
	return mission.Verdict{ExcludedTopic: name, TopicsChecked: excluded.Len()}
}

// recheck holds a mission's posts that aren't out to the exclusions as they are
// now: at most those of its running cycles. What breaks them waits for review.
func (s *Service) recheck(ctx context.Context, tx store.Tx, m mission.Mission, now time.Time) error {
	excluded, err := exclusions(ctx, tx, m)
	if err != nil {
		return err
	}
	posts, err := tx.UnsettledContents(ctx, m.ID)
	if err != nil {
		return err
	}
	var changes []mission.ContentChange
	for _, c := range posts {
		ch, ok := c.Recheck(judge(c.Text, excluded), now)
		if !ok {
			continue
		}
		changes = append(changes, ch)
		if ch.From == mission.ContentScheduled && ch.To.Status != mission.ContentScheduled {
			if err := tx.DropSubject(ctx, m.ID, mission.TaskContentPublish, c.ID); err != nil {
				return err
			}
		}
	}
	if err := reviewHeld(ctx, tx, m, posts, changes, now); err != nil {
		return err
	}
	return tx.ChangeContent(ctx, changes...)
}

// reviewHeld sees that posts which are held back can be reviewed: each has its
// time for it. posts are their mission's unsettled ones, as they were.
func reviewHeld(ctx context.Context, tx store.Tx, m mission.Mission, posts []mission.Content, changes []mission.ContentChange, now time.Time) error {
	jobs := map[string]mission.Job{} // one, seldom two
	for i, ch := range changes {
		if ch.From == ch.To.Status || ch.To.Status != mission.ContentPendingReview {
			continue
		}
		j, ok := jobs[ch.To.JobID]
		if !ok {
			var err error
			if j, err = tx.LockJob(ctx, m.TenantID, ch.To.JobID); err != nil {
				return err
			}
			jobs[j.ID] = j
		}
		changes[i] = ch.Awaiting(m.ReviewTime(j, now))
		if err := tx.AddTasks(ctx, now, reviewTasks(m, j, posts, changes[i].To)...); err != nil {
			return err
		}
		posts = append(posts, changes[i].To)
	}
	return nil
}

// holdBack looks at a post once more before it is sent: where it breaks an
// exclusion it waits for review, and has failed where its platform has begun to
// publish it, or may have. held reports that it was seen to so.
func (s *Service) holdBack(ctx context.Context, tx store.Tx, m mission.Mission, call *Call, t mission.Task, now time.Time) (held bool, err error) {
	excluded, err := exclusions(ctx, tx, m)
	if err != nil {
		return false, err
	}
	c := call.Content
	v := judge(c.Text, excluded)
	if v.Passed() {
		return false, nil
	}
	if c.Begun() {
		return true, s.abandon(ctx, tx, m, call, t, c.Untaken(v.Failure()), now)
	}
	ch, err := c.Hold(v, now)
	if err != nil {
		return false, err
	}
	posts, err := tx.UnsettledContents(ctx, m.ID)
	if err != nil {
		return false, err
	}
	changes := []mission.ContentChange{ch}
	if err := reviewHeld(ctx, tx, m, posts, changes, now); err != nil {
		return false, err
	}
	if err := tx.ChangeContent(ctx, changes...); err != nil {
		return false, err
	}
	call.Content = changes[0].To
	return true, tx.FinishTask(ctx, t)
}

// recheckBatch is how many missions a run of RecheckTenant goes through.
const recheckBatch = 50

// RecheckTenant holds the posts of a tenant's missions to its exclusions, which
// have changed: a transaction a mission, a task a batch of them. The task's
// subject is the mission behind which it goes on.
func (s *Service) RecheckTenant(ctx context.Context, t mission.Task) error {
	ids, err := s.db.UnfinishedMissions(ctx, t.TenantID, t.Subject, recheckBatch)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.recheckMission(ctx, t.TenantID, id); err != nil {
			return err
		}
	}
	return s.db.Tx(ctx, func(tx store.Tx) error {
		if len(ids) == recheckBatch {
			now := s.clock.Now()
			if err := tx.AddTasks(ctx, now, mission.NewTenantTask(t.TenantID, t.Type, ids[len(ids)-1], now)); err != nil {
				return err
			}
		}
		return tx.FinishTask(ctx, t)
	})
}

func (s *Service) recheckMission(ctx context.Context, tenantID, id string) error {
	return s.db.Tx(ctx, func(tx store.Tx) error {
		m, err := tx.LockMission(ctx, tenantID, id)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return nil
		}
		if err != nil || m.Status == mission.StatusCompleted {
			return err
		}
		return s.recheck(ctx, tx, m, s.clock.Now())
	})
}
