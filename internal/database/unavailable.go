package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Unavailable reports whether err is trouble of the database or of the way to
// it, not of the statement: the same call may succeed later without any change.
// Such trouble is a refused or lost connection, too many connections, a
// shutdown, a read-only server, a statement that an operator or a timeout
// canceled, a full disk, a locked SQLite file, and a time limit of ours that
// passed while waiting for the database. A caller that goes away
// (context.Canceled) is not.
func Unavailable(err error) bool {
	var (
		pg      *pgconn.PgError
		lite    *sqlite.Error
		connect *pgconn.ConnectError
		way     *wayError
	)
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return false
	case errors.As(err, &connect), errors.As(err, &way), pgconn.Timeout(err):
		return true
	case errors.As(err, &pg):
		return unavailablePostgres(pg.Code)
	case errors.As(err, &lite):
		return unavailableSQLite(lite.Code())
	}
	return slices.ContainsFunc(lost, func(target error) bool { return errors.Is(err, target) })
}

// lost are the errors of connections and of waits for them that have no type of
// their own.
var lost = []error{
	errWaited, errConnectionLost, errNotCommitted, driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed,
}

// unavailablePostgres reports whether an error code is one of the server's
// trouble. PgBouncer reports its own as 08P01.
func unavailablePostgres(code string) bool {
	if slices.Contains(troubleCodes, code) {
		return true
	}
	const class = 2
	return len(code) > class && slices.Contains(troubleClasses, code[:class])
}

// Postgres's error classes and codes of its own trouble (its manual, appendix A).
var (
	troubleClasses = []string{
		"08", // connection exception
		"53", // insufficient resources: disk full, too many connections
		"57", // operator intervention: canceled, shutdown, starting up
		"58", // system error: input and output
	}
	troubleCodes = []string{
		serializationFailure, deadlockDetected,
		"25006",          // read-only transaction: a standby, or default_transaction_read_only
		"25P03", "25P04", // the transaction was idle, or open, for too long
		"26000", "42P05", // a pooler has mixed up prepared statements
		"55P03",          // lock_timeout
		"XX001", "XX002", // corrupted data or index: a restore mends it
	}
)

// unavailableSQLite reports whether an error code is one of the file's trouble.
func unavailableSQLite(code int) bool {
	const primary = 0xff // the rest is detail
	switch code & primary {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM:
		return true
	}
	return false
}

// errWaited marks a time limit that passed while waiting for the database.
var errWaited = errors.New("database: the database took too long")

// waited marks an error of a call to the database if a time limit has passed.
func waited(err error) error {
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, errWaited) {
		return errors.Join(errWaited, err)
	}
	return err
}

// wayError is the error of a connection's bytes: nobody but the way to the
// database or its server has failed.
type wayError struct{ err error }

func (e *wayError) Error() string { return "connection to the database: " + e.err.Error() }
func (e *wayError) Unwrap() error { return e.err }

// way is a network connection to the database that marks its errors.
type way struct{ net.Conn }

// marked returns dial with the errors of its connections marked.
func marked(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, &wayError{err}
		}
		return way{conn}, nil
	}
}

// Read reads what the server sent.
func (w way) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if err != nil {
		err = &wayError{err}
	}
	return n, err
}

// Write sends to the server.
func (w way) Write(b []byte) (int, error) {
	n, err := w.Conn.Write(b)
	if err != nil {
		err = &wayError{err}
	}
	return n, err
}
