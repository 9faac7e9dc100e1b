package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/id"
	"missiond/mission"
)

// Postgres keeps the tables that grow with every post, event and day in partitions of a
// calendar month (UTC), so that what is old is dropped with its partition: deleting writes
// each row to the log again, and leaves its space to vacuum. The months' partitions are
// made ahead of time. A row of any other time goes to the table's default partition,
// NAME_other, and what a table had when it was divided is NAME_first. No foreign
// key refers to a monthly table: a month is dropped without a scan.

// monthly is a table that Postgres keeps in monthly partitions.
type monthly struct {
	table string
	// column tells the month: an id, which begins with its time, or a day.
	column string
	// prefix is the ids' prefix; "" for days.
	prefix string
	// key is the primary key.
	key string
	// unused are the indexes that only deleting row by row needs.
	unused []string
}

// monthlyTables are the monthly tables. One comes before those whose rows its rows are about.
var monthlyTables = []monthly{
	{table: "delivery_attempts", column: "delivery_id", prefix: mission.PrefixDelivery, key: "delivery_id, number"},
	{table: "deliveries", column: "id", prefix: mission.PrefixDelivery, key: "id"},
	{table: "events", column: "id", prefix: mission.PrefixEvent, key: "id", unused: []string{"events_by_age"}},
	{table: "measurements", column: "content_id", prefix: mission.PrefixContent, key: "content_id, step"},
	{table: "usage_days", column: "day", key: "tenant_id, key_id, day", unused: []string{"usage_days_by_age"}},
}

// bound returns the least value of the column at a time or later.
func (m monthly) bound(at time.Time) string {
	if m.prefix == "" {
		return at.UTC().Format(dayFormat)
	}
	return id.Least(m.prefix, at)
}

// time returns the time of a value of the column; ok is false if it has another form.
func (m monthly) time(value string) (at time.Time, ok bool) {
	if m.prefix == "" {
		at, err := time.Parse(dayFormat, value)
		return at, err == nil
	}
	return id.Time(m.prefix, value)
}

// month returns the start of the month (UTC) that is n months after that of a time.
func month(at time.Time, n int) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
}

// monthsAhead is how many months have their partitions ahead of time. Each one more is
// looked at by reads that don't say a time.
const monthsAhead = 1

// MonthRetention is how long rows of monthly tables are kept at least, besides those of
// events, which are removed once they have expired. On Postgres a month is removed when the
// last of its rows may be.
type MonthRetention struct {
	Usage time.Duration
	// Measurements counts from when the measured post was made. 0 keeps measurements as
	// long as their posts. A post keeps its latest figures in any case.
	Measurements time.Duration
}

// before returns the value of a table's column below which rows may be removed; "" if none
// may.
func (k MonthRetention) before(m monthly, now time.Time, mark expiredMark) string {
	switch {
	case m.table == "usage_days":
		return m.bound(now.Add(-k.Usage))
	case m.table != "measurements":
		return strings.Replace(mark.UpTo, mission.PrefixEvent, m.prefix, 1)
	case k.Measurements > 0:
		return m.bound(now.Add(-k.Measurements))
	}
	return ""
}

// MaintainMonths makes the partitions of the months to come, and removes the rows that are
// older than their retention: with their partitions on Postgres, one by one on SQLite. now
// is the domain's time. Concurrent callers are safe. A partition that can't be made or
// dropped, because others use the table for long, is left to the next call.
func (db *DB) MaintainMonths(ctx context.Context, now time.Time, keep MonthRetention) error {
	mark, err := db.expiredEvents(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, m := range monthlyTables {
		if err := db.dialect.maintain(ctx, db, m, now, keep.before(m, now, mark)); err != nil {
			failed = append(failed, fmt.Errorf("maintain the months of %s: %w", m.table, err))
		}
	}
	return errors.Join(failed...)
}

func (*sqliteDialect) maintain(ctx context.Context, db *DB, m monthly, _ time.Time, before string) error {
	return db.deleteBefore(ctx, m, m.table, before)
}

// deleteLimit is how many rows outside of monthly partitions are deleted in one statement.
const deleteLimit = 1000

// deleteBefore deletes the rows of a table, or of a partition of it, whose column is less
// than a value.
func (db *DB) deleteBefore(ctx context.Context, m monthly, table, before string) error {
	for before != "" {
		n := 0
		err := db.Tx(ctx, func(tx Tx) (err error) {
			n, err = tx.changed(ctx, tx.NewRaw("DELETE FROM ? WHERE (?) IN (SELECT ? FROM ? WHERE ? < ? LIMIT ?)", bun.Ident(table), bun.Safe(m.key),
				bun.Safe(m.key), bun.Ident(table), bun.Ident(m.column), before, deleteLimit))
			return err
		})
		if err != nil || n < deleteLimit {
			return err
		}
	}
	return nil
}

// maintain makes the partitions of a table that are missing, drops those that are below a
// value, and has the planner know the table as a whole, which autovacuum doesn't see to.
func (postgresDialect) maintain(ctx context.Context, db *DB, m monthly, now time.Time, before string) error {
	parts, err := partitionsOf(ctx, db.base.Bun(), m.table)
	if err != nil {
		return err
	}
	for n := range monthsAhead + 1 {
		from, to := month(now, n), month(now, n+1)
		if slices.ContainsFunc(parts, func(p partition) bool { return p.has(m.bound(from)) }) {
			continue
		}
		if err := db.alone(ctx, monthsLock, monthsStatementLimit, func(tx bun.Tx) error { return m.makeMonth(ctx, tx, from, to) }); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if p.to == "" || p.to > before {
			continue
		}
		err := db.alone(ctx, monthsLock, monthsStatementLimit, func(tx bun.Tx) error {
			_, err := tx.NewRaw("DROP TABLE IF EXISTS ?", bun.Ident(p.name)).Exec(ctx)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := db.deleteBefore(ctx, m, m.table+other, before); err != nil {
		return err
	}
	return db.alone(ctx, analyzeLock, analyzeLimit, func(tx bun.Tx) error { return m.analyze(ctx, tx) })
}

// The keys of the advisory locks of those who make and drop partitions, and of those who
// analyze a table. A table can't get or lose a partition while it is analyzed; others can.
const (
	monthsLock  = 0x6d6f6e746873 // "months"
	analyzeLock = monthsLock + 1
)

// Limits of statements. While one that makes or drops a partition waits for those who use the
// table, others wait behind it.
const (
	monthsLockLimit      = 500 * time.Millisecond
	monthsStatementLimit = 30 * time.Second
	// analyzeLimit is for a table of many large months, each of which is read.
	analyzeLimit = time.Hour
)

// alone runs fn in a transaction, with a limit for each of its statements, unless another
// process has the lock.
func (db *DB) alone(ctx context.Context, lock int64, limit time.Duration, fn func(tx bun.Tx) error) error {
	return db.base.Bun().RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		var ours bool
		err := tx.NewRaw(`SELECT pg_try_advisory_xact_lock(?), set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true)`,
			lock, fmt.Sprint(monthsLockLimit.Milliseconds()), fmt.Sprint(limit.Milliseconds())).Scan(ctx, &ours, new(string), new(string))
		if err != nil || !ours {
			return err
		}
		return fn(tx)
	})
}

// makeMonth makes the partition of a month, unless it is there or rows of the month are in
// the default partition, where they stay. It attaches a table, because making it as a
// partition would lock all of the table.
func (m monthly) makeMonth(ctx context.Context, tx bun.Tx, from, to time.Time) error {
	name := m.table + "_" + from.Format("2006_01")
	var taken bool
	err := tx.NewRaw("SELECT to_regclass(?) IS NOT NULL OR EXISTS (SELECT FROM ? WHERE ? >= ? AND ? < ?)",
		name, bun.Ident(m.table+other), bun.Ident(m.column), m.bound(from), bun.Ident(m.column), m.bound(to)).Scan(ctx, &taken)
	if err != nil || taken {
		return err
	}
	for _, q := range []string{"CREATE TABLE ?name (LIKE ?table INCLUDING DEFAULTS INCLUDING STORAGE)",
		"ALTER TABLE ?table ATTACH PARTITION ?name FOR VALUES FROM (?from) TO (?to)"} {
		_, err := tx.NewRaw(q, struct{ Name, Table, From, To any }{bun.Ident(name), bun.Ident(m.table), m.bound(from), m.bound(to)}).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// analyze has the planner's statistics of a table as a whole collected, once a day.
func (m monthly) analyze(ctx context.Context, tx bun.Tx) error {
	var due bool
	err := tx.NewRaw("SELECT COALESCE(max(last_analyze) < now() - interval '1 day', true) FROM pg_stat_user_tables WHERE relid = to_regclass(?)", m.table).Scan(ctx, &due)
	if err != nil || !due {
		return err
	}
	_, err = tx.NewRaw("ANALYZE ?", bun.Ident(m.table)).Exec(ctx)
	return err
}

// Names of partitions that aren't of a month end like this.
const (
	other = "_other"
	first = "_first"
)

// partition is one of a table's partitions: of the values from one up to another, which is
// not among them. Both are "" for the default partition.
type partition struct{ name, from, to string }

// has reports whether a value belongs to the partition.
func (p partition) has(value string) bool { return p.to != "" && p.from <= value && value < p.to }

// partitionsOf returns the partitions of a table.
func partitionsOf(ctx context.Context, db bun.IDB, table string) ([]partition, error) {
	var rows []struct{ Name, Bounds string }
	err := db.NewRaw(`SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds FROM pg_inherits AS i
		JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent = to_regclass(?) AND c.relispartition ORDER BY c.relname`, table).Scan(ctx, &rows)
	parts := make([]partition, len(rows))
	for i, r := range rows {
		parts[i].name = r.Name
		// FOR VALUES FROM ('evt_01…') TO ('evt_01…'), or FROM (MINVALUE), or DEFAULT
		if _, rest, ok := strings.Cut(r.Bounds, "FROM ("); ok {
			from, to, _ := strings.Cut(rest, ") TO (")
			parts[i].from, parts[i].to = strings.Trim(from, "'"), strings.Trim(to, "')")
			if from == "MINVALUE" {
				parts[i].from = ""
			}
		}
	}
	return parts, err
}
