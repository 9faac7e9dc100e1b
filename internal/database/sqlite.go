package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"runtime"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// sqliteFile is a file of SQLite's: one writer, whose transactions take the write lock at their
// start (taking it later fails at once if another writer came first), and readers that can't
// write.
type sqliteFile struct{ reader, writer *sqlitePool }

// sqlitePool is the readers or the writer.
type sqlitePool struct {
	*sql.DB

	bun *bun.DB
}

// OpenSQLite opens the database file, and creates it if it is missing.
func OpenSQLite(path string, o Options) (*DB, error) {
	synced := "FULL" // NORMAL could lose what was committed, with the machine
	if o.Unsynced {
		synced = "OFF"
	}
	common := []string{
		"busy_timeout(10000)", // first, because switching to WAL needs the lock too
		"journal_mode(WAL)", "synchronous(" + synced + ")", "foreign_keys(1)",
	}
	driver, writers, readers := DriverSQLite, 1, readers()
	if o.Driver != "" {
		// Who waits for a connection of a pool's gets it in a random order.
		driver, writers, readers = o.Driver, simulated, simulated
	}
	writer, err := sql.Open(driver, dsn(path, url.Values{"_pragma": common, "_txlock": {"immediate"}}))
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(writers)
	writer.SetMaxIdleConns(writers)
	reader, err := sql.Open(driver, dsn(path, url.Values{"_pragma": append(common, "query_only(1)")}))
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader.SetMaxOpenConns(readers)
	reader.SetMaxIdleConns(readers)
	s := &sqliteFile{&sqlitePool{DB: reader}, &sqlitePool{DB: writer}}
	db := newDB(s, sqlitedialect.New(), writer, o.Faults)
	s.reader.bun, s.writer.bun = db.bun, db.bun
	db.Reads, db.Writes, db.Credentials = &Pool{db: db, from: s.reader}, &Pool{db: db, from: s.writer}, &Pool{db: db, from: s.reader}
	return db, nil
}

func dsn(path string, params url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: params.Encode()}).String()
}

// simulated is how many connections each pool has in a simulation.
const simulated = 64

// readers is how many read at a time: processors, not connections, are what they wait for.
func readers() int { return max(4, 2*runtime.NumCPU()) }

func (*sqliteFile) system() string { return "sqlite" }

// begin takes the lock for writing: taking it later fails at once if another
// writer came first.
func (*sqliteFile) begin(readOnly bool) string {
	if readOnly {
		return "BEGIN"
	}
	return "BEGIN IMMEDIATE"
}

// demand returns the text: send counts the rows.
func (*sqliteFile) demand(text string, _ int) string { return text }

func (*sqliteFile) retryable(error) bool { return false }

func (*sqliteFile) check(context.Context) error { return nil }

func (s *sqliteFile) stats() []PoolStats {
	return []PoolStats{{Name: "read", DBStats: s.reader.Stats()}, {Name: "write", DBStats: s.writer.Stats()}}
}

func (*sqliteFile) connections() int { return readers() }

func (s *sqliteFile) close() error { return errors.Join(s.reader.Close(), s.writer.Close()) }

// sqliteConn is a connection that is in use.
type sqliteConn struct {
	*sql.Conn

	bun *bun.DB
}

// acquire implements connections.
func (p *sqlitePool) acquire(ctx context.Context) (connection, error) {
	c, err := p.Conn(ctx)
	if err != nil {
		return nil, waited(err)
	}
	return &sqliteConn{c, p.bun}, nil
}

// send implements connection. It interrupts no write, which takes the connection with it, but
// stops before the next if ctx has ended.
func (c *sqliteConn) send(ctx context.Context, writes []*Write, read *statement, collect func(rows)) error {
	for _, w := range writes {
		if err := ctx.Err(); err != nil {
			return waited(err)
		}
		text, values := w.sent()
		result, err := c.ExecContext(context.WithoutCancel(ctx), text, values...)
		if err != nil {
			return err
		}
		if w.changed, err = result.RowsAffected(); err != nil {
			return err
		}
		if w.unmet != nil && w.changed != w.rows {
			return w.unmet
		}
	}
	if read == nil {
		return nil
	}
	text, values := read.sent()
	found, err := c.QueryContext(ctx, text, values...)
	if err != nil {
		return waited(err)
	}
	defer func() { _ = found.Close() }()
	collect(rows{sqlite: found, bun: c.bun})
	return waited(found.Err())
}

// release implements connection.
func (c *sqliteConn) release() { _ = c.Conn.Close() } // it goes back to its pool

// close implements connection.
func (c *sqliteConn) close() { _ = c.Raw(func(any) error { return driver.ErrBadConn }) }
