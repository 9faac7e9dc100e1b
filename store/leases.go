package store

import "time"

// A lease is decided by the database's clock alone: it ends a duration ahead of
// the statement that gives or renews it, and is over for the statement that looks
// at it. Processes whose clocks differ so agree on who holds what. A process that
// takes a lease counts from before its statement, and gives it up in time.

// longestLease is longer than any lease is given for. One that ends later was
// given by another clock, and is over.
const longestLease = time.Hour

// leaseEnd is the end of a lease that begins now, for a query.
func (db *DB) leaseEnd(d time.Duration) any { return db.dialect.instant(d + db.faults.ahead()) }

// lapsed is the condition that the lease in a column is none, or ends within a
// duration.
func (db *DB) lapsed(column string, within time.Duration) (query string, by, longest any) {
	return "(" + column + " IS NULL OR " + column + " <= ? OR " + column + " > ?)", db.leaseEnd(within), db.leaseEnd(longestLease)
}
