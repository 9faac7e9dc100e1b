package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// Only the database's clock decides about leases: a lease ends a duration after the
// statement that grants or renews it, and a statement decides whether it has
// expired. So processes whose clocks differ agree on who holds what. A process
// measures its own lease from before its statement, and gives it up in time.

// longestLease is longer than any lease that is granted. A lease that ends
// later was granted by a wrong clock and counts as expired.
const longestLease = time.Hour

// leaseEnd returns, for a query, the end of a lease that begins now.
func (db *DB) leaseEnd(d time.Duration) any { return db.dialect.instant(d + db.base.Faults().Ahead()) }

// lapsed returns the condition that a column holds no lease, or one that ends
// within a duration.
func (db *DB) lapsed(column string, within time.Duration) (query string, by, longest any) {
	return "(" + column + " IS NULL OR " + column + " <= ? OR " + column + " > ?)", db.leaseEnd(within), db.leaseEnd(longestLease)
}

// due returns the condition that a task's time has come: by the process's clock, which
// says now, and in production by the database's too.
func (db *DB) due(now any) (query string, by, database any) {
	if !db.timing.Production {
		return "(run_at <= ? AND ?)", now, bun.Safe("TRUE")
	}
	return "(run_at <= ? AND run_at <= ?)", now, db.dialect.instant(db.base.Faults().Ahead())
}

// Time returns the time by the database's clock.
func (db *DB) Time(ctx context.Context) (now time.Time, err error) {
	at := db.dialect.instant(0)
	if now, ok := at.(time.Time); ok {
		return now, nil
	}
	err = database.Scan(ctx, db.read, db.NewSelect().ColumnExpr("?", at), &now)
	return now, err
}
