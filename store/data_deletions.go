package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type dataDeletionRow struct {
	bun.BaseModel `bun:"table:data_deletions,alias:dd"`
	mission.DataDeletion
}

func (r dataDeletionRow) deletion() mission.DataDeletion { return r.DataDeletion }

// DataDeletion returns a request to delete data, by its code; ok is false if there is none.
func (db *DB) DataDeletion(ctx context.Context, code string) (d mission.DataDeletion, ok bool, err error) {
	return findOne(ctx, db.read, db.NewSelect().Where("dd.code = ?", code), dataDeletionRow.deletion)
}

// SetDataDeletion stores a request to delete data, or that it was completed, and deletes those made
// before a time.
func (tx Tx) SetDataDeletion(ctx context.Context, d mission.DataDeletion, before time.Time) error {
	row := dataDeletionRow{DataDeletion: d}
	err := tx.write(ctx, tx.NewInsert().Model(&row).On("CONFLICT (code) DO UPDATE").
		Set("completed_at = COALESCE(dd.completed_at, EXCLUDED.completed_at)"))
	if err != nil {
		return err
	}
	return tx.write(ctx, tx.NewDelete().Model((*dataDeletionRow)(nil)).Where("requested_at < ?", before))
}

// OwnedIntegrations returns up to limit integrations of all tenants, or of one, with accounts of a
// platform that a person has, after one of them: those whose owner or account has the id. With
// disconnected they include those that were disconnected.
func (db *DB) OwnedIntegrations(
	ctx context.Context, tenantID string, p mission.Platform, personID string, disconnected bool, after mission.Integration, limit int,
) ([]mission.Integration, error) {
	by := func(column string) *bun.SelectQuery {
		q := db.NewSelect().Model((*integrationRow)(nil)).Where("i.platform = ?", p).
			Where("i."+column+" = ?", personID).Where("i." + column + " <> ''")
		if tenantID != "" {
			q.Where("i.tenant_id = ?", tenantID)
		}
		if disconnected {
			q.WhereAllWithDeleted()
		}
		return q
	}
	q := db.NewSelect().Model((*integrationRow)(nil)).ModelTableExpr("(?) AS i", by("owner_id").Union(by("account_key"))).
		WhereAllWithDeleted().Where("(i.tenant_id, i.id) > (?, ?)", after.TenantID, after.ID).OrderExpr("i.tenant_id, i.id").Limit(int64(limit))
	return findAll(ctx, db.read, q, integrationRow.integration)
}
