package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type auditRow struct {
	bun.BaseModel `bun:"table:audit_log,alias:a"`

	ID        string `bun:",pk"`
	TenantID  string
	UserID    string `bun:",nullzero"`
	KeyID     string `bun:",nullzero"`
	Action    mission.AuditAction
	TargetID  string
	Details   map[string]any
	CreatedAt time.Time
}

func (r auditRow) entry() mission.AuditEntry {
	return mission.AuditEntry{
		ID: r.ID, TenantID: r.TenantID, UserID: r.UserID, KeyID: r.KeyID, Action: r.Action,
		TargetID: r.TargetID, Details: r.Details, CreatedAt: mission.Millis(r.CreatedAt),
	}
}

var auditNewest = keyset{table: "audit_log", noun: "audit log entry", at: "a.created_at", id: "a.id"}

// addAudit inserts an entry. The methods that write an audited change call it,
// so no change is without its entry.
func (tx Tx) addAudit(ctx context.Context, e mission.AuditEntry) error {
	return tx.addAudits(ctx, []mission.AuditEntry{e})
}

// addAudits inserts entries of one tenant.
func (tx Tx) addAudits(ctx context.Context, entries []mission.AuditEntry) error {
	rows := make([]auditRow, len(entries))
	for i, e := range entries {
		rows[i] = auditRow{
			ID: e.ID, TenantID: e.TenantID, UserID: e.UserID, KeyID: e.KeyID, Action: e.Action,
			TargetID: e.TargetID, Details: e.Details, CreatedAt: e.CreatedAt,
		}
	}
	if _, err := tx.insert().Model(&rows).Exec(ctx); err != nil {
		return err
	}
	return tx.addCounters(ctx, map[counterRow]int{{TenantID: rows[0].TenantID, Name: counterAudit}: len(rows)})
}

// AuditEntry returns an entry of a tenant's audit log. Errors: not_found.
func (db *DB) AuditEntry(ctx context.Context, tenantID, id string) (mission.AuditEntry, error) {
	var row auditRow
	err := db.read.NewSelect().Model(&row).Where("a.id = ?", id).Where("a.tenant_id = ?", tenantID).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.AuditEntry{}, mission.NotFound("audit log entry", id)
	}
	return row.entry(), err
}

// AuditLog returns a page of a tenant's audit log, newest first, and whether
// there is more. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) AuditLog(ctx context.Context, tenantID string, p Page) (list []mission.AuditEntry, more bool, err error) {
	var rows []auditRow
	b := db.bound()
	q := b.NewSelect().Model(&rows).Where("a.tenant_id = ?", b.bind(tenantID))
	more, err = readPage(ctx, db, b, q, auditNewest, tenantID, p, &rows)
	if err != nil {
		return nil, false, err
	}
	for _, r := range rows {
		list = append(list, r.entry())
	}
	return list, more, nil
}

// CountAudit returns how many entries a tenant's audit log has.
func (db *DB) CountAudit(ctx context.Context, tenantID string) (int, error) {
	return db.counter(ctx, tenantID, counterAudit)
}
