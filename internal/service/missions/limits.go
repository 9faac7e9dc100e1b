package missions

import (
	"context"

	"missiond/mission"
)

// ownLimits returns the own limits of the account of a tenant's post: that of an
// integration or, with "", the platform's default.
func (s *core) ownLimits(ctx context.Context, tenantID string, p mission.Platform, integrationID string) (mission.TextLimits, error) {
	if caps, _ := mission.CapabilitiesOf(p); !caps.OwnLimits {
		return mission.TextLimits{}, nil
	}
	on, err := s.db.AccountsOn(ctx, tenantID, []string{string(p)})
	if err != nil {
		return mission.TextLimits{}, err
	}
	for _, i := range on[p] {
		if i.Account != nil && (i.ID == integrationID || integrationID == "" && i.Default) {
			return i.Account.Limits, nil
		}
	}
	return mission.TextLimits{}, nil
}
