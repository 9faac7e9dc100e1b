// Package store holds all the SQL of the service, for Postgres and SQLite
// alike. Reads are methods of DB. Writes are methods of Tx only, which DB.Tx
// passes as a value: one method writes a change together with its events, so
// neither exists without the other.
//
// Errors: a *mission.Error if the caller is meant to read it (conflict if a row
// isn't in the state that a change started from), ErrLost if a task is no
// longer its holder's, not_found instead of sql.ErrNoRows in the methods that
// say so, and the driver's error otherwise.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/id"
)

// ErrLost is returned if a task is no longer its holder's: its lease expired
// and another worker claimed it, or its mission was deleted.
var ErrLost = errors.New("store: the task is no longer held")

// DB is the open database. It is safe for concurrent use.
type DB struct {
	dialect dialect
	// read and write are the same handle on Postgres. SQLite has many readers
	// and one writer.
	read, write       *bun.DB
	ids               *id.Source
	timing            LedgerTiming
	onTasks, onEvents func()
	faults            *Faults // nil outside tests
}

// LedgerTiming is when the ledger dispatches tasks, in domain time.
type LedgerTiming struct {
	// Horizon is how long before its time a task is enqueued. The queue shows
	// it as scheduled until then.
	Horizon time.Duration
	// Patience is how long a due task that was dispatched may wait for a worker
	// before it is dispatched again; after the second dispatch it is three
	// times that.
	Patience time.Duration
}

// Options are the options of OpenSQLite and OpenPostgres.
type Options struct {
	IDs    *id.Source // nil for a new one
	Timing LedgerTiming
	// Faults sees every statement, in tests; nil elsewhere.
	Faults *Faults
}

// OpenSQLite opens the database file, and creates it if it is missing.
func OpenSQLite(path string, o Options) (*DB, error) {
	return open(sqliteDialect{path: path}, o)
}

// OpenPostgres opens the database at a postgres:// URL.
func OpenPostgres(url string, o Options) (*DB, error) {
	return open(postgresDialect{url: url}, o)
}

func open(d dialect, o Options) (*DB, error) {
	read, write, err := d.open()
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db := &DB{dialect: d, read: read, write: write, ids: o.IDs, timing: o.Timing, onTasks: func() {}, onEvents: func() {}}
	if db.ids == nil {
		db.ids = id.NewSource(nil)
	}
	if o.Faults != nil {
		db.faults = o.Faults
		db.addHook(o.Faults)
	}
	return db, nil
}

func (db *DB) addHook(h bun.QueryHook) {
	db.write = db.write.WithQueryHook(h)
	if db.dialect.shared() {
		db.read = db.write
		return
	}
	db.read = db.read.WithQueryHook(h)
}

// Close closes the database.
func (db *DB) Close() error {
	if db.dialect.shared() {
		return db.write.Close()
	}
	return errors.Join(db.read.Close(), db.write.Close())
}

// Ping returns an error if the database can't be reached.
func (db *DB) Ping(ctx context.Context) error { return db.read.PingContext(ctx) }

// SetTiming sets the ledger's timing. Call it before the first Tx.
func (db *DB) SetTiming(t LedgerTiming) { db.timing = t }

// OnTasks sets the function that is called after each commit that wrote tasks
// to be dispatched. It must not block. Call OnTasks before the first Tx.
func (db *DB) OnTasks(f func()) { db.onTasks = f }

// OnEvents sets the function that is called after each commit that wrote
// events. It must not block. Call OnEvents before the first Tx.
func (db *DB) OnEvents(f func()) { db.onEvents = f }

// NewID returns a new id with the prefix and the time at.
func (db *DB) NewID(prefix string, at time.Time) string { return db.ids.New(prefix, at) }

// Tx is a transaction. Its methods are the writes.
type Tx struct {
	tx      bun.Tx
	db      *DB
	tasks   *bool   // whether tasks were written
	settled *string // the task that its holder settled in this transaction
	// taskWrites are upserts of tasks. Whether they changed rows is known after
	// the commit.
	taskWrites *[]sql.Result
	// events, and totals (the counts of posts by state), are written at the
	// end.
	events *[]eventRow
	totals contentMoves
}

// txAttempts is how often Tx runs a function whose transaction the database
// aborts because of a concurrent one.
const txAttempts = 5

// Tx runs fn in a transaction and commits it if fn returns nil. If the database
// aborts the transaction because of a concurrent one, fn runs again, so it must
// have no effect except on tx and the variables it assigns.
func (db *DB) Tx(ctx context.Context, fn func(tx Tx) error) error {
	for attempt := 1; ; attempt++ {
		wrote, err := db.once(ctx, fn)
		if err == nil && wrote.tasks {
			db.onTasks()
		}
		if err == nil && wrote.events {
			db.onEvents()
		}
		if err == nil || attempt == txAttempts || !db.dialect.retryable(err) {
			return err
		}
	}
}

// written is what a transaction wrote that others are notified of.
type written struct{ tasks, events bool }

// once runs fn in one transaction and returns what it wrote. A transaction that
// isn't known to be committed is rolled back, even after a panic, because
// SQLite has only one writer.
func (db *DB) once(ctx context.Context, fn func(tx Tx) error) (wrote written, err error) {
	ctx = context.WithValue(ctx, deferringKey{}, true)
	btx, err := db.write.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return wrote, err
	}
	committed := false
	defer func() {
		if committed {
			return
		}
		// The driver has already rolled it back if the context ended.
		if rollback := btx.Rollback(); rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
			err = errors.Join(err, rollback)
		}
	}()
	tx := Tx{tx: btx, db: db, tasks: &wrote.tasks, settled: new(string), taskWrites: &[]sql.Result{}, events: &[]eventRow{}, totals: contentMoves{}}
	if err := fn(tx); err != nil {
		return wrote, err
	}
	if err := tx.finish(ctx); err != nil {
		return wrote, err
	}
	if err := btx.Commit(); err != nil {
		return wrote, err
	}
	committed, wrote.events = true, len(*tx.events) > 0
	for _, write := range *tx.taskWrites {
		n, err := write.RowsAffected()
		wrote.tasks = wrote.tasks || n > 0 || err != nil // a spurious wake-up costs little
	}
	return wrote, nil
}

// finish writes what is left to the end of the transaction, so that rows shared
// by many transactions are locked only briefly.
func (tx Tx) finish(ctx context.Context) error {
	if err := tx.writeEvents(ctx); err != nil {
		return err
	}
	return tx.writeTotals(ctx)
}

// NewID returns a new id with the prefix and the time at.
func (tx Tx) NewID(prefix string, at time.Time) string { return tx.db.ids.New(prefix, at) }

// insert begins an INSERT that returns no rows. By default bun asks for the
// values that the database filled in, which nobody here reads.
func (tx Tx) insert() *bun.InsertQuery { return tx.tx.NewInsert().Returning("NULL") }

// execer is a query that writes.
type execer interface {
	Exec(ctx context.Context, dest ...any) (sql.Result, error)
}

// must runs a write that must change as many rows as rows says. If it changes
// another number, the transaction fails with unmet, on Postgres possibly not
// before a later statement.
func (tx Tx) must(ctx context.Context, q execer, rows int, unmet error) error {
	w := want{int64(rows), unmet}
	res, err := q.Exec(context.WithValue(ctx, wantKey{}, w))
	if err != nil || tx.db.dialect.defers() {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	return w.unmet(n)
}

// done returns the error of a write, waiting until its result is known.
func done(res sql.Result, err error) error {
	if err == nil {
		_, err = res.RowsAffected()
	}
	return err
}
