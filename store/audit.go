package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type auditRow struct {
	bun.BaseModel `bun:"table:audit_log,alias:a"`
	mission.AuditEntry
}

func (r auditRow) entry() mission.AuditEntry { return r.AuditEntry }

var auditNewest = keyset{table: "audit_log", noun: "audit log entry", at: "a.created_at", id: "a.id"}

// AuditEntry returns the entry for an action of by on a target, to be written with the
// change.
func (tx Tx) AuditEntry(by mission.Principal, action mission.AuditAction, target string, details map[string]any, now time.Time) mission.AuditEntry {
	return mission.NewAuditEntry(tx.NewID(mission.PrefixAudit, now), by, action, target, details, now)
}

// addAudit inserts an entry. The methods that write an audited change call it,
// so no change is without its entry.
func (tx Tx) addAudit(ctx context.Context, e mission.AuditEntry) error {
	return tx.addAudits(ctx, []mission.AuditEntry{e})
}

// addAudits inserts entries of one tenant.
func (tx Tx) addAudits(ctx context.Context, entries []mission.AuditEntry) error {
	rows := make([]auditRow, len(entries))
	for i, e := range entries {
		rows[i] = auditRow{AuditEntry: e}
		tx.countChange(e.TenantID, e.Action.Changes())
	}
	if err := tx.write(ctx, tx.NewInsert().Model(&rows)); err != nil {
		return err
	}
	return tx.addCounters(ctx, map[counterRow]int{{TenantID: rows[0].TenantID, Name: counterAudit}: len(rows)})
}

// AuditEntry returns an entry of a tenant's audit log. Errors: not_found.
func (db *DB) AuditEntry(ctx context.Context, tenantID, id string) (mission.AuditEntry, error) {
	return readOne(ctx, db.read, db.NewSelect().Where("a.id = ?", id).Where("a.tenant_id = ?", tenantID), auditRow.entry, "audit log entry", id)
}

// AuditLog returns a page of a tenant's audit log, newest first. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) AuditLog(ctx context.Context, tenantID string, f mission.AuditFilter, p Page) (Listed[mission.AuditEntry], error) {
	return readPart(ctx, db, auditWhere(db.NewSelect(), tenantID, f), auditNewest, tenantID, p, auditRow.entry)
}

// auditWhere has q select the entries of a tenant that pass a filter. Each of its ids, and
// the action, has an index in the log's order.
func auditWhere(q *bun.SelectQuery, tenantID string, f mission.AuditFilter) *bun.SelectQuery {
	q.Where("a.tenant_id = ?", tenantID)
	for column, of := range map[string]string{"user_id": f.UserID, "key_id": f.KeyID, "agent_id": f.AgentID, "target_id": f.TargetID, "action": string(f.Action)} {
		if of != "" {
			q.Where("a.? = ?", bun.Ident(column), of)
		}
	}
	created := f.Created.Stored()
	if created.From != nil {
		q.Where("a.created_at >= ?", *created.From)
	}
	if created.Until != nil {
		q.Where("a.created_at < ?", *created.Until)
	}
	return q
}

// CountAudit returns how many entries of a tenant's audit log pass a filter.
func (db *DB) CountAudit(ctx context.Context, tenantID string, f mission.AuditFilter) (n int, err error) {
	if f.None() {
		return db.counter(ctx, tenantID, counterAudit)
	}
	err = database.Scan(ctx, db.read, auditWhere(db.NewSelect().Model((*auditRow)(nil)).ColumnExpr("count(*)"), tenantID, f), &n)
	return n, err
}

// AuditEntriesByID returns those of a tenant's audit log entries that exist, by
// id.
func (db *DB) AuditEntriesByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.AuditEntry, error) {
	return byID(ctx, db, "a", tenantID, ids, auditRow.entry, func(x mission.AuditEntry) string { return x.ID })
}

// Audit inserts an audit log entry.
func (tx Tx) Audit(ctx context.Context, e mission.AuditEntry) error { return tx.addAudit(ctx, e) }

// DropAudit deletes up to limit audit log entries from before a time, and
// returns their number.
func (tx Tx) DropAudit(ctx context.Context, before time.Time, limit int) (int, error) {
	var gone []auditRow
	err := database.Scan(ctx, tx.on, tx.dropOld("audit_log", "id", "created_at < ?", before, limit), &gone)
	counts := map[counterRow]int{}
	for _, r := range gone {
		counts[counterRow{TenantID: r.TenantID, Name: counterAudit}]--
	}
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	return len(gone), tx.addCounters(ctx, counts)
}
