package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"missiond/internal/clock"
	"missiond/mission"
)

// dialect is everything that differs between the two databases.
type dialect interface {
	open() (read, write *bun.DB, err error)
	// shared reports whether read and write are the same handle.
	shared() bool
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
	// send runs statements of a transaction, in their order and as few messages
	// as possible, until one fails. It returns how many rows each of those that
	// were run changed. Errors: errConnectionLost.
	send(ctx context.Context, conn *sql.Conn, statements []string) (changed []int64, err error)
	// prepares reports whether preparing a statement saves planning it.
	prepares() bool
	// lateral reports whether a subquery may refer to the row of the outer
	// query.
	lateral() bool
	// writableCTE reports whether a WITH may contain an INSERT.
	writableCTE() bool
	goose() goose.Dialect
	// missingTable reports whether err is that of a statement on a table that
	// doesn't exist.
	missingTable(err error) bool
	// lockMigrations and sessionLocker keep concurrent migrations apart: the
	// first before goose looks at the database, the second inside goose.
	lockMigrations(ctx context.Context) (unlock func() error, err error)
	sessionLocker() (lock.SessionLocker, error)
}

type postgresDialect struct{ url string }

// maxConns is the maximum number of connections of one process.
const maxConns = 20

func (d postgresDialect) open() (read, write *bun.DB, err error) {
	config, err := pgx.ParseConfig(d.url)
	if err != nil {
		return nil, nil, err
	}
	// bun writes arguments into the SQL text, so a cache of prepared
	// statements would only thrash.
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	config.DialFunc = marked(config.DialFunc)
	sqldb := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(prepareSession))
	sqldb.SetMaxOpenConns(maxConns)
	sqldb.SetMaxIdleConns(maxConns)
	db := bun.NewDB(sqldb, pgdialect.New(), bun.WithConnResolver(handle{sqldb}))
	return db, db, nil
}

// prepareSession sets what each connection relies on, whatever the defaults of
// the server, the database and the role are. bun writes values into the text of
// statements and doubles only their quotes: with standard_conforming_strings
// off, or in another encoding, a backslash in a value would end its string.
// With the timeout, the database ends a transaction whose process has been
// silent for so long; otherwise a frozen process or a lost machine would keep
// its locks.
func prepareSession(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SET standard_conforming_strings = on; SET client_encoding = 'UTF8';
SET idle_in_transaction_session_timeout = '15s'`)
	return err
}

func (postgresDialect) shared() bool { return true }

// Postgres's error codes (its manual, appendix A).
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	// foreignKeyViolation: a statement saw a row that another transaction has
	// deleted meanwhile.
	foreignKeyViolation = "23503"
)

func (postgresDialect) retryable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == serializationFailure || pg.Code == deadlockDetected || pg.Code == foreignKeyViolation) {
		return true
	}
	// Don't trust the driver's own judgement: it calls a statement safe to send
	// again whose reply was lost, even a COMMIT.
	return errors.Is(err, errNotCommitted)
}

func (postgresDialect) rowLocks() bool       { return true }
func (postgresDialect) skipLocked() string   { return " FOR UPDATE SKIP LOCKED" }
func (postgresDialect) goose() goose.Dialect { return goose.DialectPostgres }

type sqliteDialect struct{ path string }

// open opens one writer, whose transactions take the write lock at their start
// (taking it later fails at once if another writer came first), and readers
// that can't write. busy_timeout comes first because switching to WAL needs the
// lock too.
func (d sqliteDialect) open() (read, write *bun.DB, err error) {
	common := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"}}
	writer := url.Values{"_pragma": common["_pragma"], "_txlock": {"immediate"}}
	w, err := sql.Open("sqlite", d.dsn(writer))
	if err != nil {
		return nil, nil, err
	}
	w.SetMaxOpenConns(1)
	reader := url.Values{"_pragma": append(common["_pragma"], "query_only(1)")}
	r, err := sql.Open("sqlite", d.dsn(reader))
	if err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	r.SetMaxOpenConns(max(4, 2*runtime.NumCPU()))
	r.SetMaxIdleConns(max(4, 2*runtime.NumCPU()))
	read = bun.NewDB(r, sqlitedialect.New(), bun.WithConnResolver(handle{r}))
	return read, bun.NewDB(w, sqlitedialect.New(), bun.WithConnResolver(handle{w})), nil
}

func (d sqliteDialect) dsn(params url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: d.path}).EscapedPath(), RawQuery: params.Encode()}).String()
}

func (sqliteDialect) shared() bool         { return false }
func (sqliteDialect) retryable(error) bool { return false }

func (sqliteDialect) rowLocks() bool       { return false }
func (sqliteDialect) skipLocked() string   { return "" }
func (sqliteDialect) goose() goose.Dialect { return goose.DialectSQLite3 }

// materialized keeps Postgres from running a CTE that locks rows twice.
func (postgresDialect) materialized() string { return "MATERIALIZED" }
func (sqliteDialect) materialized() string   { return "" }

// instant uses the statement's own time, because a transaction may have begun
// long before.
func (postgresDialect) instant(d time.Duration) any {
	return bun.Safe(fmt.Sprintf("statement_timestamp() + interval '%d milliseconds'", d.Milliseconds()))
}

// instant uses the process's clock, which is also the database's.
func (sqliteDialect) instant(d time.Duration) any { return clock.Real().Now().Add(d) }

func (postgresDialect) unsynced() string {
	return " AND set_config('synchronous_commit', 'off', true) = 'off'"
}
func (sqliteDialect) unsynced() string { return "" }

func (postgresDialect) writableCTE() bool { return true }
func (sqliteDialect) writableCTE() bool   { return false }

func (postgresDialect) prepares() bool { return true }
func (sqliteDialect) prepares() bool   { return false }

func (postgresDialect) lateral() bool { return true }
func (sqliteDialect) lateral() bool   { return false }

// utc converts a time that a driver returned to UTC milliseconds.
func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := mission.Millis(*t)
	return &u
}
