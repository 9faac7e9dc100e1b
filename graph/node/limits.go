package node

import (
	"time"

	"missiond/internal/service/accounts"
	"missiond/mission"
)

// TenantLimit is a limit of the tenant.
type TenantLimit struct {
	Kind       mission.LimitKind
	Operation  *string
	Limit      int
	PerSeconds *int
	Burst      *int
	Used       *int
}

// NewTenantLimit returns a limit as it is shown.
func NewTenantLimit(l accounts.LimitUse) TenantLimit {
	shown := TenantLimit{Kind: l.Kind, Limit: l.Max, Used: l.Used}
	if l.Operation != "" {
		shown.Operation = new(string(l.Operation))
	}
	if l.Per > 0 {
		shown.PerSeconds = new(int(l.Per / time.Second))
	}
	if l.Burst > 0 {
		shown.Burst = &l.Burst
	}
	return shown
}
