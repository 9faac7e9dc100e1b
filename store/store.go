// Package store holds all the SQL of the service, for Postgres and SQLite
// alike. Reads are methods of DB. Writes are methods of Tx only, which DB.Tx
// passes as a value: one method writes a change together with its events, so
// neither exists without the other.
//
// A row embeds its record, and has what nobody else needs beside it: a record that isn't stored as
// it is has functions that make the one of the other. Times are read in UTC and in milliseconds.
//
// Nothing is counted on read. A mission's row has the number of its posts by outcome and
// the sums of their metrics; mission_totals and content_totals have numbers by status and
// platform, day_figures what the posts of a day came to. A transaction adds up its changes
// and writes them at its end, in one order (Tx.finish), so that rows that a whole tenant
// shares are locked last and only for a moment.
//
// Lists are read by keyset, (created_at, id) < (?, ?), on an index for each filter. The
// pages below a page of records are one LATERAL statement, on SQLite one UNION ALL.
//
// Errors: a *mission.Error if the caller is meant to read it (conflict if a row
// isn't in the state that a change started from), ErrLost if a task is no
// longer its holder's, not_found instead of sql.ErrNoRows in the methods that
// say so, and the driver's error otherwise.
package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/internal/id"
	"missiond/mission"
)

// ErrLost is returned if a task is no longer its holder's: its lease expired
// and another worker claimed it, or its mission was deleted.
var ErrLost = errors.New("store: the task is no longer held")

// DB is the open database. It is safe for concurrent use.
type DB struct {
	database.Builder

	base *database.DB
	// read, write and keys are base's pools.
	read, write, keys *database.Pool
	dialect           dialect
	words             words
	ids               *id.Source
	timing            LedgerTiming
	onTasks, onEvents func()
	onCommit          func(Committed)
	program           string
	searches          searchBounds
	texts             textBounds
	lists             listBounds
	sizes             sizes
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
	// Production claims a task only once it is due by the database's clock too,
	// so that a process whose clock is ahead runs nothing early. The domain's
	// clock must be real time.
	Production bool
}

// Options are the options of OpenSQLite and OpenPostgres.
type Options struct {
	Database database.Options

	IDs    *id.Source // nil for a new one
	Timing LedgerTiming
	// Program is the version of the program, which migrations record; "" if it has none.
	Program string
}

// OpenSQLite opens the database file, and creates it if it is missing.
func OpenSQLite(path string, o Options) (*DB, error) {
	base, err := database.OpenSQLite(path, o.Database)
	return open(base, err, &sqliteDialect{path: path}, o)
}

// OpenPostgres opens the database at a postgres:// URL.
func OpenPostgres(url string, o Options) (*DB, error) {
	base, err := database.OpenPostgres(url, o.Database)
	return open(base, err, postgresDialect{}, o)
}

func open(base *database.DB, err error, d dialect, o Options) (*DB, error) {
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db := &DB{Builder: base.Builder, base: base, read: base.Reads, write: base.Writes, keys: base.Credentials, dialect: d, words: d.words(), ids: o.IDs, timing: o.Timing, program: o.Program, searches: defaultSearchBounds, texts: defaultTextBounds, lists: defaultListBounds, onTasks: func() {}, onEvents: func() {}, onCommit: func(Committed) {}}
	if db.ids == nil {
		db.ids = id.NewSource(nil)
	}
	return db, nil
}

// Close closes the database.
func (db *DB) Close() error { return db.base.Close() }

// Pools returns the figures of the process's pools of connections.
func (db *DB) Pools() []database.PoolStats { return db.base.Pools() }

// Connections returns how many connections there are for verbs and tasks at
// most. No tenant should hold more than a share of them.
func (db *DB) Connections() int { return db.base.Connections() }

// Replica returns the replica's figures; ok is false if there is none.
func (db *DB) Replica() (s database.ReplicaStats, ok bool) { return db.base.Replica() }

// TryReplica returns why the replica can't answer at all; nil if it can, or if there is
// none.
func (db *DB) TryReplica(ctx context.Context) error { return db.base.TryReplica(ctx) }

// SetTiming sets the ledger's timing. Call it before the first Tx.
func (db *DB) SetTiming(t LedgerTiming) { db.timing = t }

// OnTasks sets the function that is called after each commit that wrote tasks
// to be dispatched. It must not block. Call OnTasks before the first Tx.
func (db *DB) OnTasks(f func()) { db.onTasks = f }

// OnEvents sets the function that is called after each commit that wrote
// events, a notification or changes. It must not block. Call OnEvents before the first Tx.
func (db *DB) OnEvents(f func()) { db.onEvents = f }

// OnCommit sets the function that is called after each commit with what it changed, to
// count it. It must not block. Call OnCommit before the first Tx.
func (db *DB) OnCommit(f func(Committed)) { db.onCommit = f }

// NewID returns a new id with the prefix and the time at.
func (db *DB) NewID(prefix string, at time.Time) string { return db.ids.New(prefix, at) }

// Tx is a transaction. Its methods are the writes, which it sends together:
// with its next read, and at its end. The error of a write is therefore
// returned by a later call, on both databases alike: rely on a write only once
// the transaction is committed.
type Tx struct {
	database.Builder
	db   *DB
	on   *database.Tx
	done *progress
	view bool // whether it only reads
}

// progress is what a transaction has done so far.
type progress struct {
	tasks bool // whether tasks were written
	// upserts of tasks have written some if they changed rows.
	upserts []*database.Write
	settled string // the task that its holder settled
	// events, changes, and the counts of posts (totals) and missions by state, are
	// written at the end.
	events []eventRow
	// waiting has the missions of which something waits for review, and when people are told.
	waiting  map[string]mission.Task
	notified bool // whether it added a notification
	changes  map[counterRow]int
	totals   contentMoves
	missions missionMoves
	// subscribes is the tenant of an endpoint that subscribes to events.
	subscribes string
	// deliveries counts the deliveries that ended, by their outcome.
	deliveries map[mission.DeliveryStatus]int
	// spent is the money of settled reservations.
	spent map[mission.SpendingKind]mission.Micros
}

func newProgress() *progress {
	return &progress{waiting: map[string]mission.Task{}, totals: contentMoves{}, missions: missionMoves{}, changes: map[counterRow]int{}}
}

// wroteTasks reports whether a committed transaction has written tasks.
func (p *progress) wroteTasks() bool {
	return p.tasks || slices.ContainsFunc(p.upserts, func(w *database.Write) bool { return w.Changed() > 0 })
}

// Tx runs fn in a transaction and commits it if fn returns nil. If the database
// aborts the transaction because of a concurrent one, fn runs again, so it must
// have no effect except on tx and the variables it assigns.
func (db *DB) Tx(ctx context.Context, fn func(tx Tx) error) error {
	var done *progress
	err := db.base.Tx(ctx, func(on *database.Tx) error {
		done = newProgress()
		tx := Tx{db.Builder, db, on, done, false}
		if err := fn(tx); err != nil {
			return err
		}
		return tx.finish(ctx)
	})
	if err != nil {
		return err
	}
	if done.wroteTasks() {
		db.onTasks()
	}
	if len(done.events) > 0 || done.notified || len(done.changes) > 0 {
		db.onEvents()
	}
	db.onCommit(done.committed())
	return nil
}

// View runs fn in a transaction that only reads: fn's locks are none, and what it writes is
// refused. It keeps nobody from writing.
func (db *DB) View(ctx context.Context, fn func(tx Tx) error) error {
	return db.base.View(ctx, func(on *database.Tx) error {
		return fn(Tx{db.Builder, db, on, newProgress(), true})
	})
}

// ReadOnly reports whether the transaction is View's.
func (tx Tx) ReadOnly() bool { return tx.view }

// finish writes what is left to the end of the transaction. Rows that a whole
// tenant shares are locked by its last message alone, which has COMMIT, after all
// others.
func (tx Tx) finish(ctx context.Context) error {
	if err := tx.tellReviewers(ctx); err != nil {
		return err
	}
	if err := tx.writeEvents(ctx); err != nil {
		return err
	}
	if err := tx.lockLog(ctx, tx.done.subscribes); err != nil {
		return err
	}
	if err := tx.writeTotals(ctx); err != nil {
		return err
	}
	if err := tx.writeMissionTotals(ctx); err != nil {
		return err
	}
	return tx.writeChanges(ctx)
}

// NewID returns a new id with the prefix and the time at.
func (tx Tx) NewID(prefix string, at time.Time) string { return tx.db.ids.New(prefix, at) }

// locking begins a SELECT that locks the rows it reads.
func (tx Tx) locking() *bun.SelectQuery { return tx.lock(tx.NewSelect()) }

// lock makes a SELECT lock the rows it reads.
func (tx Tx) lock(q *bun.SelectQuery) *bun.SelectQuery { return tx.lockOf("", q) }

// lockOf makes a SELECT lock the rows it reads of the table with an alias, and
// not what it joins.
func (tx Tx) lockOf(alias string, q *bun.SelectQuery) *bun.SelectQuery {
	if tx.view || !tx.db.words.rowLocks {
		return q
	}
	// Keys never change, and rows that refer to the locked one may be
	// inserted meanwhile: deliveries refer to their endpoint.
	const strength = "NO KEY UPDATE"
	if alias == "" {
		return q.For(strength)
	}
	return q.For(strength+" OF ?", bun.Safe(alias))
}

// write adds a write.
func (tx Tx) write(ctx context.Context, q database.Query) error {
	_, err := tx.on.Write(ctx, q)
	return err
}

// must adds a write that must change as many rows as rows says. If it changes
// another number, the transaction fails with unmet.
func (tx Tx) must(ctx context.Context, q database.Query, rows int, unmet error) error {
	return tx.on.Must(ctx, q, rows, unmet)
}

// together adds writes.
func (tx Tx) together(ctx context.Context, writes ...database.Query) error {
	for _, w := range writes {
		if err := tx.write(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

// changed sends a write, and those before it, and returns how many rows it
// changed.
func (tx Tx) changed(ctx context.Context, q database.Query) (int, error) {
	w, err := tx.on.Write(ctx, q)
	if err != nil {
		return 0, err
	}
	err = tx.on.Flush(ctx)
	return w.Changed(), err
}

// upsertsTasks adds a write that may write tasks.
func (tx Tx) upsertsTasks(ctx context.Context, q database.Query) error {
	w, err := tx.on.Write(ctx, q)
	if err == nil {
		tx.done.upserts = append(tx.done.upserts, w)
	}
	return err
}
