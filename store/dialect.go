package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"missiond/internal/clock"
	"missiond/mission"
)

// dialect is everything that differs between the two databases.
type dialect interface {
	open() (handles, error)
	// stats returns the figures of the pools that open has made, connections how
	// many connections there are for verbs and tasks.
	stats() []PoolStats
	connections() int
	// check returns an error if statements can't be sent as the options say.
	check(ctx context.Context) error
	// retryable reports whether err aborted a transaction because of another
	// one, so that running it again may succeed.
	retryable(err error) bool
	// rowLocks reports whether rows are locked individually.
	rowLocks() bool
	// skipLocked returns the end of a SELECT that locks its rows and skips
	// those that others have locked.
	skipLocked() string
	materialized() string
	// instant returns a query's expression of the time d ahead by the
	// database's clock.
	instant(d time.Duration) any
	// unsynced returns the end of the condition of a statement outside
	// transactions whose change needn't be on disk when it returns.
	unsynced() string
	// begin returns the statement that begins a transaction.
	begin() string
	// view returns the statements that begin a transaction that only reads.
	view() []string
	// send runs statements of a transaction, in their order and as few messages
	// as possible, until one fails. It returns how many rows each of those that
	// were run changed. Errors: errConnectionLost.
	send(ctx context.Context, conn *sql.Conn, statements []string) (changed []int64, err error)
	// leads reports whether a read can be sent behind writes (lead).
	leads() bool
	// system returns the database's name in spans.
	system() string
	// demands reports whether a write that must change rows is sent so that it
	// fails otherwise (demand).
	demands() bool
	// prepares reports whether preparing a statement saves planning it.
	prepares() bool
	// lateral reports whether a subquery may refer to the row of the outer
	// query.
	lateral() bool
	// stages returns an expression of the rows of stages s as JSON, wholly or their names and
	// states.
	stages(whole bool) string
	// writableCTE reports whether a WITH may contain an INSERT.
	writableCTE() bool
	// trial returns the statements that TryWrite runs and rolls back. Its argument is
	// the name of a setting.
	trial() []string
	goose() goose.Dialect
	// missingTable reports whether err is that of a statement on a table that
	// doesn't exist.
	missingTable(err error) bool
	// jobless returns the statements that allow posts without a job, or forbid them.
	jobless(allowed bool) string
	// divide returns the migration that has monthly tables kept by months.
	divide() *goose.GoFunc
	// maintain makes the partitions of a monthly table that are missing, and removes rows
	// whose column is less than a value; none for "". now is the domain's time.
	maintain(ctx context.Context, db *DB, m monthly, now time.Time, before string) error
	// lockMigrations keeps concurrent migrations apart.
	lockMigrations(ctx context.Context) (unlock func() error, err error)
}

// handles are the ways to a database.
type handles struct {
	// read and write are the same on Postgres. SQLite has many readers and one
	// writer.
	read, write *bun.DB
	// marked writes like write, and marks the values in its statements if the
	// database binds them (marking).
	marked *bun.DB
	// keys is for the reads of credentials.
	keys *bun.DB
	// replica answers some of what read reads; nil if there is none.
	replica *replica
}

// handle returns the handle of one of the ways.
func (h handles) handle(on *bun.DB) handle {
	way := handle{DB: on.DB, system: systemOf(on.Dialect())}
	if on == h.read {
		way.replica = h.replica
	}
	return way
}

// close closes the database.
func (h handles) close() error {
	errs := []error{h.read.Close(), h.write.Close(), h.keys.Close()} // closing one twice does nothing
	if h.replica != nil {
		errs = append(errs, h.replica.DB.Close())
	}
	return errors.Join(errs...)
}

// bunDB returns bun's view of a pool.
func bunDB(pool *sql.DB, d schema.Dialect) *bun.DB { return replicated(pool, d, nil) }

// replicated is bunDB with a replica for its reads; nil if there is none.
func replicated(pool *sql.DB, d schema.Dialect, r *replica) *bun.DB {
	return bun.NewDB(pool, d, bun.WithConnResolver(handle{pool, systemOf(d), r}))
}

// postgresDialect is a Postgres database, directly or through a pooler.
type postgresDialect struct {
	url, name   string
	readURL     string // of the replica; "" if there is none
	standby     bool   // whether it is itself a replica
	statements  Statements
	most        int
	mode        pgx.QueryExecMode // autoMode if connections find it
	pools       []*pool
	generation  atomic.Int64 // of connections; older ones are discarded
	discardedAt atomic.Int64 // in Unix milliseconds
}

func (d *postgresDialect) open() (h handles, err error) {
	config, err := d.configure()
	if err != nil {
		return h, err
	}
	connector := stdlib.GetConnector(*config)
	own := newPool(d, "work", connector, d.connections())
	keys := newPool(d, "credentials", connector, keyConnections)
	d.pools = []*pool{own, keys}
	h.write = bunDB(own.DB, pgdialect.New())
	h.read, h.marked, h.keys = h.write, bunDB(own.DB, newMarking()), bunDB(keys.DB, pgdialect.New())
	if d.readURL != "" {
		if h.replica, err = openReplica(d, handle{DB: own.DB}); err != nil {
			return h, errors.Join(err, h.close())
		}
		h.read = replicated(own.DB, pgdialect.New(), h.replica)
	}
	return h, nil
}

func (d *postgresDialect) connections() int { return d.most - keyConnections }

// Postgres's error codes (its manual, appendix A).
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	// foreignKeyViolation: a statement saw a row that another transaction has
	// deleted meanwhile.
	foreignKeyViolation = "23503"
)

func (*postgresDialect) retryable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == serializationFailure || pg.Code == deadlockDetected || pg.Code == foreignKeyViolation) {
		return true
	}
	// Don't trust the driver's own judgement: it calls a statement safe to send
	// again whose reply was lost, even a COMMIT.
	return errors.Is(err, errNotCommitted)
}

func (*postgresDialect) rowLocks() bool       { return true }
func (*postgresDialect) skipLocked() string   { return " FOR UPDATE SKIP LOCKED" }
func (*postgresDialect) goose() goose.Dialect { return goose.DialectPostgres }

type sqliteDialect struct {
	path           string
	reader, writer *sql.DB
}

// open opens one writer, whose transactions take the write lock at their start
// (taking it later fails at once if another writer came first), and readers
// that can't write. busy_timeout comes first because switching to WAL needs the
// lock too.
func (d *sqliteDialect) open() (h handles, err error) {
	common := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"}}
	writer := url.Values{"_pragma": common["_pragma"], "_txlock": {"immediate"}}
	w, err := sql.Open("sqlite", d.dsn(writer))
	if err != nil {
		return h, err
	}
	w.SetMaxOpenConns(1)
	reader := url.Values{"_pragma": append(common["_pragma"], "query_only(1)")}
	r, err := sql.Open("sqlite", d.dsn(reader))
	if err != nil {
		return h, errors.Join(err, w.Close())
	}
	r.SetMaxOpenConns(d.connections())
	r.SetMaxIdleConns(d.connections())
	d.reader, d.writer = r, w
	h.read, h.write = bunDB(r, sqlitedialect.New()), bunDB(w, sqlitedialect.New())
	h.marked, h.keys = h.write, h.read
	return h, nil
}

// connections is how many read at a time: processors, not connections, are
// what they wait for.
func (*sqliteDialect) connections() int { return max(4, 2*runtime.NumCPU()) }

func (d *sqliteDialect) stats() []PoolStats {
	return []PoolStats{{Name: "read", DBStats: d.reader.Stats()}, {Name: "write", DBStats: d.writer.Stats()}}
}

func (*sqliteDialect) check(context.Context) error { return nil }

func (d *sqliteDialect) dsn(params url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: d.path}).EscapedPath(), RawQuery: params.Encode()}).String()
}

func (*sqliteDialect) retryable(error) bool { return false }

func (*sqliteDialect) rowLocks() bool       { return false }
func (*sqliteDialect) skipLocked() string   { return "" }
func (*sqliteDialect) goose() goose.Dialect { return goose.DialectSQLite3 }

// materialized keeps Postgres from running a CTE that locks rows twice.
func (*postgresDialect) materialized() string { return "MATERIALIZED" }
func (*sqliteDialect) materialized() string   { return "" }

// instant uses the statement's own time, because a transaction may have begun
// long before.
func (*postgresDialect) instant(d time.Duration) any {
	return bun.Safe(fmt.Sprintf("statement_timestamp() + interval '%d milliseconds'", d.Milliseconds()))
}

// instant uses the process's clock, which is also the database's.
func (*sqliteDialect) instant(d time.Duration) any { return clock.Real().Now().Add(d) }

func (*postgresDialect) unsynced() string {
	return " AND set_config('synchronous_commit', 'off', true) = 'off'"
}
func (*sqliteDialect) unsynced() string { return "" }

func (*postgresDialect) writableCTE() bool { return true }
func (*sqliteDialect) writableCTE() bool   { return false }

func (*postgresDialect) system() string { return systemPostgres }
func (*sqliteDialect) system() string   { return systemSQLite }

func (*postgresDialect) demands() bool { return true }
func (*sqliteDialect) demands() bool   { return false }

func (*postgresDialect) prepares() bool { return true }
func (*sqliteDialect) prepares() bool   { return false }

func (*postgresDialect) lateral() bool { return true }
func (*sqliteDialect) lateral() bool   { return false }

// utc converts a time that a driver returned to UTC milliseconds.
func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := mission.Millis(*t)
	return &u
}
