package missions

import (
	"context"
	"maps"
	"slices"
	"time"

	"missiond/internal/checks"
	"missiond/mission"
	"missiond/store"
)

// Move is a post's new time.
type Move struct {
	ID          string
	ScheduledAt time.Time
}

// RescheduleEach moves several posts to instants that a person chose, of which one that can't
// be moved doesn't stop the others, and returns what became of each in their order. Posts may
// take each other's times. Errors: invalid_request on items.
func (s *API) RescheduleEach(ctx context.Context, p mission.Principal, items []Move) ([]Reviewed, error) {
	ids, times := make([]string, len(items)), map[string]time.Time{}
	for i, item := range items {
		ids[i], times[item.ID] = item.ID, mission.Millis(item.ScheduledAt)
	}
	return s.decideEach(ctx, p, mission.OpContentReschedule, ids, "items[%d].id", nil, decision{
		of: func(m mission.Mission, c mission.Content, _ *int, _ *checks.Exclusions, now time.Time) (mission.ContentChange, error) {
			return c.Place(m, times[c.ID], now)
		},
		write: func(ctx context.Context, b *bulk, m mission.Mission, changes []mission.ContentChange) error {
			return place(ctx, b.tx, m, changes, b.now)
		},
		beside: func(ctx context.Context, b *bulk) error { return b.moveApart(ctx) },
	})
}

// moveApart leaves those of the moves that can be made beside each other, and records why the others
// can't.
func (b *bulk) moveApart(ctx context.Context) error {
	quotas, err := quotasOf(ctx, b.tx, b.principal.TenantID, b.changes())
	if err != nil {
		return err
	}
	posts := make([][]mission.Content, len(b.decided))
	for i, d := range b.decided {
		if posts[i], err = b.tx.Slots(ctx, d.mission.ID); err != nil {
			return err
		}
	}
	for before := -1; before != len(b.changes()); { // a post that stays may be in the way of another
		before = len(b.changes())
		made, over := mission.WithinQuotas(quotas, b.changes())
		for _, ch := range over {
			b.failed[ch.To.ID] = quotas[ch.To.IntegrationID].Without(ch.FromSlot).Refusal(ch.To.Destination(), *ch.To.ScheduledAt)
		}
		for i := range b.decided {
			d := &b.decided[i]
			var taken []mission.ContentChange
			d.changes, taken = mission.Apart(posts[i], only(made, func(ch mission.ContentChange) bool { return ch.To.MissionID == d.mission.ID }))
			for _, ch := range taken {
				b.failed[ch.To.ID] = slotTaken(*ch.To.ScheduledAt)
			}
		}
	}
	return nil
}

// quotasOf returns the daily quotas of the accounts whose posts are moved; see dailyQuotas.
func quotasOf(ctx context.Context, tx store.Tx, tenantID string, moves []mission.ContentChange) (map[string]*mission.Quota, error) {
	var ids []string
	var at []time.Time
	for _, ch := range moves {
		ids, at = append(ids, ch.To.IntegrationID), append(at, *ch.To.ScheduledAt)
		if ch.FromSlot != nil {
			at = append(at, *ch.FromSlot)
		}
	}
	found, err := tx.IntegrationsByID(ctx, tenantID, compact(ids))
	if err != nil {
		return nil, err
	}
	accounts := slices.Collect(maps.Values(found))
	return dailyQuotas(ctx, tx, tenantID, accounts, slices.MinFunc(at, time.Time.Compare), slices.MaxFunc(at, time.Time.Compare))
}

// CancelEach cancels several unpublished posts, of which one that can't be canceled doesn't
// stop the others, and returns what became of each in their order. Errors: invalid_request
// on ids.
func (s *API) CancelEach(ctx context.Context, p mission.Principal, ids []string) ([]Reviewed, error) {
	return s.decideEach(ctx, p, mission.OpContentCancel, ids, "ids[%d]", nil, decision{
		of: func(_ mission.Mission, c mission.Content, _ *int, _ *checks.Exclusions, now time.Time) (mission.ContentChange, error) {
			return c.Withhold(now)
		},
		write: func(ctx context.Context, b *bulk, m mission.Mission, changes []mission.ContentChange) error {
			return s.withhold(ctx, b.tx, m, changes, b.now)
		},
	})
}

// withhold writes that a person canceled posts of a mission.
func (s *API) withhold(ctx context.Context, tx store.Tx, m mission.Mission, changes []mission.ContentChange, now time.Time) error {
	if err := s.moved(ctx, tx, m, changes, now); err != nil {
		return err
	}
	return distrust(ctx, tx, m, now)
}

// place writes that a person moved posts of a mission, with the tasks of their new times.
func place(ctx context.Context, tx store.Tx, m mission.Mission, changes []mission.ContentChange, now time.Time) error {
	if err := tx.ChangeContent(ctx, changes...); err != nil {
		return err
	}
	var tasks []mission.Task
	for _, ch := range changes {
		switch ch.To.Status {
		case mission.ContentScheduled:
			tasks = append(tasks, mission.NewTask(m, mission.TaskContentPublish, ch.To.ID, *ch.To.ScheduledAt))
		case mission.ContentPendingReview:
			tasks = slices.Concat(tasks, reviewTasks(m, mission.Job{}, nil, ch.To))
		default: // it is scheduled when its job's posts are written
		}
	}
	return replaceTasks(ctx, tx, m, tasks, now)
}
