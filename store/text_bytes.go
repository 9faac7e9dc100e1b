package store

import (
	"context"

	"missiond/internal/database"
	"missiond/mission"
)

// counterTextBytes is the name of the counter of the bytes that a tenant's texts take: those that were written in its
// missions, whose counters have a mission's id too, and the records that are kept of deleted ones.
const counterTextBytes = "texts:bytes"

func missionTextBytes(missionID string) string { return counterTextBytes + ":" + missionID }

// countTexts counts what the transaction writes in a mission, at its end.
func (tx Tx) countTexts(tenantID, missionID string, bytes int) {
	tx.done.changes[counterRow{TenantID: tenantID, Name: counterTextBytes}] += bytes
	tx.done.changes[counterRow{TenantID: tenantID, Name: missionTextBytes(missionID)}] += bytes
}

// dropTexts counts the texts of a mission out, which is deleted.
func (tx Tx) dropTexts(ctx context.Context, m mission.Mission) error {
	var gone []counterRow
	q := tx.NewDelete().Model(&gone).Where("tenant_id = ?", m.TenantID).Where("name = ?", missionTextBytes(m.ID)).Returning("*")
	if err := database.Scan(ctx, tx.on, q, &gone); err != nil {
		return err
	}
	for _, c := range gone {
		tx.done.changes[counterRow{TenantID: m.TenantID, Name: counterTextBytes}] -= c.N
	}
	return nil
}

// TextBytes returns how many bytes a tenant's texts take.
func (db *DB) TextBytes(ctx context.Context, tenantID string) (int64, error) {
	n, err := db.counter(ctx, tenantID, counterTextBytes)
	return int64(n), err
}

// CheckTextQuota returns a conflict if a tenant's texts take as much as its plan allows. Others may add some meanwhile.
func (tx Tx) CheckTextQuota(ctx context.Context, tenantID string) error {
	var used struct {
		Plan mission.TenantPlan
		N    int64
	}
	texts := tx.NewSelect().Model((*counterRow)(nil)).Column("n").Where("c.tenant_id = tn.id").Where("c.name = ?", counterTextBytes)
	q := tx.NewSelect().TableExpr("tenants AS tn").Column("plan").ColumnExpr("COALESCE((?), 0) AS n", texts).Where("tn.id = ?", tenantID)
	if err := database.Scan(ctx, tx.on, q, &used); err != nil {
		return err
	}
	return mission.CheckTextQuota(used.N, used.Plan)
}
