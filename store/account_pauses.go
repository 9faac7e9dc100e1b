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

// PausedAccount is an account that isn't called; IntegrationID is "" for the sandbox.
type PausedAccount struct {
	Platform      mission.Platform
	IntegrationID string
}

// AccountPauses returns until when calls to a tenant's accounts are stopped, of those where they
// are at a time.
func (db *DB) AccountPauses(ctx context.Context, tenantID string, at time.Time) (map[PausedAccount]time.Time, error) {
	q := db.NewSelect().Where("h.tenant_id = ?", tenantID).Where("h.until > ?", at)
	return findMap(ctx, db.read, q, func(r holdRow) (PausedAccount, time.Time) {
		return PausedAccount{r.Platform, r.IntegrationID}, r.Until
	})
}
