package database

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/uptrace/bun"
	"golang.org/x/sync/semaphore"

	"missiond/internal/clock"
)

// How long connections live.
const (
	connectionLife = 30 * time.Minute
	connectionIdle = 10 * time.Second
)

// How a pool behaves while the server has no connection to spare.
const (
	// patience is how long a call waits for the server to accept a connection, trying
	// every retryPause.
	patience   = 5 * time.Second
	retryPause = 50 * time.Millisecond
	// shortage is how long a pool does without more connections.
	shortage = 2 * time.Second
	// shedAge is how old a connection is at least that is given back to the server,
	// shedPause the time between two.
	shedAge   = time.Second
	shedPause = 500 * time.Millisecond
	// discardPause is the time between two times that all connections are discarded.
	discardPause = 2 * time.Second
	// busyLimit is how long a statement may go on at a server that is no longer the
	// primary: it may wait there for a lock whose holder never ends.
	busyLimit = 5 * time.Second
)

// jittered returns between half of d and one and a half.
func jittered(d time.Duration) time.Duration { return d/2 + clock.Jitter(d) }

// pgPool is some of a process's connections to Postgres.
//
// A server that has no connection to spare refuses. The pool then gets by with what it has
// for a while, from time to time closes a connection instead of using it again, and then those
// that are idle, so that other processes get their share.
type pgPool struct {
	name   string
	server *postgresServer
	pool   *pgxpool.Pool
	bun    *bun.DB
	most   int

	conns     sync.Map     // what is known of its connections, by their *pgx.Conn
	open      atomic.Int64 // how many there are
	discarded atomic.Int64 // how many were discarded

	// permits are of those who have a connection or wait for one of those that there are.
	permits *semaphore.Weighted

	mu       sync.Mutex
	withheld int         // how many permits are withheld
	restore  *time.Timer // gives them back; nil if none is
	short    time.Time   // until when connections are shed
	shed     time.Time   // when one was last shed
}

// session is what is known of a connection to Postgres or to a pooler.
type session struct {
	made time.Time
	// pooled reports whether a pooler is between, so that nothing of a session
	// outlives its transaction.
	pooled bool
	// limits are statements that limit how long a transaction waits.
	limits []string
}

// pgConn is a connection that is in use.
type pgConn struct {
	*pgxpool.Conn
	*session

	pool *pgPool
}

// open makes a pool.
func (p *postgresServer) open(name string, most int) (*pgPool, error) {
	config, err := p.configure()
	if err != nil {
		return nil, err
	}
	pool := &pgPool{name: name, server: p, most: most, permits: semaphore.NewWeighted(int64(most))}
	config.MaxConns = int32(most)
	config.MaxConnLifetime, config.MaxConnLifetimeJitter = connectionLife/2, connectionLife
	config.MaxConnIdleTime, config.HealthCheckPeriod = connectionIdle, connectionIdle/2
	config.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
		c.DefaultQueryExecMode = p.mode() // as it is known by now
		return nil
	}
	config.AfterConnect = pool.afterConnect
	config.BeforeClose = func(c *pgx.Conn) {
		if _, there := pool.conns.LoadAndDelete(c); there {
			pool.open.Add(-1)
		}
	}
	if pool.pool, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
		return nil, err
	}
	p.pools = append(p.pools, pool)
	return pool, nil
}

// noConnection is the error of an attempt to connect that may succeed soon.
type noConnection struct{ err error }

func (e *noConnection) Error() string { return e.err.Error() }
func (e *noConnection) Unwrap() error { return e.err }

func (p *pgPool) afterConnect(ctx context.Context, c *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, p.server.connectLimit())
	defer cancel()
	registerJSON(c)
	s, err := p.server.greet(ctx, c)
	if err == nil {
		p.conns.Store(c, s)
		p.open.Add(1)
	}
	return err
}

// acquire implements connections.
func (p *pgPool) acquire(ctx context.Context) (connection, error) {
	if err := p.permits.Acquire(ctx, 1); err != nil {
		return nil, waited(err)
	}
	c, err := p.pool.Acquire(ctx)
	if err == nil {
		s, _ := p.conns.Load(c.Conn())
		known, _ := s.(*session)
		return &pgConn{c, known, p}, nil
	}
	err = waited(err)
	var pg *pgconn.PgError
	refused := errors.As(err, &pg) && pg.Code == tooManyConnections
	if !refused || !p.withhold(true) {
		p.permits.Release(1)
	}
	if none := (*noConnection)(nil); ctx.Err() == nil && !errors.As(err, &none) && (refused || Unavailable(err)) {
		return nil, &noConnection{err}
	}
	return nil, err
}

// tooManyConnections is Postgres's code for a server that has all the
// connections it allows.
const tooManyConnections = "53300"

// withhold has a permit not given back for a while, so that the pool gets by with what it has:
// callers queue for that. It reports whether it does; others do if the last one is left.
func (p *pgPool) withhold(refused bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if refused {
		p.short = clock.Real().Now().Add(2 * shortage)
	}
	if p.withheld+1 >= p.most {
		return false
	}
	p.withheld++
	if p.restore == nil {
		p.restore = time.AfterFunc(jittered(shortage), p.giveBack)
	}
	return true
}

// giveBack gives the withheld permits back, and to the server the connections that nobody
// uses by now: a process that waits for one may have none.
func (p *pgPool) giveBack() {
	p.mu.Lock()
	p.permits.Release(int64(p.withheld))
	p.withheld, p.restore = 0, nil
	p.mu.Unlock()
	for _, c := range p.pool.AcquireAllIdle(context.Background()) {
		closeNow(c.Conn())
		c.Release()
	}
}

// sheds reports whether a connection is to be given back to the server.
func (p *pgPool) sheds(s *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := clock.Real().Now()
	if !now.Before(p.short) || now.Sub(s.made) < shedAge || now.Sub(p.shed) < shedPause || p.open.Load() <= 1 {
		return false
	}
	p.shed = now
	return true
}

// release implements connection.
func (c *pgConn) release() {
	shed := c.pool.sheds(c.session)
	if shed {
		c.close()
	}
	c.Release()
	if !shed || !c.pool.withhold(false) {
		c.pool.permits.Release(1)
	}
}

// close implements connection.
func (c *pgConn) close() { closeNow(c.Conn.Conn()) }

// closeNow closes a connection, which is given up in any case.
func closeNow(c *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.Close(ctx)
}

// discard has all connections closed, unless that was just done: idle ones at once, the others
// when they are returned or, if the server is no longer the primary, after busyLimit.
func (p *postgresServer) discard(demoted bool) {
	now := clock.Real().Now()
	last := p.discardedAt.Load()
	if now.UnixMilli()-last < discardPause.Milliseconds() || !p.discardedAt.CompareAndSwap(last, now.UnixMilli()) {
		return
	}
	for _, pool := range p.pools {
		pool.discarded.Add(pool.open.Load())
		go pool.pool.Reset() // not here: a connection is being read
		if demoted {
			time.AfterFunc(busyLimit, func() { pool.cut(now) })
		}
	}
}

// cut cuts the connections that were made before a time, whatever they do.
func (p *pgPool) cut(before time.Time) {
	p.conns.Range(func(key, value any) bool {
		c, _ := key.(*pgx.Conn)
		if s, ok := value.(*session); ok && s.made.Before(before) {
			_ = c.PgConn().Conn().Close() // its statement fails, and its user closes it
		}
		return true
	})
}

func (p *pgPool) stats() PoolStats {
	s, most := p.pool.Stat(), p.most
	p.mu.Lock()
	most -= p.withheld
	p.mu.Unlock()
	return PoolStats{Name: p.name, Discarded: p.discarded.Load(), DBStats: sql.DBStats{
		MaxOpenConnections: most, OpenConnections: int(s.TotalConns()), InUse: int(s.AcquiredConns()), Idle: int(s.IdleConns()),
		WaitCount: s.EmptyAcquireCount(), WaitDuration: s.EmptyAcquireWaitTime(),
		MaxIdleTimeClosed: s.MaxIdleDestroyCount(), MaxLifetimeClosed: s.MaxLifetimeDestroyCount(),
	}}
}

// patiently calls try until it gets a connection, for as long as a call waits for one. One
// that was lost before anything was sent doesn't count.
func patiently(ctx context.Context, try func() error) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := try()
		var none *noConnection
		again := errors.As(err, &none)
		if again && clock.Sleep(limited, jittered(retryPause)) != nil || !again && (err == nil || !pgconn.SafeToRetry(err) || limited.Err() != nil) {
			return waited(err)
		}
	}
}

// patientConn acquires a connection patiently.
func patientConn(ctx context.Context, p *pgPool) (c *pgConn, err error) {
	err = patiently(ctx, func() error {
		found, err := p.acquire(ctx)
		c, _ = found.(*pgConn)
		return err
	})
	return c, err
}
