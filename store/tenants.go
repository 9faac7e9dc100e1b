package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type tenantRow struct {
	bun.BaseModel `bun:"table:tenants,alias:t"`
	mission.Tenant

	// UniqueSlug is the id: see migration 12.
	UniqueSlug string
}

func (r tenantRow) tenant() mission.Tenant { return r.Tenant }

// AddTenant inserts a tenant. added is false if its origin is taken.
func (tx Tx) AddTenant(ctx context.Context, t mission.Tenant) (added bool, err error) {
	row := tenantRow{Tenant: t, UniqueSlug: t.ID}
	n, err := tx.changed(ctx, tx.NewInsert().Model(&row).On("CONFLICT DO NOTHING"))
	return n == 1, err
}

// LockTenant returns a tenant and locks it; changes of its members wait for
// each other here. Errors: not_found.
func (tx Tx) LockTenant(ctx context.Context, id string) (mission.Tenant, error) {
	return readOne(ctx, tx.on, tx.lock(tx.NewSelect()).Where("t.id = ?", id), tenantRow.tenant, "tenant", id)
}

// LockOrigin is LockTenant by origin; ok is false if there is no such tenant.
func (tx Tx) LockOrigin(ctx context.Context, origin string) (t mission.Tenant, ok bool, err error) {
	return findOne(ctx, tx.on, tx.locking().Where("t.origin = ?", origin), tenantRow.tenant)
}

// Brand returns a tenant's brand as of the latest committed change. Errors:
// not_found.
func (tx Tx) Brand(ctx context.Context, tenantID string) (mission.Brand, error) {
	var row tenantRow
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model(&row).Column("brand").Where("t.id = ?", tenantID), &row)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Brand{}, mission.NotFound("tenant", tenantID)
	}
	return row.Brand, err
}

// SetTenant writes a tenant's settings with an audit log entry.
func (tx Tx) SetTenant(ctx context.Context, t mission.Tenant, entry mission.AuditEntry) error {
	row := tenantRow{Tenant: t}
	if err := tx.write(ctx, tx.NewUpdate().Model(&row).Column("name", "slug", "brand", "agents_may_approve", "autonomy_ended", "updated_at").WherePK()); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// SetDeletion writes whether, and when, a tenant is to be deleted, with an
// audit log entry. It adds the task that deletes the tenant, or removes it if
// the tenant stays.
func (tx Tx) SetDeletion(ctx context.Context, t mission.Tenant, now time.Time, entry mission.AuditEntry) error {
	row := tenantRow{Tenant: t}
	err := tx.write(ctx, tx.NewUpdate().Model(&row).Column("deletes_at", "deletion_asked_at", "deletion_asked_by").WherePK())
	if err != nil {
		return err
	}
	err = tx.write(ctx, tx.NewDelete().Model((*taskRow)(nil)).Where("tenant_id = ?", t.ID).Where("type = 'tenant:delete'"))
	if err != nil {
		return err
	}
	if t.DeletesAt != nil {
		if err := tx.AddTasks(ctx, now, mission.NewTenantTask(t.ID, mission.TaskTenantDelete, t.ID, now)); err != nil {
			return err
		}
	}
	return tx.addAudit(ctx, entry)
}

// SetHold writes whether a tenant is on hold, with the event and an audit log entry. Its tasks
// take their missions along at now, and when the hold ends by itself.
func (tx Tx) SetHold(ctx context.Context, t mission.Tenant, now time.Time, e mission.Event, entry mission.AuditEntry) error {
	row := tenantRow{Tenant: t}
	if err := tx.write(ctx, tx.NewUpdate().Model(&row).Column("hold", "autonomy_ended").WherePK()); err != nil {
		return err
	}
	err := tx.write(ctx, tx.NewDelete().Model((*taskRow)(nil)).Where("tenant_id = ?", t.ID).Where("type = 'tenant:hold'"))
	if err != nil {
		return err
	}
	tasks := []mission.Task{mission.NewTenantTask(t.ID, mission.TaskTenantHold, "", now)}
	if t.Hold != nil && t.Hold.Until != nil {
		tasks = append(tasks, mission.NewTenantTask(t.ID, mission.TaskTenantHold, "", *t.Hold.Until))
	}
	if err := tx.AddTasks(ctx, now, tasks...); err != nil {
		return err
	}
	if err := tx.addEvents(ctx, []mission.Event{e}); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// SetLimits replaces a tenant's overrides of its plan's limits.
func (tx Tx) SetLimits(ctx context.Context, tenantID string, limits mission.Limits) error {
	tx.countChange(tenantID, mission.ChangeTenant)
	return tx.write(ctx, tx.NewUpdate().Model(&tenantRow{Tenant: mission.Tenant{ID: tenantID, Limits: limits}}).Column("limits").WherePK())
}

// Tenants returns up to limit tenants, newest first; if after isn't "", only
// those that follow the tenant with that id.
func (db *DB) Tenants(ctx context.Context, after string, limit int) ([]mission.Tenant, error) {
	q := db.NewSelect().OrderExpr("t.created_at DESC, t.id DESC").Limit(int64(limit))
	if after != "" {
		q.Where("(t.created_at, t.id) < (SELECT created_at, id FROM tenants WHERE id = ?)", after)
	}
	return findAll(ctx, db.read, q, tenantRow.tenant)
}

// Tenant returns a tenant. Errors: not_found.
func (db *DB) Tenant(ctx context.Context, id string) (mission.Tenant, error) {
	return readTenant(ctx, db.read, db.Builder, id)
}

// Tenant returns a tenant as the transaction sees it. Errors: not_found.
func (tx Tx) Tenant(ctx context.Context, id string) (mission.Tenant, error) {
	return readTenant(ctx, tx.on, tx.Builder, id)
}

func readTenant(ctx context.Context, on database.Reader, b database.Builder, id string) (mission.Tenant, error) {
	return readOne(ctx, on, b.NewSelect().Where("t.id = ?", id), tenantRow.tenant, "tenant", id)
}
