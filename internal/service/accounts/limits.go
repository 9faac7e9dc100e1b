package accounts

import (
	"context"

	"missiond/mission"
)

// LimitUse is a limit of the tenant, and how much of it is used now: nil where that
// isn't known without effort, or if the caller may not know it.
type LimitUse struct {
	mission.Limit

	Used *int
}

// TenantLimits returns the limits of the caller's tenant.
func (a *Service) TenantLimits(ctx context.Context, p mission.Principal) ([]LimitUse, error) {
	used := map[mission.LimitKind]*int{}
	if p.Permits(mission.OpIntegrationsList) == nil {
		webhooks, integrations, err := a.db.CountConnected(ctx, p.TenantID)
		if err != nil {
			return nil, err
		}
		used[mission.LimitOfWebhooks], used[mission.LimitOfIntegrations] = &webhooks, &integrations
	}
	limits := p.TenantLimits()
	list := make([]LimitUse, len(limits))
	for i, l := range limits {
		list[i] = LimitUse{Limit: l, Used: used[l.Kind]}
	}
	return list, nil
}
