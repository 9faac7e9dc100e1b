package missions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

// ApproveContents approves several posts, all of them or none, and returns them in
// the order of ids. The number of statements grows only with their missions and
// jobs. Errors: invalid_request on ids; not_found; conflict, naming the id.
func (s *API) ApproveContents(ctx context.Context, p mission.Principal, ids []string) (approved []mission.Content, err error) {
	if err := checkBulk(ids); err != nil {
		return nil, err
	}
	approved, err = idempotency.Once(ctx, s.db, func(tx store.Tx) ([]mission.Content, error) {
		missions, err := tx.ContentMissions(ctx, p.TenantID, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if missions[id] == "" {
				return nil, mission.NotFound(contentNoun, id)
			}
		}
		// In one order, so that concurrent approvals of the same missions don't
		// deadlock.
		for _, id := range slices.Compact(slices.Sorted(maps.Values(missions))) {
			if err := s.approveOf(ctx, tx, p, id, ids, missions); err != nil {
				return nil, err
			}
		}
		return tx.LockContents(ctx, p.TenantID, ids)
	})
	slices.SortFunc(approved, func(a, b mission.Content) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return approved, err
}

func checkBulk(ids []string) error {
	if len(ids) == 0 || len(ids) > MaxBulk {
		return mission.Invalid("ids", "Give 1 to %d ids.", MaxBulk)
	}
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return mission.Invalid(fmt.Sprintf("ids[%d]", i), "Duplicate id %q.", id)
		}
		if !mission.HasIDForm(mission.PrefixContent, id) {
			return mission.NotFound(contentNoun, id)
		}
	}
	return nil
}

// approveOf approves those of the posts that belong to a mission.
func (s *API) approveOf(ctx context.Context, tx store.Tx, p mission.Principal, missionID string, ids []string, missions map[string]string) error {
	m, err := tx.LockMission(ctx, p.TenantID, missionID)
	if err != nil {
		return err
	}
	if err := reviewing(m); err != nil {
		return err
	}
	posts, err := tx.LockContents(ctx, p.TenantID, slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return missions[id] != missionID }))
	if err != nil {
		return err
	}
	excluded, err := exclusions(ctx, tx, m)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	changes := make([]mission.ContentChange, len(posts))
	jobs := map[string]bool{}
	for i, c := range posts {
		jobs[c.JobID] = true
		if changes[i], err = c.Approve(p.UserID, judge(c.FullText(), excluded), nil, now); err != nil {
			return naming(fmt.Sprintf("ids[%d]", slices.Index(ids, c.ID)), err)
		}
	}
	if err := tx.ChangeContent(ctx, changes...); err != nil {
		return err
	}
	return s.scheduleJobs(ctx, tx, m, slices.Sorted(maps.Keys(jobs)), now)
}

// scheduleJobs schedules the approved posts of jobs, of which there are rarely
// more than one.
func (s *API) scheduleJobs(ctx context.Context, tx store.Tx, m mission.Mission, ids []string, now time.Time) error {
	for _, id := range ids {
		j := m.JobOf(mission.Content{}) // of posts by people
		if id != "" {
			var err error
			if j, err = tx.LockJob(ctx, m.TenantID, id); err != nil {
				return err
			}
		}
		if err := s.scheduleApproved(ctx, tx, opened{mission: m, job: j, now: now}); err != nil {
			return err
		}
	}
	return nil
}

// naming sets the param of an error that has none.
func naming(field string, err error) error {
	var m *mission.Error
	if !errors.As(err, &m) || m.Param != "" {
		return err
	}
	named := *m
	named.Param = field
	return &named
}
