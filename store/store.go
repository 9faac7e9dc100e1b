// Package store holds all the SQL of the service, for Postgres and SQLite
// alike. Reads hang on DB. Writes exist only on Tx, which DB.Tx passes as a
// value: a change and its events are written by one method, so that neither
// can be without the other.
//
// Errors: a *mission.Error where the caller is meant to read it (conflict where
// a row isn't in the state that a change started from), ErrLost where a task is
// no longer its holder's, sql.ErrNoRows translated to not_found by the methods
// that say so, and the driver's error otherwise.
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

// ErrLost is a task that its holder no longer holds: its lease ran out and
// somebody else claimed it, or its mission is gone.
var ErrLost = errors.New("store: the task is no longer held")

// DB is the open database. It is safe for concurrent use.
type DB struct {
	dialect dialect
	// read and write are one handle on Postgres. SQLite has many readers and
	// one writer.
	read, write       *bun.DB
	ids               *id.Source
	timing            LedgerTiming
	onTasks, onEvents func()
	faults            *Faults // nil outside tests
}

// LedgerTiming is how the ledger hands over, in domain time.
type LedgerTiming struct {
	// Horizon is how long before its time a task is handed to the queue, which
	// shows it as scheduled until then.
	Horizon time.Duration
	// Patience is how long a task that was handed over as due may wait for a
	// worker before it is handed over again; three times that after the first.
	Patience time.Duration
}

// Options are what Open needs beside the database's address.
type Options struct {
	IDs    *id.Source // nil is a new one
	Timing LedgerTiming
	// Faults sees every statement, in tests; nil elsewhere.
	Faults *Faults
}

// OpenSQLite opens the database file, which is made where it is missing.
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

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.read.PingContext(ctx) }

// SetTiming sets the ledger's timing. Set it before the first Tx.
func (db *DB) SetTiming(t LedgerTiming) { db.timing = t }

// OnTasks sets what is called after each commit that wrote tasks which are due
// to be handed over. It must not block. Set it before the first Tx.
func (db *DB) OnTasks(f func()) { db.onTasks = f }

// OnEvents sets what is called after each commit that wrote events. It must not
// block. Set it before the first Tx.
func (db *DB) OnEvents(f func()) { db.onEvents = f }

// NewID returns an id with the prefix, made at a time.
func (db *DB) NewID(prefix string, at time.Time) string { return db.ids.New(prefix, at) }

// Tx is a transaction: a value to call the writes on.
type Tx struct {
	tx      bun.Tx
	db      *DB
	tasks   *bool   // whether tasks were written
	settled *string // the task that its holder settled
	// pumps are writes that made tasks of endpoints, where they changed rows.
	taskWrites *[]sql.Result
	// events and totals, the counts of posts that moved, are written at the
	// end.
	events *[]eventRow
	totals contentMoves
}

// txAttempts bounds how often Tx runs again after the database aborted it for
// the sake of a concurrent one.
const txAttempts = 5

// Tx runs fn in a transaction, which is committed where fn answers nil. Where
// the database aborts it for a concurrent transaction, fn runs again, so it
// must have no effect but on tx and what it assigns.
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

// written is what others are told of a transaction.
type written struct{ tasks, events bool }

// once runs fn in one transaction and answers what it wrote. A transaction that
// isn't known to be committed is rolled back, whatever ended it, for SQLite has
// but one writer.
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
		// The driver has ended it already where the context ended.
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
		wrote.tasks = wrote.tasks || n > 0 || err != nil // to be woken for nothing costs little
	}
	return wrote, nil
}

// finish writes what waits for the end of the transaction: rows that many
// transactions share are so locked for a moment only.
func (tx Tx) finish(ctx context.Context) error {
	if err := tx.writeEvents(ctx); err != nil {
		return err
	}
	return tx.writeTotals(ctx)
}

// NewID returns an id with the prefix, made at a time.
func (tx Tx) NewID(prefix string, at time.Time) string { return tx.db.ids.New(prefix, at) }

// insert begins an INSERT that answers nothing: bun asks for what the database
// filled in, which nobody here reads.
func (tx Tx) insert() *bun.InsertQuery { return tx.tx.NewInsert().Returning("NULL") }

// execer is a query that writes.
type execer interface {
	Exec(ctx context.Context, dest ...any) (sql.Result, error)
}

// must runs a write that must change so many rows: the transaction fails with
// otherwise where it changes others. On Postgres what follows it may tell that.
func (tx Tx) must(ctx context.Context, q execer, rows int, otherwise error) error {
	w := want{int64(rows), otherwise}
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

// done returns what went wrong with a write, once it is known.
func done(res sql.Result, err error) error {
	if err == nil {
		_, err = res.RowsAffected()
	}
	return err
}
