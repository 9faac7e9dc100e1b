package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"

	"missiond/internal/clock"
)

// monthsVersion is the migration that has Postgres keep tables by months, and events expire
// before they are removed.
const monthsVersion = 43

// divide only drops the indexes that nothing uses any more: SQLite has no partitions.
func (*sqliteDialect) divide() *goose.GoFunc {
	return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, m := range monthlyTables {
			for _, index := range m.unused {
				if _, err := tx.ExecContext(ctx, "DROP INDEX IF EXISTS "+index); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// divide makes a table with partitions of each monthly table, with the old table as its
// first partition. What takes long with many rows, a scan and an index, comes before: the
// programs that use the table wait only while it is exchanged. It commits often, and
// completes what an earlier call began.
func (postgresDialect) divide() *goose.GoFunc {
	return &goose.GoFunc{RunDB: func(ctx context.Context, pool *sql.DB) error {
		for _, m := range monthlyTables {
			if err := m.divide(ctx, pool); err != nil {
				return fmt.Errorf("divide %s: %w", m.table, err)
			}
		}
		return nil
	}}
}

func (m monthly) divide(ctx context.Context, pool *sql.DB) error {
	var divided bool
	err := pool.QueryRowContext(ctx, "SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass($1)", m.table).Scan(&divided)
	if err != nil || divided {
		return err
	}
	last, empty, err := m.last(ctx, pool)
	if err != nil {
		return err
	}
	// The old table takes the rows of the current month and the next: until it is exchanged
	// it must take all that are inserted.
	end := month(last, 2)
	indexes, err := m.indexes(ctx, pool)
	if err != nil {
		return err
	}
	if !empty {
		if err := m.prepare(ctx, pool, end, indexes); err != nil {
			return errors.Join(err, m.check(context.WithoutCancel(ctx), pool, time.Time{}))
		}
	}
	return untilFree(ctx, func() error { return m.exchange(ctx, pool, empty, last, end, indexes) })
}

// last returns the time of the table's newest row, or now if that is later, and whether the
// table is empty.
func (m monthly) last(ctx context.Context, pool *sql.DB) (last time.Time, empty bool, err error) {
	var newest sql.NullString
	err = pool.QueryRowContext(ctx, "SELECT max("+m.column+") FROM "+m.table).Scan(&newest)
	last = clock.Real().Now()
	if at, ok := m.time(newest.String); ok && at.After(last) {
		last = at // of a fast clock
	}
	return last, !newest.Valid, err
}

// tableIndex is an index of a table that isn't that of its primary key.
type tableIndex struct {
	name, definition string
	// unique is whether it is unique, as one with other columns than the partitions' can't
	// be.
	unique bool
}

// plain returns the name that the index has on the old table if it isn't unique any more.
func (i tableIndex) plain() string { return i.name + first }

// indexes returns the indexes that the divided table gets.
func (m monthly) indexes(ctx context.Context, pool *sql.DB) (list []tableIndex, err error) {
	rows, err := pool.QueryContext(ctx, `SELECT c.relname, pg_get_indexdef(i.indexrelid), i.indisunique FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
		WHERE i.indrelid = to_regclass($1) AND NOT i.indisprimary AND i.indisvalid ORDER BY c.relname`, m.table)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i tableIndex
		if err := rows.Scan(&i.name, &i.definition, &i.unique); err != nil {
			return nil, err
		}
		if !slices.Contains(m.unused, i.name) && !strings.HasSuffix(i.name, first) {
			list = append(list, i)
		}
	}
	return list, rows.Err()
}

// prepare does what takes long with many rows: it makes the indexes that the divided table
// needs, and has the database know that all rows belong to the first partition.
func (m monthly) prepare(ctx context.Context, pool *sql.DB, end time.Time, indexes []tableIndex) error {
	for _, i := range indexes {
		if !i.unique {
			continue
		}
		definition := strings.Replace(i.definition, "CREATE UNIQUE INDEX "+i.name, "CREATE INDEX CONCURRENTLY "+i.plain(), 1)
		for _, q := range []string{"DROP INDEX CONCURRENTLY IF EXISTS " + i.plain(), definition} { // one that was cut off isn't valid
			if _, err := pool.ExecContext(ctx, q); err != nil {
				return err
			}
		}
	}
	if err := m.check(ctx, pool, end); err != nil {
		return err
	}
	_, err := pool.ExecContext(ctx, "ALTER TABLE "+m.table+" VALIDATE CONSTRAINT "+m.table+first)
	return err
}

// check has the table take no rows from a time on, or, with the zero time, any again.
func (m monthly) check(ctx context.Context, pool *sql.DB, end time.Time) error {
	change := "ALTER TABLE " + m.table + " DROP CONSTRAINT IF EXISTS " + m.table + first
	if !end.IsZero() {
		change += ", ADD CONSTRAINT " + m.table + first + " CHECK (" + m.column + " < '" + m.bound(end) + "') NOT VALID"
	}
	return untilFree(ctx, func() error { return quickly(ctx, pool, change) })
}

// exchange makes the divided table and has the old one be its first partition.
func (m monthly) exchange(ctx context.Context, pool *sql.DB, empty bool, last, end time.Time, indexes []tableIndex) error {
	old := m.table + first
	foreign, err := m.foreignKeys(ctx, pool)
	if err != nil {
		return err
	}
	changes := append(foreign.drops, "ALTER TABLE "+m.table+" RENAME TO "+old, "ALTER INDEX "+m.table+"_pkey RENAME TO "+old+"_pkey")
	for _, i := range indexes {
		if !i.unique {
			changes = append(changes, "ALTER INDEX "+i.name+" RENAME TO "+i.plain())
		} else {
			changes = append(changes, "DROP INDEX "+i.name)
		}
	}
	for _, name := range m.unused {
		changes = append(changes, "DROP INDEX IF EXISTS "+name)
	}
	changes = append(changes, "CREATE TABLE "+m.table+" (LIKE "+old+" INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE ("+m.column+")",
		"ALTER TABLE "+m.table+" ADD PRIMARY KEY ("+m.key+")")
	for _, i := range indexes {
		changes = append(changes, strings.Replace(i.definition, "CREATE UNIQUE INDEX", "CREATE INDEX", 1))
	}
	changes = append(changes, foreign.adds...)
	from := month(last, 0)
	if empty {
		changes = append(changes, "DROP TABLE "+old)
	} else {
		from = end
		changes = append(changes, "ALTER TABLE "+m.table+" ATTACH PARTITION "+old+" FOR VALUES FROM (MINVALUE) TO ('"+m.bound(end)+"')",
			"ALTER TABLE "+old+" DROP CONSTRAINT "+old)
	}
	changes = append(changes, "CREATE TABLE "+m.table+other+" PARTITION OF "+m.table+" DEFAULT")
	for from.Before(end) {
		to := month(from, 1)
		changes = append(changes, fmt.Sprintf("CREATE TABLE %s_%s PARTITION OF %s FOR VALUES FROM ('%s') TO ('%s')",
			m.table, from.Format("2006_01"), m.table, m.bound(from), m.bound(to)))
		from = to
	}
	return quickly(ctx, pool, changes...)
}

// foreignKeys are the changes of a table's foreign keys: those to and from monthly tables
// are dropped, because a partition that others refer to can't be dropped at once.
type foreignKeys struct{ drops, adds []string }

func (m monthly) foreignKeys(ctx context.Context, pool *sql.DB) (f foreignKeys, err error) {
	rows, err := pool.QueryContext(ctx, `SELECT conname, conrelid::regclass::text, confrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'f' AND conparentid = 0 AND to_regclass($1) IN (conrelid, confrelid) ORDER BY conname`, m.table)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name, on, to, definition string
		if err := rows.Scan(&name, &on, &to, &definition); err != nil {
			return f, err
		}
		if slices.ContainsFunc(monthlyTables, func(m monthly) bool { return m.table == to }) {
			f.drops = append(f.drops, "ALTER TABLE "+on+" DROP CONSTRAINT "+name)
		} else {
			f.adds = append(f.adds, "ALTER TABLE "+on+" ADD CONSTRAINT "+name+" "+definition)
		}
	}
	return f, cmp.Or(err, rows.Err())
}

// quickly makes changes of the schema in one transaction, in which it waits only for moments
// for those who use the tables.
func quickly(ctx context.Context, pool *sql.DB, changes ...string) (err error) {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	limit := fmt.Sprintf("SET LOCAL lock_timeout = %d", monthsLockLimit.Milliseconds())
	for _, q := range append([]string{limit}, changes...) {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	return tx.Commit()
}

// untilFree repeats a change that had to wait for those who use a table for too long, until
// ctx ends.
func untilFree(ctx context.Context, change func() error) error {
	const pause, lockNotAvailable, deadlock = 300 * time.Millisecond, "55P03", "40P01"
	for {
		err := change()
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != lockNotAvailable && pg.Code != deadlock {
			return err
		}
		if stopped := clock.Sleep(ctx, pause); stopped != nil {
			return errors.Join(stopped, err)
		}
	}
}
