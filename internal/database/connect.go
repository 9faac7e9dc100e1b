package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

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
func (p *postgresServer) connectLimit() time.Duration {
	if p.standby {
		return replicaConnect
	}
	return primaryConnect
}

// configure returns the configuration of connections.
func (p *postgresServer) configure() (*pgxpool.Config, error) {
	config, err := readURL(p.url)
	if err != nil {
		return nil, err
	}
	c := config.ConnConfig
	for _, pin := range pinned {
		maps.DeleteFunc(c.RuntimeParams, func(name, _ string) bool { return strings.EqualFold(name, pin.name) })
		if pin.passed {
			c.RuntimeParams[pin.name] = pin.value
		}
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = p.name
	}
	given := parameters(p.url)
	p.given = givenMode(p.statements, given, c)
	c.StatementCacheCapacity = cmp.Or(c.StatementCacheCapacity, cachedStatements)
	c.DescriptionCacheCapacity = cmp.Or(c.DescriptionCacheCapacity, cachedStatements)
	c.ConnectTimeout = p.connectLimit() / time.Duration(1+len(c.Fallbacks))
	c.DialFunc = marked(c.DialFunc)
	c.OnPgError = p.onError
	if several(c) && !given.Has("target_session_attrs") {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		if p.standby {
			c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsStandby
		}
	}
	return config, nil
}

// cachedStatements is how many statements a connection has prepared, or described, unless the
// URL says otherwise: pgx's default, also for modes that the URL doesn't expect.
const cachedStatements = 512

// several reports whether a configuration has more than one server.
func several(config *pgx.ConnConfig) bool {
	return slices.ContainsFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		return f.Host != config.Host || f.Port != config.Port
	})
}

// autoMode stands for the mode that fits what is found at the other end.
const autoMode = pgx.QueryExecMode(0)

// plainMode has the types of a statement's values from the server, once for
// each connection, and then sends the statement without a name.
const plainMode = pgx.QueryExecModeCacheDescribe

// givenMode returns the mode of statements that the option or the URL asks for.
func givenMode(s Statements, given url.Values, config *pgx.ConnConfig) pgx.QueryExecMode {
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

// mode returns the mode of the statements of a new connection.
func (p *postgresServer) mode() pgx.QueryExecMode {
	switch {
	case p.given != autoMode:
		return p.given
	case p.plain.Load():
		return plainMode
	}
	return pgx.QueryExecModeCacheStatement
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

// errPooled is the error of a connection that was made before a pooler was found between.
var errPooled = errors.New("a pooler is between")

// greet finds out whether a pooler is between, and sets what a session relies
// on, in one message. A pooler tells its clients a process id of its own making.
// A statement that is prepared is planned once: left to itself Postgres plans one
// of a partitioned table anew each time, since a plan for any values counts all
// partitions as its cost though it reads those of its values only.
// Errors: another value of a pinned parameter, which a pooler hasn't passed on; errPooled.
func (p *postgresServer) greet(ctx context.Context, c *pgx.Conn) (*session, error) {
	question := `SELECT pg_backend_pid() = %[1]d,
CASE WHEN pg_backend_pid() = %[1]d THEN set_config('idle_in_transaction_session_timeout', '%[2]s', false) END,
CASE WHEN pg_backend_pid() = %[1]d AND %[3]t AND current_setting('plan_cache_mode') = 'auto' THEN set_config('plan_cache_mode', 'force_generic_plan', false) END,
current_setting('lock_timeout') <> '0'`
	for _, pin := range pinned {
		question += fmt.Sprintf(",\nCASE WHEN pg_backend_pid() = %%[1]d THEN set_config('%[1]s', '%[2]s', false) ELSE current_setting('%[1]s') END", pin.name, pin.value)
	}
	server, prepares := c.PgConn(), c.Config().DefaultQueryExecMode == pgx.QueryExecModeCacheStatement
	results, err := server.Exec(ctx, fmt.Sprintf(question, server.PID(), idleLimit, prepares)).ReadAll()
	if err != nil {
		return nil, err
	}
	row := results[0].Rows[0]
	for i, pin := range pinned {
		if got := string(row[4+i]); got != pin.value {
			return nil, &parameterError{pin, got}
		}
	}
	s := &session{made: clock.Real().Now(), pooled: string(row[0]) != "t"}
	if s.pooled {
		s.limits = append(s.limits, "SET LOCAL idle_in_transaction_session_timeout = '"+idleLimit+"'")
	}
	if string(row[3]) != "t" {
		s.limits = append(s.limits, "SET LOCAL lock_timeout = '"+lockLimit+"'")
	}
	if s.pooled && prepares && p.given == autoMode {
		p.plain.Store(true)
		return nil, &noConnection{errPooled}
	}
	return s, nil
}

// onError is called for each error of the server. It discards all connections
// after an error that says that they may lead to the wrong one, and reports
// whether the connection may be used again.
func (p *postgresServer) onError(_ *pgconn.PgConn, err *pgconn.PgError) bool {
	const readOnly, adminShutdown = "25006", "57P01"
	if err.Code == readOnly || err.Code == adminShutdown {
		p.discard(err.Code == readOnly)
	}
	return !strings.EqualFold(err.Severity, "FATAL")
}
