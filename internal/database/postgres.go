package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun/dialect/pgdialect"
)

// DefaultConnections is how many connections to Postgres a process has at most,
// unless Options say otherwise, and MinConnections the fewest with which it
// works: a migration takes one for its lock and one for its statements.
const (
	DefaultConnections = 20
	MinConnections     = 4
)

// keyConnections of a process's connections are for credentials alone, which
// come before every request and must not queue behind the requests of others.
const keyConnections = 2

// postgresServer is a Postgres database, directly or through a pooler.
type postgresServer struct {
	url, name  string
	standby    bool // whether it is a replica
	statements Statements
	given      pgx.QueryExecMode // what the options and the URL say; autoMode if nothing
	// plain reports whether a pooler was found between, so that nothing is prepared.
	plain       atomic.Bool
	pools       []*pgPool
	discardedAt atomic.Int64 // when connections were last discarded, in Unix milliseconds
}

// OpenPostgres opens the database at a postgres:// URL.
func OpenPostgres(url string, o Options) (*DB, error) {
	most := cmp.Or(o.Connections, DefaultConnections)
	if most < MinConnections {
		return nil, fmt.Errorf("the database connections must be at least %d", MinConnections)
	}
	p := &postgresServer{url: url, name: o.Name, statements: o.Statements}
	work, err := p.open("work", most-keyConnections)
	if err != nil {
		return nil, err
	}
	keys, err := p.open("credentials", keyConnections)
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	db := newDB(p, pgdialect.New(), stdlib.OpenDBFromPool(work.pool), o.Faults)
	work.bun, keys.bun = db.bun, db.bun
	if o.ReadURL != "" {
		standby := &postgresServer{url: o.ReadURL, name: o.Name, statements: o.Statements, standby: true}
		if db.replica, err = openReplica(standby, most, work); err != nil {
			return nil, errors.Join(err, db.Close())
		}
		db.replica.pool.bun = db.bun
	}
	db.Reads = &Pool{db: db, from: work, replica: db.replica}
	db.Writes, db.Credentials = &Pool{db: db, from: work}, &Pool{db: db, from: keys}
	return db, nil
}

// systemPostgres is the database's name in spans.
const systemPostgres = "postgresql"

func (*postgresServer) system() string { return systemPostgres }

func (*postgresServer) begin(readOnly bool) string {
	if readOnly {
		return "BEGIN READ ONLY"
	}
	return "BEGIN"
}

// RequireRows makes the function of writes that must change a number of rows, and unmetCode is
// its error's code.
const (
	RequireRows = `CREATE OR REPLACE FUNCTION require_rows(changed bigint, wanted bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	IF changed <> wanted THEN
		RAISE EXCEPTION 'a write has changed % rows instead of %', changed, wanted USING ERRCODE = '` + unmetCode + `';
	END IF;
	RETURN true;
END $$`
	unmetCode = "MI001"
)

// demand returns a write so that it fails if it doesn't change as many rows as it
// must: the server then skips the rest of the message, COMMIT included.
func (*postgresServer) demand(text string, rows int) string {
	return fmt.Sprintf("WITH changed AS (%s RETURNING 1) SELECT require_rows(count(*), %d) FROM changed", text, rows)
}

// Postgres's error codes (its manual, appendix A).
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	// foreignKeyViolation: a statement saw a row that another transaction has
	// deleted meanwhile.
	foreignKeyViolation = "23503"
)

func (*postgresServer) retryable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == serializationFailure || pg.Code == deadlockDetected || pg.Code == foreignKeyViolation) {
		return true
	}
	// Don't trust the driver's own judgement: it calls a statement safe to send
	// again whose reply was lost, even a COMMIT.
	return errors.Is(err, errNotCommitted)
}

func (p *postgresServer) stats() (all []PoolStats) {
	for _, pool := range p.pools {
		all = append(all, pool.stats())
	}
	return all
}

func (p *postgresServer) connections() int { return p.pools[0].most }

func (p *postgresServer) close() error {
	for _, pool := range p.pools {
		pool.pool.Close()
	}
	return nil
}

// check returns an error if the search_path names no schema, or if statements are to be
// prepared and a pooler is between that doesn't keep those of its clients apart: two that
// give the same name to a statement then meet on one of its connections.
func (p *postgresServer) check(ctx context.Context) error {
	pool := p.pools[0]
	for range 2 {
		c, err := patientConn(ctx, pool)
		if err != nil {
			return err
		}
		defer c.release() // not before the other has prepared
		if err := c.check(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *pgConn) check(ctx context.Context) error {
	const name, duplicate, unknown = "missiond_check", "42P05", "26000"
	var schema, path sql.NullString
	question := "SELECT current_schema(), current_setting('search_path')"
	if err := c.Conn.QueryRow(ctx, question, pgx.QueryExecModeSimpleProtocol).Scan(&schema, &path); err != nil {
		return waited(err)
	}
	if !schema.Valid {
		return fmt.Errorf("the search_path %s names no schema that exists: create it, or set another path for the role or the database", path.String)
	}
	if c.pool.server.mode() != pgx.QueryExecModeCacheStatement || !c.pooled {
		return nil
	}
	_, err := c.Conn.Conn().PgConn().Prepare(ctx, name, "SELECT 1", nil)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == duplicate || pg.Code == unknown) {
		return errors.New("the database is behind a pooler that doesn't support prepared statements: use --database-statements=plain or auto, or set the pooler's max_prepared_statements")
	}
	return err
}

// errConnectionLost marks errors after which the connection is closed: nobody
// knows whether the statements that were sent were run.
var errConnectionLost = errors.New("database: the connection was lost")

// errNotCommitted marks the loss of a connection, perhaps long ago, that was
// noticed with a transaction's first statements, COMMIT not among them.
var errNotCommitted = errors.New("database: the connection was lost before the transaction began")

// send implements connection. Statements that are sent with their values in the text are
// messages of their own. Postgres skips the rest of a message after one that fails.
func (c *pgConn) send(ctx context.Context, writes []*Write, read *statement, collect func(rows)) error {
	err := c.sendAll(ctx, writes, read, collect)
	if err != nil && c.Conn.Conn().IsClosed() {
		err = errors.Join(errConnectionLost, err)
	}
	return waited(err)
}

func (c *pgConn) sendAll(ctx context.Context, writes []*Write, read *statement, collect func(rows)) error {
	for len(writes) > 0 {
		n := 0
		for n < len(writes) && writes[n].literal == "" {
			n++
		}
		var behind *statement
		if n == len(writes) && read != nil && read.literal == "" {
			behind, read = read, nil
		}
		if err := c.sendBatch(ctx, writes[:n], behind, collect); err != nil {
			return err
		}
		if writes = writes[n:]; len(writes) == 0 {
			break
		}
		tag, err := c.Conn.Exec(ctx, writes[0].literal)
		if err != nil {
			return writes[0].failure(err)
		}
		writes[0].changed = tag.RowsAffected()
		writes = writes[1:]
	}
	if read == nil {
		return nil
	}
	if read.literal != "" {
		return c.collect(collect)(c.Conn.Query(ctx, read.literal, pgx.QueryExecModeSimpleProtocol))
	}
	return c.collect(collect)(c.Conn.Query(ctx, read.text, read.values...))
}

// sendBatch sends writes, and a read unless it is nil, in one message.
func (c *pgConn) sendBatch(ctx context.Context, writes []*Write, read *statement, collect func(rows)) (err error) {
	if len(writes) == 0 {
		return nil
	}
	var batch pgx.Batch
	for _, w := range writes {
		batch.Queue(w.text, w.values...)
		for _, s := range c.opening(w) {
			batch.Queue(s)
		}
	}
	if read != nil {
		batch.Queue(read.text, read.values...)
	}
	results := c.Conn.SendBatch(ctx, &batch)
	defer func() { err = cmp.Or(err, results.Close()) }()
	for _, w := range writes {
		tag, err := results.Exec()
		if err != nil {
			return w.failure(err)
		}
		if w.changed = tag.RowsAffected(); tag.String() == "ROLLBACK" && w.text == commit {
			return errors.New("database: the transaction was rolled back")
		}
		for range c.opening(w) {
			if _, err := results.Exec(); err != nil {
				return err
			}
		}
	}
	if read == nil {
		return nil
	}
	return c.collect(collect)(results.Query())
}

// opening returns what follows a write in its message if that begins a transaction.
func (c *pgConn) opening(w *Write) []string {
	if !strings.HasPrefix(w.text, "BEGIN") {
		return nil
	}
	return c.limits
}

// collect returns a function that has the rows of a query collected.
func (c *pgConn) collect(collect func(rows)) func(found pgx.Rows, err error) error {
	return func(found pgx.Rows, err error) error {
		if err != nil {
			return err
		}
		collect(rows{postgres: found, bun: c.pool.bun})
		found.Close()
		return found.Err()
	}
}

// failure returns the error of a write that failed with err.
func (w *Write) failure(err error) error {
	var pg *pgconn.PgError
	if w.unmet != nil && errors.As(err, &pg) && pg.Code == unmetCode {
		return w.unmet
	}
	return err
}
