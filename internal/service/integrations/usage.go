package integrations

import (
	"context"
	"maps"
	"slices"

	"missiond/mission"
)

// UsageOf returns what each of the tenant's accounts is used for, by integration id.
func (g *Service) UsageOf(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.IntegrationUsage, error) {
	usage, err := g.db.PostsOf(ctx, p.TenantID, ids)
	if err != nil || len(usage) == 0 {
		return nil, err
	}
	missions, err := g.db.MissionAccounts(ctx, p.TenantID, mission.UsageLooked)
	if err != nil || len(missions) == 0 {
		return usage, err
	}
	platforms, chosen := map[mission.Platform]bool{}, map[string]bool{}
	for _, m := range missions {
		for _, on := range m.Platforms {
			platforms[on] = true
		}
		for _, id := range m.IntegrationIDs {
			chosen[id] = true
		}
	}
	accounts, err := g.db.Accounts(ctx, p.TenantID, slices.Collect(maps.Keys(platforms)), slices.Collect(maps.Keys(chosen)))
	through := mission.AccountsOf(missions, accounts)
	for id, u := range usage {
		u.MissionIDs = through(id)
		usage[id] = u
	}
	return usage, err
}
