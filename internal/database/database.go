// Package database is how the service speaks to its database: Postgres, through pgx, or a
// file of SQLite's.
//
// bun builds a statement and never runs it. A Query is rendered to a text with $1, $2 … in
// place of its values, which are sent beside it, so there are few texts and each connection
// prepares each of them once (statement.go). Constants belong in the text, where partial
// indexes find them.
//
// There is one way to read: Rows, Scan and Values, on one of the DB's pools or in a Tx. And
// there is one to write: Tx.Write, whose statements are sent together, or a Pool's Exec
// for a statement on its own.
package database

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	Builder

	// Reads are the connections of reads; in a context of AllowReplica the replica's are used
	// instead, if it has caught up. Writes are those of single statements that write, and of reads that must
	// see them. On Postgres both are the same connections; SQLite has many readers and one
	// writer. Credentials are connections that those of requests can't use up.
	Reads, Writes, Credentials *Pool

	engine  engine
	sql     *sql.DB
	replica *replica // nil if there is none
	faults  *Faults  // nil outside tests
}

// Options are the options of OpenPostgres and OpenSQLite. Those but Faults, Driver and Unsynced are
// Postgres's.
type Options struct {
	// Statements is how statements are sent to Postgres; "" is StatementsAuto.
	Statements Statements
	// Connections is how many connections to Postgres the process has at most, at
	// least MinConnections; 0 is DefaultConnections.
	Connections int
	// ReadURL is the postgres:// URL of a replica for the reads of AllowReplica; "" if there is
	// none.
	ReadURL string
	// Name is the application_name of the connections, unless the URL has one.
	Name string
	// Faults sees every statement, in tests; nil elsewhere.
	Faults *Faults
	// Driver is the database/sql driver of SQLite's file, in a simulation, which has it keep
	// writers apart itself; "" elsewhere.
	Driver string
	// Unsynced has a COMMIT on SQLite not wait for the disk, in tests: what was committed
	// survives the end of the process, not that of the machine.
	Unsynced bool
}

// engine is all that differs between the two databases in how they are spoken to.
type engine interface {
	// system returns the database's name in spans.
	system() string
	// begin returns the statement that begins a transaction.
	begin(readOnly bool) string
	// demand returns the text of a write that must change a number of rows.
	demand(text string, rows int) string
	// retryable reports whether err aborted a transaction because of another one, so that
	// running it again may succeed.
	retryable(err error) bool
	// check returns an error if statements can't be sent as the options say.
	check(ctx context.Context) error
	stats() []PoolStats
	connections() int
	close() error
}

// connection is a connection that one caller has until it releases it.
type connection interface {
	// send runs writes in their order, in as few messages as it can, and then a read, unless
	// it is nil, whose rows collect is given. It stops at the first statement that fails or
	// doesn't change as many rows as it must. Errors: the write's own in the latter case;
	// errConnectionLost.
	send(ctx context.Context, writes []*Write, read *statement, collect func(rows)) error
	// release gives the connection back to its pool, or closes it if it can't be used again.
	release()
	// close closes the connection; it must be released all the same.
	close()
}

// connections are where connections come from.
type connections interface {
	// acquire waits for a connection. Errors: *noConnection.
	acquire(ctx context.Context) (connection, error)
}

// newDB returns a database without its pools.
func newDB(e engine, d schema.Dialect, pool *sql.DB, faults *Faults) *DB {
	return &DB{Builder: newBuilder(d), engine: e, sql: pool, faults: faults}
}

// Close closes the database.
func (db *DB) Close() error {
	err := errors.Join(db.sql.Close(), db.engine.close())
	if db.replica != nil {
		err = errors.Join(err, db.replica.engine.close())
	}
	return err
}

// Check returns an error if statements can't be sent as the options say, or if they would
// mean something else on this database.
func (db *DB) Check(ctx context.Context) error { return db.engine.check(ctx) }

// SQL returns the database as database/sql's, and Bun as bun's with the values in the texts:
// both are for what changes the schema, and migrations.
func (db *DB) SQL() *sql.DB { return db.sql }

// Bun is SQL's.
func (db *DB) Bun() *bun.DB { return bun.NewDB(db.sql, db.dialect.Dialect) }

// Faults returns the faults of a test; nil elsewhere.
func (db *DB) Faults() *Faults { return db.faults }

// Connections returns how many connections there are for requests and tasks at most. No
// tenant should hold more than a share of them.
func (db *DB) Connections() int { return db.engine.connections() }

// PoolStats are the figures of a pool of connections.
type PoolStats struct {
	sql.DBStats

	// Name is what the pool is for.
	Name string
	// Discarded is how many connections were discarded since they might have led
	// to a server that is no longer the primary.
	Discarded int64
}

// Pools returns the figures of the process's pools of connections.
func (db *DB) Pools() []PoolStats {
	all := db.engine.stats()
	if db.replica != nil {
		all = append(all, db.replica.engine.stats()...)
	}
	return all
}

// Pool is some of the database's connections. Each statement takes one of them.
type Pool struct {
	db      *DB
	from    connections
	replica *replica // that may answer reads; nil if none may
	planned bool     // whether each read is planned for its values
}

var _ Reader = (*Pool)(nil)

// Planned returns the pool for reads that Postgres plans each time, for their values: rare ones
// whose best plan depends on whose rows they read, which a plan for any values can't know.
func (p *Pool) Planned() *Pool {
	own := *p
	own.planned = true
	return &own
}

// read implements Reader.
func (p *Pool) read(ctx context.Context, q Query, collect func(rows) error) (err error) {
	s, err := p.db.render(q, p.planned)
	if err != nil {
		return err
	}
	ctx, span := traceStatements(p.db.faults.before(ctx, s), p.db.engine.system(), nil, &s)
	defer func() { endStatements(span, err) }()
	if p.replica.answers(ctx) {
		err = runRead(ctx, p.replica.pool, &s, collect)
		if isOverdrawn(err) || !leaveReplica(ctx, err) {
			return err
		}
	}
	return runRead(ctx, p.from, &s, collect)
}

// runRead sends a read on a connection of its own.
func runRead(ctx context.Context, from connections, s *statement, collect func(rows) error) error {
	var found error
	collecting := func(r rows) {
		r.take = meterOf(ctx)
		found = collect(r)
	}
	if err := run(ctx, from, nil, s, collecting); err != nil {
		return err
	}
	return found
}

// Exec runs a statement of its own, and returns how many rows it changed.
func (p *Pool) Exec(ctx context.Context, q Query) (changed int, err error) {
	s, err := p.db.render(q, false)
	if err != nil {
		return 0, err
	}
	w := []*Write{{statement: s}}
	ctx, span := traceStatements(p.db.faults.before(ctx, s), p.db.engine.system(), w, nil)
	defer func() { endStatements(span, err) }()
	err = run(ctx, p.from, w, nil, nil)
	return w[0].Changed(), err
}

// run sends statements on a connection of their own.
func run(ctx context.Context, from connections, writes []*Write, read *statement, collect func(rows)) error {
	return patiently(ctx, func() error {
		c, err := from.acquire(ctx)
		if err != nil {
			return err
		}
		defer c.release()
		return c.send(ctx, writes, read, collect)
	})
}
