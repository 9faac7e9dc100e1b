package missions

import (
	"context"
	"slices"
	"time"

	"missiond/mission"
	"missiond/store"
)

// dailyQuotas returns the quotas of those of a tenant's accounts that have one, by integration, for posts
// from a time up to another, and locks them, so that nobody else plans with what is left. Missions are
// locked before.
func dailyQuotas(ctx context.Context, tx store.Tx, tenantID string, accounts []mission.Integration, from, to time.Time) (map[string]*mission.Quota, error) {
	quotas := map[string]*mission.Quota{}
	var ids []string
	for _, i := range accounts {
		if n := i.DailyPosts(); n > 0 && quotas[i.ID] == nil {
			quotas[i.ID], ids = mission.NewQuota(n, nil), append(ids, i.ID)
		}
	}
	if len(ids) == 0 {
		return quotas, nil
	}
	if err := tx.LockAccounts(ctx, tenantID, ids); err != nil {
		return nil, err
	}
	taken, err := tx.AccountTimes(ctx, tenantID, ids, from.Add(-mission.QuotaSpan), to.Add(mission.QuotaSpan))
	for id, q := range quotas {
		quotas[id] = mission.NewQuota(q.Posts(), taken[id])
	}
	return quotas, err
}

// planWithin returns a job's plan within the daily quotas of its accounts, and records its slots, so that
// the plans of other missions count them.
func planWithin(ctx context.Context, tx store.Tx, w Work, p mission.Plan, accounts []mission.Integration) (mission.Plan, error) {
	planned := map[string]bool{}
	for _, s := range p.Slots {
		planned[s.IntegrationID] = true
	}
	mine := only(accounts, func(i mission.Integration) bool { return planned[i.ID] })
	quotas, err := dailyQuotas(ctx, tx, w.Mission.TenantID, mine, w.Job.Window.Start, w.Job.Window.End)
	if err != nil {
		return p, err
	}
	p = p.Within(quotas, w.Job.Brief.Blackouts, w.Job.Window)
	var counted []mission.Slot
	for _, s := range p.Slots {
		if quotas[s.IntegrationID] != nil {
			counted = append(counted, s)
		}
	}
	return p, tx.AddPlannedSlots(ctx, w.Job, counted)
}

// postingQuotas returns the daily quotas of the accounts that posts by people may be for, whose missions
// are opened: around the times that are chosen, and until the missions' ends for those that get a free
// slot.
func postingQuotas(ctx context.Context, tx store.Tx, tenantID string, opened []*posting, in []ContentInput) (map[string]*mission.Quota, error) {
	var accounts []mission.Integration
	var at []time.Time
	for _, b := range opened {
		for _, i := range b.which {
			accounts = append(accounts, only(b.accounts, func(a mission.Integration) bool { return a.Platform == in[i].Platform })...)
			switch {
			case in[i].ScheduledAt != nil:
				at = append(at, mission.Millis(*in[i].ScheduledAt))
			case b.mission.EndsAt != nil:
				at = append(at, b.now, *b.mission.EndsAt)
			}
		}
	}
	if len(at) == 0 {
		return nil, nil
	}
	return dailyQuotas(ctx, tx, tenantID, accounts, slices.MinFunc(at, time.Time.Compare), slices.MaxFunc(at, time.Time.Compare))
}

// slot returns the post's slot: the one that it asks for, or the next free one at which its account
// has some of its daily quota left. placed reports whether the person chose it, if only as that of
// another post. Errors: invalid_request on scheduled_at; conflict.
func (b *posting) slot(in ContentInput, to mission.Destination) (at time.Time, placed bool, err error) {
	q := b.quotas[to.IntegrationID]
	if in.ScheduledAt != nil {
		at := mission.Millis(*in.ScheduledAt)
		if err := b.mission.CheckSlot(at, b.now); err != nil {
			return at, true, err
		}
		if mission.Taken(b.posts, "", to, at) {
			return at, true, slotTaken(at)
		}
		if !q.Allows(at) {
			return at, true, q.Refusal(to, at)
		}
		return at, true, nil
	}
	if in.Together && !b.shared.IsZero() && !mission.Taken(b.posts, "", to, b.shared) && q.Allows(b.shared) {
		return b.shared, true, nil
	}
	at, ok := b.mission.NextFree(b.posts, b.published, b.now)
	for ok && !q.Allows(at) {
		at = b.mission.FreeSlot(q.Next(at), b.posts)
		ok = b.mission.EndsAt == nil || at.Before(*b.mission.EndsAt)
	}
	if !ok {
		return at, false, mission.Conflict("%s", b.mission.NoTimeLeft(nil, b.now).Message)
	}
	b.shared = at
	return at, false, nil
}
