package missions

import (
	"context"

	"missiond/mission"
)

// accountsOn are a tenant's integrations by platform, as far as they were read.
type accountsOn map[mission.Platform][]mission.Integration

// ownLimits returns the own limits of the account of a tenant's post: that of an
// integration or, with "", the platform's default. It caches in known what it reads.
func (s *core) ownLimits(
	ctx context.Context, known accountsOn, tenantID string, p mission.Platform, integrationID string,
) (mission.TextLimits, error) {
	if caps, _ := mission.CapabilitiesOf(p); !caps.OwnLimits {
		return mission.TextLimits{}, nil
	}
	accounts, ok := known[p]
	if !ok {
		on, err := s.store.AccountsOn(ctx, tenantID, []string{string(p)})
		if err != nil {
			return mission.TextLimits{}, err
		}
		accounts = on[p]
		known[p] = accounts
	}
	for _, i := range accounts {
		if i.Account != nil && (i.ID == integrationID || integrationID == "" && i.Default) {
			return i.Account.Limits, nil
		}
	}
	return mission.TextLimits{}, nil
}
