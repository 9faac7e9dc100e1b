package rest

import (
	"context"
	"time"

	"missiond/mission"
)

// tenantHold is the hold on a tenant: the one that there is or, once it was released, was.
type tenantHold struct {
	Active bool       `json:"active" doc:"Whether the tenant is on hold" example:"true"`
	Reason *string    `json:"reason" doc:"Why; null if there is no hold" example:"An accident at the venue"`
	Since  *time.Time `json:"since" doc:"Since when nothing is published"`
	Until  *time.Time `json:"until" doc:"When the hold ends by itself; null if somebody has to release it"`
	HeldBy *string    `json:"held_by" doc:"The user or API key that has set it" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
}

func showHold(h *mission.Hold, active bool) tenantHold {
	if h == nil {
		return tenantHold{}
	}
	return tenantHold{Active: active, Reason: &h.Reason, Since: &h.Since, Until: h.Until, HeldBy: orNull(h.By)}
}

func (a *API) readHold(ctx context.Context, p mission.Principal, _ *struct{}) (tenantHold, error) {
	h, err := a.missions.TenantHold(ctx, p)
	return showHold(h, true), err
}

func (a *API) holdTenant(ctx context.Context, p mission.Principal, _ *RawText, in mission.HoldInput) (tenantHold, error) {
	h, err := a.missions.HoldTenant(ctx, p, in)
	return showHold(h, true), err
}

func (a *API) releaseTenant(ctx context.Context, p mission.Principal, _ *struct{}) (tenantHold, error) {
	h, err := a.missions.ReleaseTenant(ctx, p)
	return showHold(h, false), err
}
