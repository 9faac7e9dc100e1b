// Package store holds all the SQL of the service, for Postgres and SQLite
// alike. Reads are methods of DB. Writes are methods of Tx only, which DB.Tx
// passes as a value: one method writes a change together with its events, so
// neither exists without the other.
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
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"missiond/internal/id"
	"missiond/mission"
)

// ErrLost is returned if a task is no longer its holder's: its lease expired
// and another worker claimed it, or its mission was deleted.
var ErrLost = errors.New("store: the task is no longer held")

// DB is the open database. It is safe for concurrent use.
type DB struct {
	handles

	dialect           dialect
	ids               *id.Source
	timing            LedgerTiming
	onTasks, onEvents func()
	onCommit          func(Committed)
	faults            *Faults // nil outside tests
	program           string
	searches          searchBounds
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
	IDs    *id.Source // nil for a new one
	Timing LedgerTiming
	// Program is the version of the program, which migrations record; "" if it has none.
	Program string
	// Statements is how statements are sent to Postgres; "" is StatementsAuto.
	Statements Statements
	// Connections is how many connections to Postgres the process has at most, at
	// least MinConnections; 0 is DefaultConnections.
	Connections int
	// ReadURL is the postgres:// URL of a replica that answers some reads (AllowReplica); ""
	// if there is none.
	ReadURL string
	// Name is the application_name of the connections, unless the URL has one.
	Name string
	// Faults sees every statement, in tests; nil elsewhere.
	Faults *Faults
}

// OpenSQLite opens the database file, and creates it if it is missing.
func OpenSQLite(path string, o Options) (*DB, error) {
	return open(&sqliteDialect{path: path}, o)
}

// OpenPostgres opens the database at a postgres:// URL.
func OpenPostgres(url string, o Options) (*DB, error) {
	most := cmp.Or(o.Connections, DefaultConnections)
	if most < MinConnections {
		return nil, fmt.Errorf("the database connections must be at least %d", MinConnections)
	}
	return open(&postgresDialect{url: url, readURL: o.ReadURL, name: o.Name, statements: o.Statements, most: most}, o)
}

func open(d dialect, o Options) (*DB, error) {
	h, err := d.open()
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	db := &DB{handles: h, dialect: d, ids: o.IDs, timing: o.Timing, program: o.Program, searches: defaultSearchBounds, lists: defaultListBounds, onTasks: func() {}, onEvents: func() {}, onCommit: func(Committed) {}}
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
	hooked := map[*bun.DB]*bun.DB{}
	for _, handle := range []**bun.DB{&db.read, &db.write, &db.marked, &db.keys} {
		if hooked[*handle] == nil {
			hooked[*handle] = (*handle).WithQueryHook(h)
		}
		*handle = hooked[*handle]
	}
}

// Close closes the database.
func (db *DB) Close() error { return db.close() }

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
// before its next read, and at its end. The error of a write is therefore
// returned by a later call, on both databases alike: rely on a write only once
// the transaction is committed.
type Tx struct {
	db    *DB
	batch *batch
	done  *progress
	view  bool // whether it only reads
}

// progress is what a transaction has done so far.
type progress struct {
	tasks bool // whether tasks were written
	// upserts of tasks have written some if they changed rows.
	upserts []*write
	settled string // the task that its holder settled
	// events, changes, and the counts of posts (totals) and missions by state, are
	// written at the end.
	events   []eventRow
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
	return &progress{totals: contentMoves{}, missions: missionMoves{}, changes: map[counterRow]int{}}
}

// wroteTasks reports whether a committed transaction has written tasks.
func (p *progress) wroteTasks() bool {
	return p.tasks || slices.ContainsFunc(p.upserts, func(w *write) bool { return w.changed > 0 })
}

// txAttempts is how often Tx runs a function whose transaction the database
// aborts because of a concurrent one.
const txAttempts = 5

// Tx runs fn in a transaction and commits it if fn returns nil. If the database
// aborts the transaction because of a concurrent one, fn runs again, so it must
// have no effect except on tx and the variables it assigns.
func (db *DB) Tx(ctx context.Context, fn func(tx Tx) error) error {
	for attempt := 1; ; attempt++ {
		done, err := db.once(ctx, fn)
		if err == nil && done.wroteTasks() {
			db.onTasks()
		}
		if err == nil && (len(done.events) > 0 || done.notified || len(done.changes) > 0) {
			db.onEvents()
		}
		if err == nil {
			db.onCommit(done.committed())
		}
		if err == nil || attempt == txAttempts || !db.dialect.retryable(err) {
			return err
		}
	}
}

// once runs fn in one transaction and returns what it did, or has tried to. A transaction that
// isn't known to be committed is rolled back, even after a panic, because
// SQLite has only one writer.
func (db *DB) once(ctx context.Context, fn func(tx Tx) error) (*progress, error) {
	done := newProgress()
	conn, err := handle{DB: db.write.DB}.conn(ctx)
	if err != nil {
		return done, err
	}
	defer func() { _ = conn.Close() }() // it goes back to its pool
	tx := Tx{db: db, batch: &batch{conn: conn, dialect: db.dialect}, done: done}
	committed := false
	defer func() {
		if !committed {
			tx.batch.rollback(ctx)
		}
	}()
	if _, err := tx.raw(db.dialect.begin()).Exec(ctx); err != nil {
		return done, err
	}
	if err := fn(tx); err != nil {
		return done, err
	}
	if err := tx.finish(ctx); err != nil {
		return done, err
	}
	if err := tx.batch.commit(ctx, db.write); err != nil {
		return done, err
	}
	committed = true
	return done, nil
}

// finish writes what is left to the end of the transaction. Rows that a whole
// tenant shares are locked by its last message alone, which has COMMIT, after all
// others.
func (tx Tx) finish(ctx context.Context) error {
	if len(tx.done.events) > 0 || len(tx.done.totals) > 0 || len(tx.done.missions) > 0 {
		if err := tx.batch.check(ctx); err != nil {
			return err
		}
	}
	if err := tx.writeEvents(ctx); err != nil {
		return err
	}
	if err := tx.holdLog(ctx, tx.done.subscribes); err != nil {
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

// insert begins an INSERT that returns no rows. By default bun requests the
// values that the database filled in, which nobody here reads.
func (tx Tx) insert() *bun.InsertQuery {
	return tx.db.marked.NewInsert().Conn(tx.batch).Returning("NULL")
}

func (tx Tx) update() *bun.UpdateQuery  { return tx.db.marked.NewUpdate().Conn(tx.batch) }
func (tx Tx) delete() *bun.DeleteQuery  { return tx.db.marked.NewDelete().Conn(tx.batch) }
func (tx Tx) reading() *bun.SelectQuery { return tx.db.write.NewSelect().Conn(tx.batch) }

func (tx Tx) raw(query string, args ...any) *bun.RawQuery {
	return tx.db.marked.NewRaw(query, args...).Conn(tx.batch)
}

// locking begins a SELECT that locks the rows it reads.
func (tx Tx) locking() *bun.SelectQuery { return tx.lock(tx.reading()) }

// lock makes a SELECT lock the rows it reads.
func (tx Tx) lock(q *bun.SelectQuery) *bun.SelectQuery { return tx.lockOf("", q) }

// lockOf makes a SELECT lock the rows it reads of the table with an alias, and
// not what it joins.
func (tx Tx) lockOf(alias string, q *bun.SelectQuery) *bun.SelectQuery {
	if tx.view || !tx.db.dialect.rowLocks() {
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

// execer is a query that writes.
type execer interface {
	Exec(ctx context.Context, dest ...any) (sql.Result, error)
}

// must adds a write that must change as many rows as rows says. If it changes
// another number, the transaction fails with unmet.
func (tx Tx) must(ctx context.Context, q execer, rows int, unmet error) error {
	if _, err := q.Exec(ctx); err != nil {
		return err
	}
	w := tx.batch.last()
	w.rows, w.unmet = int64(rows), unmet
	if tx.db.dialect.demands() {
		w.text, w.rows = demand(w.text, rows), 1
	}
	return nil
}

// part is a write that can be part of a statement.
type part interface {
	execer
	schema.QueryAppender
}

// together adds writes of different rows, as one statement if the database can
// run them so.
func (tx Tx) together(ctx context.Context, writes ...part) error {
	if tx.db.dialect.writableCTE() && len(writes) > 1 {
		last := len(writes) - 1
		text, args := "WITH ", make([]any, len(writes))
		for i, w := range writes {
			if args[i] = w; i < last {
				text += "part" + strconv.Itoa(i) + " AS (?), "
			}
		}
		_, err := tx.raw(strings.TrimSuffix(text, ", ")+" ?", args...).Exec(ctx)
		return err
	}
	for _, w := range writes {
		if _, err := w.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// changed sends a write, and those before it, and returns how many rows it
// changed.
func (tx Tx) changed(ctx context.Context, q execer) (int, error) {
	if _, err := q.Exec(ctx); err != nil {
		return 0, err
	}
	w := tx.batch.last()
	err := tx.batch.flush(ctx)
	return int(w.changed), err
}

// upsertsTasks adds a write that may write tasks.
func (tx Tx) upsertsTasks(ctx context.Context, q execer) error {
	if _, err := q.Exec(ctx); err != nil {
		return err
	}
	tx.done.upserts = append(tx.done.upserts, tx.batch.last())
	return nil
}
