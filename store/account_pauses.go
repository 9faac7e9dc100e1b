package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type holdRow struct {
	bun.BaseModel `bun:"table:account_holds,alias:h"`

	TenantID      string           `bun:",pk"`
	Platform      mission.Platform `bun:",pk"`
	IntegrationID string           `bun:",pk"`
	Until         time.Time
}

// PauseAccount stops calls to a platform for an integration of a tenant's, or with "" for
// its sandbox, at least until a time.
func (tx Tx) PauseAccount(ctx context.Context, tenantID string, p mission.Platform, integrationID string, until time.Time) error {
	return tx.write(ctx, tx.NewInsert().Model(&holdRow{TenantID: tenantID, Platform: p, IntegrationID: integrationID, Until: until}).
		On("CONFLICT (tenant_id, platform, integration_id) DO UPDATE").
		Set("until = CASE WHEN EXCLUDED.until > h.until THEN EXCLUDED.until ELSE h.until END"))
}
