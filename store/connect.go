package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"missiond/internal/clock"
)

// Statements is how statements with bound values are sent to Postgres.
type Statements string

// The ways to send statements.
const (
	// StatementsAuto is what the URL says, and otherwise prepared on a connection
	// to Postgres itself, plain on one to a pooler.
	StatementsAuto Statements = "auto"
	// StatementsPrepared prepares each statement once per connection, which
	// saves planning it. A pooler must support that.
	StatementsPrepared Statements = "prepared"
	// StatementsPlain keeps nothing on the server between two transactions.
	StatementsPlain Statements = "plain"
)

// primaryConnect bounds an attempt to connect to the primary.
const primaryConnect = 10 * time.Second

// connectLimit bounds an attempt to connect, to all of the URL's hosts.
func (d *postgresDialect) connectLimit() time.Duration {
	if d.standby {
		return replicaConnect
	}
	return primaryConnect
}

// configure returns the configuration of connections.
func (d *postgresDialect) configure() (*pgx.ConnConfig, error) {
	config, err := readURL(d.url)
	if err != nil {
		return nil, err
	}
	for _, p := range pinned {
		maps.DeleteFunc(config.RuntimeParams, func(name, _ string) bool { return strings.EqualFold(name, p.name) })
		if p.kept {
			config.RuntimeParams[p.name] = p.value
		}
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = d.name
	}
	given := parameters(d.url)
	d.mode = bindMode(d.statements, given, config)
	// bun writes arguments into the SQL text, so a cache of prepared statements
	// would only thrash; conn overrides this for statements with values, and binds
	// those of writes itself (sendPrepared).
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	config.DialFunc = marked(config.DialFunc)
	config.OnPgError = d.onError
	if several(config) && !given.Has("target_session_attrs") {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		if d.standby {
			config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsStandby
		}
	}
	return config, nil
}

// several reports whether a configuration has more than one server.
func several(config *pgx.ConnConfig) bool {
	return slices.ContainsFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		return f.Host != config.Host || f.Port != config.Port
	})
}

// autoMode stands for a mode that each connection finds for itself.
const autoMode = pgx.QueryExecMode(0)

// bindMode returns the mode of statements with bound values: that of the option
// or that of the URL.
func bindMode(s Statements, given url.Values, config *pgx.ConnConfig) pgx.QueryExecMode {
	switch {
	case s == StatementsPrepared:
		return pgx.QueryExecModeCacheStatement
	case s == StatementsPlain:
		return plainMode
	case given.Has("default_query_exec_mode"):
		return config.DefaultQueryExecMode
	case config.StatementCacheCapacity == 0:
		return plainMode
	}
	return autoMode
}

// plainMode has the types of a statement's values from the server, once for
// each connection, and then sends the statement without a name.
const plainMode = pgx.QueryExecModeCacheDescribe

// conn is a connection to Postgres or to a pooler.
type conn struct {
	*stdlib.Conn
	pool *pool
	// mode is that of statements with bound values.
	mode pgx.QueryExecMode
	// pooled reports whether a pooler is between, so that nothing of a session
	// outlives its transaction.
	pooled bool
	// limited reports whether the operators have set how long to wait for a lock.
	limited    bool
	generation int64
	made       time.Time
	// named has the names of the writes that are prepared, by their text; names is
	// how many there were.
	named map[string]string
	names int
}

var (
	_ driver.Validator       = (*conn)(nil)
	_ driver.SessionResetter = (*conn)(nil)
	_ driver.QueryerContext  = (*conn)(nil)
	_ driver.ExecerContext   = (*conn)(nil)
)

// ownConn returns the connection of database/sql's Raw.
func ownConn(driverConn any) (*conn, error) {
	c, ok := driverConn.(*conn)
	if !ok {
		return nil, fmt.Errorf("the driver's connection is a %T", driverConn)
	}
	return c, nil
}

// idleLimit is how long the server lets a transaction wait for its next
// statement. It ends one whose process is frozen or whose machine is lost, which
// would keep its locks.
const idleLimit = "15s"

// lockLimit is how long a transaction waits for a lock that somebody holds, an operator's
// LOCK TABLE perhaps: its caller is told to come back while it still listens. It is longer
// than idleLimit, so that the locks of a process that is lost are waited for, and is for
// those whom no other limit was set for.
const lockLimit = "20s"

// greet finds out whether a pooler is between, and sets what a session relies
// on, in one message. A pooler tells its clients a process id of its own making.
// A statement that is prepared is planned once: left to itself Postgres plans one
// of a partitioned table anew each time, since a plan for any values counts all
// partitions as its cost though it reads those of its values only.
// Errors: another value of a pinned parameter, which a pooler hasn't passed on.
func (c *conn) greet(ctx context.Context) error {
	question := `SELECT pg_backend_pid() = %[1]d,
CASE WHEN pg_backend_pid() = %[1]d THEN set_config('idle_in_transaction_session_timeout', '%[2]s', false) END,
CASE WHEN pg_backend_pid() = %[1]d AND %[3]t AND current_setting('plan_cache_mode') = 'auto' THEN set_config('plan_cache_mode', 'force_generic_plan', false) END,
current_setting('lock_timeout') <> '0'`
	for _, p := range pinned {
		question += fmt.Sprintf(",\nCASE WHEN pg_backend_pid() = %%[1]d THEN set_config('%[1]s', '%[2]s', false) ELSE current_setting('%[1]s') END", p.name, p.value)
	}
	server := c.Conn.Conn().PgConn()
	prepares := c.mode == autoMode || c.mode == pgx.QueryExecModeCacheStatement
	results, err := server.Exec(ctx, fmt.Sprintf(question, server.PID(), idleLimit, prepares)).ReadAll()
	if err != nil {
		return err
	}
	row := results[0].Rows[0]
	c.pooled, c.limited = string(row[0]) != "t", string(row[3]) == "t"
	for i, p := range pinned {
		if got := string(row[4+i]); got != p.value {
			return &parameterError{p, got}
		}
	}
	if c.mode == autoMode {
		c.mode = pgx.QueryExecModeCacheStatement
		if c.pooled {
			c.mode = plainMode
		}
	}
	return nil
}

// check returns an error if the search_path names no schema, or if statements are to be
// prepared and a pooler is
// between that doesn't keep those of its clients apart: two that give the same
// name to a statement then meet on one of its connections.
func (d *postgresDialect) check(ctx context.Context) error {
	var schema, path sql.NullString
	if err := d.pools[0].DB.QueryRowContext(ctx, "SELECT current_schema(), current_setting('search_path')").Scan(&schema, &path); err != nil {
		return err
	}
	if !schema.Valid {
		return fmt.Errorf("the search_path %s names no schema that exists: create it, or set another path for the role or the database", path.String)
	}
	if d.mode != pgx.QueryExecModeCacheStatement {
		return nil
	}
	pool := handle{DB: d.pools[0].DB}
	for range 2 {
		c, err := pool.conn(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }() // not before the other has prepared
		if err := c.Raw(func(driverConn any) error { return checkPrepared(ctx, driverConn) }); err != nil {
			return err
		}
	}
	return nil
}

// checkPrepared prepares a statement if a pooler is between.
func checkPrepared(ctx context.Context, driverConn any) error {
	const name, duplicate, unknown = "missiond_check", "42P05", "26000"
	c, err := ownConn(driverConn)
	if err != nil || !c.pooled {
		return err
	}
	server := c.Conn.Conn().PgConn()
	_, err = server.Prepare(ctx, name, "SELECT 1", nil)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == duplicate || pg.Code == unknown) {
		return errors.New("the database is behind a pooler that doesn't support prepared statements: use --database-statements=plain or auto, or set the pooler's max_prepared_statements")
	}
	return err
}

// QueryContext runs a query, with its values bound if it has any.
func (c *conn) QueryContext(ctx context.Context, query string, values []driver.NamedValue) (driver.Rows, error) {
	if len(values) > 0 && ctx.Value(directKey{}) != nil {
		return c.queryDirectly(ctx, query, values)
	}
	return c.Conn.QueryContext(ctx, query, c.bound(values))
}

// ExecContext runs a statement, with its values bound if it has any.
func (c *conn) ExecContext(ctx context.Context, query string, values []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, query, c.bound(values))
}

// bound puts the mode before the values.
func (c *conn) bound(values []driver.NamedValue) []driver.NamedValue {
	if len(values) == 0 {
		return values
	}
	return append([]driver.NamedValue{{Value: c.mode}}, values...)
}

// ResetSession returns driver.ErrBadConn if the connection must not be used
// again.
func (c *conn) ResetSession(ctx context.Context) error {
	if !c.current() {
		return driver.ErrBadConn
	}
	return c.Conn.ResetSession(ctx)
}

// IsValid reports whether the connection may go back to its pool.
func (c *conn) IsValid() bool { return c.current() && !c.pool.sheds(c) }

// current reports whether the connection leads to the server that is believed to
// be the primary.
func (c *conn) current() bool { return c.generation == c.pool.dialect.generation.Load() }

// Close closes the connection.
func (c *conn) Close() error {
	c.pool.closed(c)
	if !c.current() {
		c.pool.discarded.Add(1)
	}
	return c.Conn.Close()
}

// begin returns the statements that begin a transaction.
func (c *conn) begin() []string {
	begin := []string{"BEGIN"}
	if c.pooled {
		begin = append(begin, "SET LOCAL idle_in_transaction_session_timeout = '"+idleLimit+"'")
	}
	if !c.limited {
		begin = append(begin, "SET LOCAL lock_timeout = '"+lockLimit+"'")
	}
	return begin
}

// noConnection is the error of an attempt to connect that may succeed soon.
type noConnection struct{ err error }

func (e *noConnection) Error() string { return e.err.Error() }
func (e *noConnection) Unwrap() error { return e.err }

// Connect makes a connection. It implements driver.Connector. Errors:
// *noConnection if another attempt may succeed.
func (p *pool) Connect(ctx context.Context) (driver.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, p.dialect.connectLimit())
	defer cancel()
	c := &conn{pool: p, mode: p.dialect.mode, generation: p.dialect.generation.Load(), made: clock.Real().Now()}
	raw, err := p.connector.Connect(limited)
	if err == nil {
		stdConn, ok := raw.(*stdlib.Conn)
		if !ok {
			return nil, fmt.Errorf("the driver's connection is a %T", raw)
		}
		c.Conn = stdConn
		registerJSON(stdConn.Conn())
		if err = c.greet(limited); err == nil {
			p.opened(c)
			return c, nil
		}
		_ = stdConn.Close()
	}
	err = waited(err)
	var pg *pgconn.PgError
	switch {
	case ctx.Err() != nil:
		return nil, err
	case errors.As(err, &pg) && pg.Code == tooManyConnections:
		p.shrink()
		return nil, &noConnection{err}
	case pg == nil || unavailablePostgres(pg.Code):
		if Unavailable(err) {
			return nil, &noConnection{err}
		}
	}
	return nil, err
}

// Driver returns the driver. It implements driver.Connector.
func (p *pool) Driver() driver.Driver { return p.connector.Driver() }

// tooManyConnections is Postgres's code for a server that has all the
// connections it allows.
const tooManyConnections = "53300"

// onError is called for each error of the server. It discards all connections
// after an error that says that they may lead to the wrong one, and reports
// whether the connection may be used again.
func (d *postgresDialect) onError(_ *pgconn.PgConn, err *pgconn.PgError) bool {
	const readOnly, adminShutdown = "25006", "57P01"
	if err.Code == readOnly || err.Code == adminShutdown {
		d.discard(err.Code == readOnly)
	}
	return !strings.EqualFold(err.Severity, "FATAL")
}
