package store

import (
	"context"
	"time"

	"missiond/mission"
)

// PreparedWrites returns how many writes a connection has prepared.
func PreparedWrites(ctx context.Context, db *DB) (n int, err error) {
	err = db.write.NewRaw("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'write%'").Scan(ctx, &n)
	return n, err
}

// SetSearchBounds sets how many missions searches count, look at and sort, and
// has searches forget how many they counted. Call it before the first search.
func (db *DB) SetSearchBounds(counted, looked, sortable int) {
	db.searches = searchBounds{counted: counted, looked: looked, sortable: sortable}
}

// RowLocks reports whether the database locks rows individually: Postgres does.
func (db *DB) RowLocks() bool { return db.dialect.rowLocks() }

// SetListBounds sets how many records lists count and sort.
func SetListBounds(db *DB, counted, sorted int) {
	db.lists = listBounds{counted: counted, sorted: sorted}
}

// OnStandby reports whether a standby answers the reads of ctx.
func OnStandby(ctx context.Context, db *DB) (yes bool, err error) {
	err = db.prepared(db.read).NewRaw("SELECT pg_is_in_recovery()").Scan(ctx, &yes)
	return yes, err
}

// NextPost returns the slot that is kept of a mission's next post.
func NextPost(db *DB, missionID string) (at *time.Time) {
	if err := db.read.NewSelect().TableExpr("next_posts").Column("at").Where("mission_id = ?", missionID).Scan(context.Background(), &at); err != nil {
		panic(err)
	}
	return at
}

// PlanCacheMode returns the setting of a connection.
func PlanCacheMode(ctx context.Context, db *DB) (mode string, err error) {
	err = db.read.NewRaw("SELECT current_setting('plan_cache_mode')").Scan(ctx, &mode)
	return mode, err
}

// LockTimeout returns how long a transaction waits for a lock.
func LockTimeout(ctx context.Context, db *DB) (limit string, err error) {
	err = db.Tx(ctx, func(tx Tx) error {
		return tx.reading().ColumnExpr("current_setting('lock_timeout')").Scan(ctx, &limit)
	})
	return limit, err
}

// PlainStages returns the stages of a job, read by bun and database/sql alone.
func PlainStages(ctx context.Context, db *DB, jobID string) ([]mission.Stage, error) {
	var row jobRow
	err := db.withStages(db.read.NewSelect().Model(&row).ColumnExpr("j.*"), "stages", true).Where("j.id = ?", jobID).Scan(ctx)
	return row.job().Stages, err
}
