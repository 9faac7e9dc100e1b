package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"missiond/internal/database"
)

// SetSearchBounds sets how many missions searches count, look at and sort, and
// has searches forget how many they counted. Call it before the first search.
func (db *DB) SetSearchBounds(counted, looked, sortable int) {
	db.searches = searchBounds{counted: counted, looked: looked, sortable: sortable}
}

// RowLocks reports whether the database locks rows individually: Postgres does.
func (db *DB) RowLocks() bool { return db.words.rowLocks }

// SetListBounds sets how many records lists count and sort.
func SetListBounds(db *DB, counted, sorted int) {
	db.lists = listBounds{counted: counted, sorted: sorted}
}

// SetTextBounds sets how many posts searches glance at, sort and look at.
func SetTextBounds(db *DB, glanced, sortable, looked int) {
	db.texts, db.sizes.known = textBounds{glanced: glanced, sortable: sortable, looked: looked}, nil
}

// OnStandby reports whether a standby answers the reads of ctx.
func OnStandby(ctx context.Context, db *DB) (yes bool, err error) {
	err = database.Scan(ctx, db.read, db.NewRaw("SELECT pg_is_in_recovery()"), &yes)
	return yes, err
}

// NextPost returns the slot that is kept of a mission's next post.
func NextPost(db *DB, missionID string) (at *time.Time) {
	next := db.NewSelect().TableExpr("next_posts").Column("at").Where("mission_id = ?", missionID)
	if err := database.Scan(context.Background(), db.read, next, &at); err != nil {
		panic(err)
	}
	return at
}

// PlanCacheMode returns the setting of a connection.
func PlanCacheMode(ctx context.Context, db *DB) (mode string, err error) {
	err = database.Scan(ctx, db.read, db.NewRaw("SELECT current_setting('plan_cache_mode')"), &mode)
	return mode, err
}

// LockTimeout returns how long a transaction waits for a lock.
func LockTimeout(ctx context.Context, db *DB) (limit string, err error) {
	err = db.Tx(ctx, func(tx Tx) error {
		return database.Scan(ctx, tx.on, tx.NewSelect().ColumnExpr("current_setting('lock_timeout')"), &limit)
	})
	return limit, err
}

// Explain returns Postgres's plan of a statement, for any values, with an index where there is
// one: the tables of tests are small.
func Explain(ctx context.Context, db *DB, text string) (plan string, err error) {
	conn, err := db.base.SQL().Conn(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	for _, s := range []string{"SET plan_cache_mode = force_generic_plan", "SET enable_seqscan = off", "PREPARE explained AS " + text} {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return "", err
		}
	}
	values := ""
	for n := 1; strings.Contains(text, fmt.Sprint("$", n)); n++ {
		values += ", NULL"
	}
	if values != "" {
		values = "(" + values[2:] + ")"
	}
	rows, err := conn.QueryContext(ctx, "EXPLAIN EXECUTE explained"+values)
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return "", err
		}
		plan += line + "\n"
	}
	_, err = conn.ExecContext(ctx, "DEALLOCATE explained")
	return plan, errors.Join(err, rows.Err())
}

// SetTimes sets when a tenant changed last and is to be deleted, as exactly as the database has times.
func SetTimes(ctx context.Context, db *DB, tenantID string, at time.Time) error {
	return db.Tx(ctx, func(tx Tx) error {
		return tx.write(ctx, tx.NewUpdate().Model((*tenantRow)(nil)).Set("updated_at = ?", at).Set("deletes_at = ?", at).Where("id = ?", tenantID))
	})
}
