package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type holdRow struct {
	bun.BaseModel `bun:"table:platform_holds,alias:h"`

	TenantID string           `bun:",pk"`
	Platform mission.Platform `bun:",pk"`
	Until    time.Time
}

// HoldPlatform stops calls to a platform for a tenant, at least until a time.
func (tx Tx) HoldPlatform(ctx context.Context, tenantID string, p mission.Platform, until time.Time) error {
	_, err := tx.insert().Model(&holdRow{TenantID: tenantID, Platform: p, Until: until}).
		On("CONFLICT (tenant_id, platform) DO UPDATE").
		Set("until = CASE WHEN EXCLUDED.until > h.until THEN EXCLUDED.until ELSE h.until END").Exec(ctx)
	return err
}
