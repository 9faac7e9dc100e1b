package simulation

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"

	"missiond/internal/database"
)

// drivers is how many instances a simulation may have: each has a driver of its own, by
// which its connections know whose they are.
const drivers = 4

// driven are the instances of the simulation that runs, by the number of their driver.
var driven struct {
	sync.Mutex

	instances [drivers]*instance
}

func driverName(n int) string { return fmt.Sprintf("simulation%d", n) }

func init() { //nolint:gochecknoinits // database/sql has drivers registered
	db, err := sql.Open(database.DriverSQLite, ":memory:")
	if err != nil {
		panic(err)
	}
	for n := range drivers {
		sql.Register(driverName(n), &simulated{inner: db.Driver(), n: n})
	}
	_ = db.Close()
}

// simulated is a driver whose connections wait, before each statement that writes, until
// the simulation lets them go on.
type simulated struct {
	inner driver.Driver
	n     int
}

// replaced is a part of the service's own settings of a connection: a lock that another
// has is an error at once, since the simulation keeps writers apart.
var replaced = strings.NewReplacer("busy_timeout%2810000%29", "busy_timeout%280%29")

// Open opens a connection of the driver's instance. Errors: errDead.
func (d *simulated) Open(name string) (driver.Conn, error) {
	driven.Lock()
	i := driven.instances[d.n]
	driven.Unlock()
	if i == nil || !i.alive() {
		return nil, errDead
	}
	inner, err := d.inner.Open(replaced.Replace(name))
	if err != nil {
		return nil, err
	}
	c := &conn{inner: inner, of: i, generation: i.generation}
	i.sim.opened(c)
	return c, nil
}

// errDead is what is left of an instance that has crashed gets from its database.
var errDead = errors.New("simulation: the process is dead")

// conn is a connection.
type conn struct {
	inner      driver.Conn
	of         *instance
	generation int
	inTx       bool // whether a transaction that writes is open
}

var (
	_ driver.ExecerContext  = (*conn)(nil)
	_ driver.QueryerContext = (*conn)(nil)
)

func (c *conn) dead() bool { return c.generation != c.of.generation || !c.of.alive() }

// Prepare implements driver.Conn.
func (c *conn) Prepare(text string) (driver.Stmt, error) {
	if c.dead() {
		return nil, errDead
	}
	return c.inner.Prepare(text)
}

// Begin implements driver.Conn. Only migrations begin a transaction so, before the
// simulation starts.
func (c *conn) Begin() (driver.Tx, error) {
	return c.inner.Begin() //nolint:staticcheck // what database/sql itself falls back to
}

// Close implements driver.Conn.
func (c *conn) Close() error {
	c.of.sim.closed(c)
	return c.inner.Close()
}

// what returns the kind of point that a statement is, "" if it is none.
func (c *conn) what(text string) kind {
	switch word, _, _ := strings.Cut(strings.TrimSpace(text), " "); strings.ToUpper(word) {
	case "BEGIN":
		if text == "BEGIN" {
			return "" // which only reads
		}
		return atBegin
	case "COMMIT":
		return atCommit
	case "SELECT", "PRAGMA", "ROLLBACK":
		return ""
	case "WITH":
		if !strings.Contains(text, "INSERT ") && !strings.Contains(text, "UPDATE ") && !strings.Contains(text, "DELETE ") {
			return ""
		}
	}
	return atWrite
}

// pass waits until a statement may run, and returns the error that it has after it has run.
// Errors: that of a statement that doesn't run.
func (c *conn) pass(ctx context.Context, k kind, text string, args []driver.NamedValue) (after, err error) {
	p := &point{conn: c, of: c.of, generation: c.generation, kind: k, text: text, args: args, who: whoOf(ctx), goroutine: goroutine(), cut: cutOf(ctx)}
	v, err := c.of.sim.park(context.Background(), p) // what waits for a lock isn't interrupted
	if err == nil {
		err, after = v.errors()
	}
	if err != nil {
		c.settle(k, false)
	}
	return after, err
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if c.dead() {
		return nil, errDead
	}
	if text == "ROLLBACK" {
		defer c.of.sim.release(c)
	}
	k := c.what(text)
	if k == "" {
		return c.inner.(driver.ExecerContext).ExecContext(ctx, text, args)
	}
	after, err := c.pass(ctx, k, text, args)
	if err != nil {
		return nil, err
	}
	result, err := c.inner.(driver.ExecerContext).ExecContext(ctx, text, args)
	c.settle(k, err == nil)
	if err == nil {
		changed, _ := result.RowsAffected()
		c.of.sim.held(ctx, text, args, changed)
	}
	if after != nil {
		return nil, after
	}
	return result, err
}

// settle records what a statement has changed of the transaction.
func (c *conn) settle(k kind, ran bool) {
	switch {
	case k == atBegin && ran:
		c.inTx = true
	case k == atCommit && ran, !c.inTx:
		c.of.sim.release(c)
	}
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if c.dead() {
		return nil, errDead
	}
	k := c.what(text)
	if k == "" {
		return c.inner.(driver.QueryerContext).QueryContext(ctx, text, args)
	}
	after, err := c.pass(ctx, k, text, args)
	if err != nil {
		return nil, err
	}
	rows, err := c.inner.(driver.QueryerContext).QueryContext(ctx, text, args)
	if after != nil {
		if err == nil {
			_ = rows.Close()
		}
		c.settle(k, err == nil)
		return nil, after
	}
	if err != nil || c.inTx {
		c.settle(k, err == nil)
		return rows, err
	}
	return &lockedRows{rows, c}, nil
}

// lockedRows are those of a lone statement that writes: its lock lasts until they are
// closed.
type lockedRows struct {
	driver.Rows

	conn *conn
}

// Close implements driver.Rows.
func (r *lockedRows) Close() error {
	defer r.conn.of.sim.release(r.conn)
	return r.Rows.Close()
}
