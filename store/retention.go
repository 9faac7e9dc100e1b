package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// Old rows are deleted in steps, possibly by several processes at once: each deletes
// rows that no other has locked, and counts only what it deleted itself.

// DropAudit deletes up to limit audit log entries from before a time, and
// returns their number.
func (tx Tx) DropAudit(ctx context.Context, before time.Time, limit int) (int, error) {
	var gone []auditRow
	err := tx.dropOld("audit_log", "id", "created_at < ?", before, limit).Scan(ctx, &gone)
	counts := map[counterRow]int{}
	for _, r := range gone {
		counts[counterRow{TenantID: r.TenantID, Name: counterAudit}]--
	}
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	return len(gone), tx.addCounters(ctx, counts)
}

// DropNotifications is DropAudit for notifications, whether they were read or
// not.
func (tx Tx) DropNotifications(ctx context.Context, before time.Time, limit int) (int, error) {
	var gone []notificationRow
	err := tx.dropOld("notifications", "id", "created_at < ?", before, limit).Scan(ctx, &gone)
	counts := map[counterRow]int{}
	for _, r := range gone {
		counts[counterRow{TenantID: r.TenantID, Name: counterNotifications}]--
		if r.ReadAt == nil {
			counts[counterRow{TenantID: r.TenantID, Name: counterUnread}]--
		}
	}
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	return len(gone), tx.addCounters(ctx, counts)
}

// DropUsage is DropAudit for the counts of days before the day (UTC) of a time.
func (tx Tx) DropUsage(ctx context.Context, before time.Time, limit int) (int, error) {
	var gone []usageRow
	err := tx.dropOld("usage_days", "tenant_id, key_id, day", "day < ?", before.UTC().Format(dayFormat), limit).Scan(ctx, &gone)
	return len(gone), err
}

// dropOld deletes up to limit rows of a table for which a condition on a value
// is true, and returns them.
func (tx Tx) dropOld(table, key, condition string, value any, limit int) *bun.RawQuery {
	d := tx.db.dialect
	return tx.tx.NewRaw("WITH old AS "+d.materialized()+" (SELECT ? FROM ? WHERE ? LIMIT ?"+d.skipLocked()+") DELETE FROM ? WHERE (?) IN (SELECT ? FROM old) RETURNING *",
		bun.Safe(key), bun.Ident(table), bun.SafeQuery(condition, value), limit, bun.Ident(table), bun.Safe(key), bun.Safe(key))
}
