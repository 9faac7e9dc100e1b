package integrations

import (
	"cmp"
	"context"
	"slices"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Attention returns the tenant's accounts that need their owners: those that must be
// connected again, and those whose credentials expire and can't be renewed without them.
// Callers without the scope integrations:read see none.
func (g *Service) Attention(ctx context.Context, p mission.Principal) ([]mission.Attention, error) {
	if !p.Has(mission.ScopeIntegrationsRead) {
		return nil, nil
	}
	part, err := g.db.Integrations(ctx, p.TenantID, store.Page{Limit: mission.MaxIntegrations})
	if err != nil {
		return nil, err
	}
	var refused, expiring []mission.AttentionItem
	for _, i := range part.List {
		switch {
		case i.Status == mission.IntegrationNeedsReconnect:
			refused = append(refused, mission.AttentionItem{Integration: &i})
		case i.ExpiresAt != nil && i.Usable():
			c, err := g.open(i)
			if err != nil {
				return nil, err
			}
			if i.Expiring(c, g.options.Real.Now()) {
				expiring = append(expiring, mission.AttentionItem{Integration: &i, Deadline: i.ExpiresAt})
			}
		}
	}
	slices.SortStableFunc(expiring, func(a, b mission.AttentionItem) int {
		return cmp.Or(time.Time.Compare(*a.Deadline, *b.Deadline), cmp.Compare(a.Integration.ID, b.Integration.ID))
	})
	var list []mission.Attention
	if len(refused) > 0 {
		list = append(list, mission.NewAttention(mission.AttentionReconnect, len(refused), refused))
	}
	if len(expiring) > 0 {
		list = append(list, mission.NewAttention(mission.AttentionRenew, len(expiring), expiring))
	}
	return list, nil
}
