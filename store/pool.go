package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"missiond/internal/clock"
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

// How long connections are kept.
const (
	connectionLife = 30 * time.Minute
	connectionIdle = 10 * time.Second
)

// How a pool behaves while the server has no connection to spare.
const (
	// patience is how long a call waits for the server to accept a connection.
	patience = 5 * time.Second
	// shortage is how long a pool does without more connections.
	shortage = 2 * time.Second
	// shedAge is how old a connection is at least that is given back to the server,
	// shedPause the time between two.
	shedAge   = time.Second
	shedPause = 500 * time.Millisecond
	// generationPause is the time between two generations of connections.
	generationPause = 2 * time.Second
	// busyLimit is how long a statement may go on at a server that is no longer the
	// primary: it may wait there for a lock whose holder never ends.
	busyLimit = 5 * time.Second
)

// jittered returns between half of d and one and a half.
func jittered(d time.Duration) time.Duration { return d/2 + rand.N(d) } //nolint:gosec // it spreads, no more

// pool is some of a process's connections to Postgres. It makes them.
//
// A server that has no connection to spare refuses. The pool then gets by with
// what it has: its bound falls to that, callers queue for it, and from time to
// time a connection is closed instead of being used again, so that other
// processes get their share. After a while the bound is restored, to try again.
type pool struct {
	*sql.DB

	name      string
	dialect   *postgresDialect
	connector driver.Connector
	most      int
	conns     sync.Map     // the connections, as keys
	open      atomic.Int64 // how many there are
	discarded atomic.Int64 // how many were closed for being of an old generation

	mu      sync.Mutex
	restore *time.Timer // restores the bound; nil outside a shortage
	short   time.Time   // until when connections are shed
	shed    time.Time   // when one was last shed
}

func newPool(d *postgresDialect, name string, connector driver.Connector, most int) *pool {
	p := &pool{name: name, dialect: d, connector: connector, most: most}
	p.DB = sql.OpenDB(p)
	p.SetMaxOpenConns(most)
	p.SetMaxIdleConns(most)
	p.SetConnMaxLifetime(jittered(connectionLife))
	p.SetConnMaxIdleTime(connectionIdle)
	return p
}

// opened counts a connection, and closed discounts it.
func (p *pool) opened(c *conn) {
	p.conns.Store(c, nil)
	p.open.Add(1)
}

func (p *pool) closed(c *conn) {
	p.conns.Delete(c)
	p.open.Add(-1)
}

// shrink lowers the bound to the connections that there are, for a while.
func (p *pool) shrink() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.short = clock.Real().Now().Add(2 * shortage)
	p.bound(int(max(1, p.open.Load())))
	if p.restore == nil {
		p.restore = time.AfterFunc(jittered(shortage), p.grow)
	}
}

// grow restores the bound.
func (p *pool) grow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restore = nil
	p.bound(p.most)
}

// bound sets how many connections there may be.
func (p *pool) bound(n int) {
	p.SetMaxOpenConns(n)
	p.SetMaxIdleConns(n)
}

// sheds reports whether a connection is to be given back to the server.
func (p *pool) sheds(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := clock.Real().Now()
	if !now.Before(p.short) || now.Sub(c.made) < shedAge || now.Sub(p.shed) < shedPause || p.open.Load() <= 1 {
		return false
	}
	p.shed = now
	p.bound(int(p.open.Load()) - 1)
	if p.restore == nil {
		p.restore = time.AfterFunc(jittered(shortage), p.grow)
	}
	return true
}

// discard begins a new generation of connections, unless it has just begun one.
// Idle ones of the old are closed at once, the others when they are returned, or,
// if the server is no longer the primary, after busyLimit.
func (d *postgresDialect) discard(demoted bool) {
	now := clock.Real().Now().UnixMilli()
	last := d.discardedAt.Load()
	if now-last < generationPause.Milliseconds() || !d.discardedAt.CompareAndSwap(last, now) {
		return
	}
	generation := d.generation.Add(1)
	for _, p := range d.pools {
		go p.closeIdle() // not here: a connection is being read
		if demoted {
			time.AfterFunc(busyLimit, func() { p.closeBefore(generation) })
		}
	}
}

// closeBefore cuts the connections of earlier generations, whatever they do.
func (p *pool) closeBefore(generation int64) {
	p.conns.Range(func(key, _ any) bool {
		if c, ok := key.(*conn); ok && c.generation < generation {
			_ = c.Conn.Conn().PgConn().Conn().Close() // its statement fails, and its user closes it
		}
		return true
	})
}

// closeIdle closes the connections that nobody uses.
func (p *pool) closeIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.SetMaxIdleConns(0)
	p.SetMaxIdleConns(p.most)
}

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
	all := db.dialect.stats()
	if db.replica != nil {
		all = append(all, db.replica.dialect.stats()...)
	}
	return all
}

func (d *postgresDialect) stats() (all []PoolStats) {
	for _, p := range d.pools {
		all = append(all, PoolStats{DBStats: p.Stats(), Name: p.name, Discarded: p.discarded.Load()})
	}
	return all
}

// Connections returns how many connections there are for verbs and tasks at
// most. No tenant should hold more than a share of them.
func (db *DB) Connections() int { return db.dialect.connections() }

// patiently calls try until it gets a connection, for as long as a call waits
// for one.
func patiently(ctx context.Context, try func() error) error {
	const pause = 100 * time.Millisecond
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := try()
		var none *noConnection
		if err == nil || !errors.As(err, &none) || clock.Sleep(limited, jittered(pause)) != nil {
			return waited(err)
		}
	}
}

// conn returns a connection of the pool for a transaction.
func (h handle) conn(ctx context.Context) (c *sql.Conn, err error) {
	err = patiently(ctx, func() error {
		c, err = h.Conn(ctx)
		return err
	})
	return c, err
}
