package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type tenantWriterRow struct {
	bun.BaseModel `bun:"table:tenant_writers,alias:tw"`
	mission.TenantWriter
}

func (r tenantWriterRow) writer() mission.TenantWriter { return r.TenantWriter }

// TenantWriter returns a tenant's own writer; ok is false if it has none.
func (db *DB) TenantWriter(ctx context.Context, tenantID string) (w mission.TenantWriter, ok bool, err error) {
	return findOne(ctx, db.read, db.NewSelect().Where("tw.tenant_id = ?", tenantID), tenantWriterRow.writer)
}

// TenantWriter is [DB.TenantWriter] as of the latest committed change.
func (tx Tx) TenantWriter(ctx context.Context, tenantID string) (w mission.TenantWriter, ok bool, err error) {
	return findOne(ctx, tx.on, tx.NewSelect().Where("tw.tenant_id = ?", tenantID), tenantWriterRow.writer)
}

// SetTenantWriter writes a tenant's own writer, with an audit log entry. The caller has the
// tenant's lock.
func (tx Tx) SetTenantWriter(ctx context.Context, w mission.TenantWriter, e mission.AuditEntry) error {
	row := tenantWriterRow{TenantWriter: w}
	err := tx.write(ctx, tx.NewInsert().Model(&row).On("CONFLICT (tenant_id) DO UPDATE").
		Set("url = EXCLUDED.url").Set("model = EXCLUDED.model").Set("sealed = EXCLUDED.sealed").Set("error = EXCLUDED.error").
		Set("input_price = EXCLUDED.input_price").Set("output_price = EXCLUDED.output_price").Set("updated_at = EXCLUDED.updated_at"))
	if err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// DropTenantWriter deletes a tenant's own writer, with an audit log entry.
func (tx Tx) DropTenantWriter(ctx context.Context, tenantID string, e mission.AuditEntry) error {
	if err := tx.write(ctx, tx.NewDelete().Model((*tenantWriterRow)(nil)).Where("tenant_id = ?", tenantID)); err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// JudgeTenantWriter records whether the endpoint of a tenant's own writer rejects calls: f is
// why, nil that it doesn't. changed is false if that was known, or the writer is another by now.
func (tx Tx) JudgeTenantWriter(ctx context.Context, w mission.TenantWriter, f *mission.Failure) (changed bool, err error) {
	row := tenantWriterRow{TenantWriter: mission.TenantWriter{TenantID: w.TenantID, Error: f}}
	q := tx.NewUpdate().Model(&row).Column("error").WherePK().
		Where("url = ?", w.URL).Where("model = ?", w.Model).Where("sealed = ?", w.Sealed)
	if f == nil {
		q.Where("error IS NOT NULL")
	} else {
		q.Where("error IS NULL")
	}
	n, err := tx.changed(ctx, q)
	return n > 0, err
}

// SealedTenantWriters returns up to limit tenants' own writers after one tenant's, by the
// tenants' ids, and locks them.
func (tx Tx) SealedTenantWriters(ctx context.Context, after string, limit int) ([]mission.TenantWriter, error) {
	return findAll(ctx, tx.on, tx.locking().Where("tw.tenant_id > ?", after).OrderExpr("tw.tenant_id").Limit(int64(limit)), tenantWriterRow.writer)
}

// ResealTenantWriter writes the key of a tenant's own writer, encrypted with another key.
func (tx Tx) ResealTenantWriter(ctx context.Context, w mission.TenantWriter) error {
	row := tenantWriterRow{TenantWriter: w}
	return tx.write(ctx, tx.NewUpdate().Model(&row).Column("sealed").WherePK())
}

type tenantAppRow struct {
	bun.BaseModel `bun:"table:tenant_apps,alias:ta"`
	mission.TenantApp
}

func (r tenantAppRow) app() mission.TenantApp { return r.TenantApp }

// TenantApp returns a tenant's own application at a platform; ok is false if it has none.
func (db *DB) TenantApp(ctx context.Context, tenantID string, p mission.Platform) (a mission.TenantApp, ok bool, err error) {
	return findOne(ctx, db.read, db.NewSelect().Where("ta.tenant_id = ?", tenantID).Where("ta.platform = ?", p), tenantAppRow.app)
}

// TenantApp is [DB.TenantApp] as of the latest committed change.
func (tx Tx) TenantApp(ctx context.Context, tenantID string, p mission.Platform) (a mission.TenantApp, ok bool, err error) {
	return findOne(ctx, tx.on, tx.NewSelect().Where("ta.tenant_id = ?", tenantID).Where("ta.platform = ?", p), tenantAppRow.app)
}

// SetTenantApp writes a tenant's own application, with an audit log entry. The caller has the
// tenant's lock.
func (tx Tx) SetTenantApp(ctx context.Context, a mission.TenantApp, e mission.AuditEntry) error {
	row := tenantAppRow{TenantApp: a}
	err := tx.write(ctx, tx.NewInsert().Model(&row).On("CONFLICT (tenant_id, platform) DO UPDATE").
		Set("client_id = EXCLUDED.client_id").Set("sealed = EXCLUDED.sealed").Set("updated_at = EXCLUDED.updated_at"))
	if err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// DropTenantApp deletes a tenant's own application, with an audit log entry.
func (tx Tx) DropTenantApp(ctx context.Context, a mission.TenantApp, e mission.AuditEntry) error {
	err := tx.write(ctx, tx.NewDelete().Model((*tenantAppRow)(nil)).Where("tenant_id = ?", a.TenantID).Where("platform = ?", a.Platform))
	if err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// SealedTenantApps returns up to limit tenants' own applications after one tenant's at a platform,
// in order, and locks them.
func (tx Tx) SealedTenantApps(ctx context.Context, tenantID string, p mission.Platform, limit int) ([]mission.TenantApp, error) {
	return findAll(ctx, tx.on, tx.locking().Where("(ta.tenant_id, ta.platform) > (?, ?)", tenantID, p).
		OrderExpr("ta.tenant_id, ta.platform").Limit(int64(limit)), tenantAppRow.app)
}

// ResealTenantApp writes the secret of a tenant's own application, encrypted with another key.
func (tx Tx) ResealTenantApp(ctx context.Context, a mission.TenantApp) error {
	row := tenantAppRow{TenantApp: a}
	return tx.write(ctx, tx.NewUpdate().Model(&row).Column("sealed").WherePK())
}
