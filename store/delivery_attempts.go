package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type attemptRow struct {
	bun.BaseModel `bun:"table:delivery_attempts,alias:da"`
	mission.Attempt
}

// AttemptsOf returns the attempts of a tenant's deliveries, in order, by the
// deliveries' ids.
func (db *DB) AttemptsOf(ctx context.Context, tenantID string, deliveryIDs []string) (map[string][]mission.Attempt, error) {
	var rows []attemptRow
	// The ids are said of both tables: Postgres doesn't infer a list of the one from that of the
	// other, and read them sixteen times as long.
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&rows).Join("JOIN deliveries AS d ON d.id = da.delivery_id").Where("d.tenant_id = ?", tenantID).
		Where("?", database.In("d.id", deliveryIDs)).Where("?", database.In("da.delivery_id", deliveryIDs)).OrderExpr("da.delivery_id, da.number"), &rows)
	attempts := make(map[string][]mission.Attempt, len(deliveryIDs))
	for _, id := range deliveryIDs {
		attempts[id] = nil
	}
	for _, r := range rows {
		attempts[r.DeliveryID] = append(attempts[r.DeliveryID], r.Attempt)
	}
	return attempts, err
}
