package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// DriverSQLite is the name of the driver of SQLite's files. Its connections keep the statements
// that they have prepared: SQLite takes longer to parse most statements than to execute them,
// and database/sql keeps none for a connection that is in use.
const DriverSQLite = "sqlite-prepared"

// maxPrepared is how many statements a connection keeps.
const maxPrepared = 256

func init() {
	plain, err := sql.Open("sqlite", "") // which doesn't connect
	if err != nil {
		panic("bug: " + err.Error())
	}
	sql.Register(DriverSQLite, preparing{plain.Driver()})
	_ = plain.Close()
}

type preparing struct{ driver.Driver }

// sqliteDriverConn is what a connection of modernc.org/sqlite implements.
type sqliteDriverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// sqliteStmt is what its statements implement.
type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// sqliteRows is what their rows implement.
type sqliteRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// errDriver is the error of a driver that implements less.
var errDriver = errors.New("bug: the driver of SQLite has changed")

// Open implements driver.Driver.
func (d preparing) Open(dsn string) (driver.Conn, error) {
	inner, err := d.Driver.Open(dsn)
	if err != nil {
		return nil, err
	}
	conn, ok := inner.(sqliteDriverConn)
	if !ok {
		return nil, errors.Join(errDriver, inner.Close())
	}
	c := &preparedConn{sqliteDriverConn: conn}
	c.kept, err = simplelru.NewLRU(maxPrepared, func(_ string, s *prepared) { s.evict() })
	return c, err
}

// preparedConn is a connection.
type preparedConn struct {
	sqliteDriverConn

	kept *simplelru.LRU[string, *prepared] // by their texts
}

// Close implements driver.Conn.
func (c *preparedConn) Close() error {
	c.kept.Purge()
	return c.sqliteDriverConn.Close()
}

// ExecContext implements driver.ExecerContext.
func (c *preparedConn) ExecContext(ctx context.Context, text string, values []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, text, values)
	if s == nil || err != nil {
		return c.sqliteDriverConn.ExecContext(ctx, text, values)
	}
	return s.ExecContext(ctx, values)
}

// QueryContext implements driver.QueryerContext.
func (c *preparedConn) QueryContext(ctx context.Context, text string, values []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, text, values)
	if s == nil || err != nil {
		return c.sqliteDriverConn.QueryContext(ctx, text, values)
	}
	found, err := s.QueryContext(ctx, values)
	if err != nil {
		return nil, err
	}
	rows, ok := found.(sqliteRows)
	if !ok {
		return nil, errors.Join(errDriver, found.Close())
	}
	s.open = true
	return &preparedRows{rows, s}, nil
}

// statement returns the prepared statement of a text, which stays; nil if it is to be executed
// without: one without values beside it is a script, or has them in its text and seldom comes
// again, and the rows of another call may still be open.
func (c *preparedConn) statement(ctx context.Context, text string, values []driver.NamedValue) (*prepared, error) {
	if len(values) == 0 {
		return nil, nil
	}
	if s, ok := c.kept.Get(text); ok {
		if s.open {
			return nil, nil
		}
		return s, nil
	}
	found, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	stmt, ok := found.(sqliteStmt)
	if !ok {
		return nil, errors.Join(errDriver, found.Close())
	}
	s := &prepared{sqliteStmt: stmt}
	c.kept.Add(text, s)
	return s, nil
}

// prepared is a statement of a connection.
type prepared struct {
	sqliteStmt

	open, evicted bool // whether rows of it are open; whether it is to be closed with them
}

func (s *prepared) evict() {
	s.evicted = true
	if !s.open {
		_ = s.Close()
	}
}

// preparedRows are the rows of a statement.
type preparedRows struct {
	sqliteRows

	of *prepared
}

// Close implements driver.Rows.
func (r *preparedRows) Close() error {
	err := r.sqliteRows.Close()
	if r.of.open = false; r.of.evicted {
		_ = r.of.Close()
	}
	return err
}
