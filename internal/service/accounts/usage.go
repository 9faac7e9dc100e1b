package accounts

import (
	"context"
	"sync"
	"time"

	"missiond/mission"
	"missiond/store"
)

// useBatch is how many counters are written in one transaction.
const useBatch = 500

// useKey is the key of a counter of uses.
type useKey struct{ tenantID, keyID, day string }

// meter counts uses in memory, so that a request needs no write.
type meter struct {
	mu     sync.Mutex
	counts map[useKey]*store.Use
}

func (m *meter) count(p mission.Principal, now time.Time) {
	m.add(store.Use{TenantID: p.TenantID, KeyID: p.KeyID, Requests: 1, LastAt: now})
}

func (m *meter) add(u store.Use) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := useKey{u.TenantID, u.KeyID, u.LastAt.UTC().Format(time.DateOnly)}
	counted, ok := m.counts[key]
	if !ok {
		m.counts[key] = &u
		return
	}
	counted.Requests += u.Requests
	if u.LastAt.After(counted.LastAt) {
		counted.LastAt = u.LastAt
	}
}

// take empties the meter and returns its counts.
func (m *meter) take() []store.Use {
	m.mu.Lock()
	defer m.mu.Unlock()
	uses := make([]store.Use, 0, len(m.counts))
	for _, u := range m.counts {
		uses = append(uses, *u)
	}
	m.counts = map[useKey]*store.Use{}
	return uses
}

// FlushUsage writes the counts since the last flush. Counts that can't be written are
// retained for the next flush.
func (a *Service) FlushUsage(ctx context.Context) error {
	uses := a.uses.take()
	for len(uses) > 0 {
		batch := uses[:min(len(uses), useBatch)]
		if err := a.store.Tx(ctx, func(tx store.Tx) error { return tx.AddUses(ctx, batch) }); err != nil {
			for _, u := range uses {
				a.uses.add(u)
			}
			return err
		}
		uses = uses[len(batch):]
	}
	return nil
}

// Usage returns the usage of the caller's tenant. It may lag by a few seconds.
func (a *Service) Usage(ctx context.Context, p mission.Principal) (mission.Usage, error) {
	now := a.clock.Now()
	requests, err := a.db.DailyRequests(ctx, p.TenantID, mission.UsageSince(now))
	if err != nil {
		return mission.Usage{}, err
	}
	u := mission.NewUsage(p.Allowance(), requests, now)
	u.MediaQuota, u.TextQuota = mission.MediaQuota(p.Plan), mission.TextQuota(p.Plan)
	if u.MediaBytes, err = a.db.MediaBytes(ctx, p.TenantID); err != nil {
		return u, err
	}
	u.TextBytes, err = a.db.TextBytes(ctx, p.TenantID)
	return u, err
}
