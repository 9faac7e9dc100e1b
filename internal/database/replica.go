package database

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"missiond/internal/batchcache"
	"missiond/internal/clock"
)

// How a replica is used.
const (
	// replicaPatience is how long a request waits for the replica to replay what
	// was committed before the request.
	replicaPatience = 50 * time.Millisecond
	// replicaPoll is the pause between two looks at how far the replica is.
	replicaPoll = 2 * time.Millisecond
	// replicaPause is how long a replica isn't used after it was unavailable or
	// lagged.
	replicaPause = time.Second
	// replicaConnect bounds an attempt to connect to it.
	replicaConnect = time.Second
)

// AllowReplica returns a context whose reads outside transactions a replica may
// answer, if there is one. A replica answers a request only once it has replayed
// all that was committed before the request's first read, so callers read what
// they wrote, through whichever process.
func AllowReplica(ctx context.Context) context.Context {
	if ctx.Value(offloadKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, offloadKey{}, &offload{})
}

// offloadKey is the key of a context's *offload.
type offloadKey struct{}

// offload is whether a replica answers a request's reads.
type offload struct {
	decide sync.Once
	of     atomic.Pointer[replica] // the replica that was asked; nil before
	yes    atomic.Bool
}

// replica is a standby of the database that answers reads. Without one it is nil.
//
// Before a request's first read the primary is asked how far its log is on disk,
// which includes all that anybody was told is committed. The replica answers the
// request if it has replayed as much of the same log. Concurrent requests share
// both questions. If the replica lags or fails, the primary answers.
type replica struct {
	engine  *postgresServer
	pool    *pgPool
	primary *pgPool
	// ends and replays look up where the primary's log ends, and how far the replica
	// has replayed it.
	ends, replays *batchcache.Cache[logPosition]
	system        atomic.Pointer[string]      // the primary's identifier; nil if it isn't known yet
	replayed      atomic.Pointer[logPosition] // the last that the replica has told
	paused        atomic.Pointer[pause]

	answered, lagging, unavailable atomic.Int64
}

// pause is until when in the process's time a replica isn't used, and what counts the
// requests that the primary answers meanwhile.
type pause struct {
	until time.Duration
	why   *atomic.Int64
}

// logPosition is a place in the log.
type logPosition struct {
	timeline int32
	lsn      int64
}

// covers reports whether a log that was replayed up to p has all before end.
func (p *logPosition) covers(end logPosition) bool {
	return p != nil && p.timeline == end.timeline && p.lsn >= end.lsn
}

// ReplicaStats are how often the replica was to answer a request's reads.
type ReplicaStats struct {
	// Answered counts the requests that the replica answered, Lagging and Unavailable
	// those that the primary answered instead.
	Answered, Lagging, Unavailable int64
}

// Replica returns the replica's figures; ok is false if there is none.
func (db *DB) Replica() (s ReplicaStats, ok bool) {
	r := db.replica
	if r == nil {
		return s, false
	}
	return ReplicaStats{Answered: r.answered.Load(), Lagging: r.lagging.Load(), Unavailable: r.unavailable.Load()}, true
}

// TryReplica returns why the replica can't answer at all; nil if it can, or if there is
// none.
func (db *DB) TryReplica(ctx context.Context) error {
	if db.replica == nil {
		return nil
	}
	if _, err := db.replica.end(ctx); err != nil {
		return err
	}
	_, err := db.replica.replay(ctx)
	return err
}

// openReplica opens the replica of a database.
func openReplica(of *postgresServer, most int, primary *pgPool) (*replica, error) {
	pool, err := of.open("replica", most)
	if err != nil {
		return nil, fmt.Errorf("the replica: %w", err)
	}
	r := &replica{engine: of, pool: pool, primary: primary}
	r.ends = &batchcache.Cache[logPosition]{Lookup: single(r.end)}
	r.replays = &batchcache.Cache[logPosition]{Lookup: single(r.replay)}
	return r, nil
}

// single returns the lookup of a cache whose only key is "".
func single(look func(ctx context.Context) (logPosition, error)) func(context.Context, []string) (map[string]logPosition, error) {
	return func(ctx context.Context, _ []string) (map[string]logPosition, error) {
		p, err := look(ctx)
		return map[string]logPosition{"": p}, err
	}
}

// answers reports whether the replica answers a query.
func (r *replica) answers(ctx context.Context) bool {
	if r == nil {
		return false
	}
	o, ok := ctx.Value(offloadKey{}).(*offload)
	if !ok {
		return false
	}
	o.decide.Do(func() {
		o.of.Store(r)
		why := r.ready(ctx)
		why.Add(1)
		o.yes.Store(why == &r.answered)
	})
	return o.yes.Load()
}

// ready waits a little for the replica to have all that was committed before the call.
// It returns the counter of what came of it.
func (r *replica) ready(ctx context.Context) *atomic.Int64 {
	if p := r.paused.Load(); p != nil && clock.Running() < p.until {
		return p.why
	}
	end, _, err := r.ends.GetFresh(ctx, "")
	if err != nil {
		return r.rest(&r.unavailable)
	}
	if r.replayed.Load().covers(end) {
		return &r.answered
	}
	limited, cancel := context.WithTimeout(ctx, replicaPatience)
	defer cancel()
	for {
		at, _, err := r.replays.GetFresh(limited, "")
		switch {
		case err != nil && ctx.Err() == nil:
			r.cut()
			return r.rest(&r.unavailable)
		case at.covers(end):
			return &r.answered
		case clock.Sleep(limited, replicaPoll) != nil:
			return r.rest(&r.lagging)
		}
	}
}

// rest leaves the replica alone for a while, and returns why.
func (r *replica) rest(why *atomic.Int64) *atomic.Int64 {
	r.paused.Store(&pause{until: clock.Running() + replicaPause, why: why})
	return why
}

// cut ends the reads that wait for a replica that doesn't respond.
func (r *replica) cut() {
	r.replayed.Store(nil)
	r.pool.pool.Reset()
	r.pool.cut(clock.Real().Now())
}

// leaveReplica reports whether a read that failed with err is to be repeated, since a
// replica may have answered it. From then on the primary answers the request.
func leaveReplica(ctx context.Context, err error) bool {
	o, ok := ctx.Value(offloadKey{}).(*offload)
	if !ok || err == nil || ctx.Err() != nil || o.of.Load() == nil {
		return false
	}
	if o.yes.Swap(false) {
		o.of.Load().unavailable.Add(1)
	}
	return true
}

// end asks the primary where its log ends on disk.
func (r *replica) end(ctx context.Context) (p logPosition, err error) {
	if r.system.Load() == nil {
		var system string
		if err := r.primary.pool.QueryRow(ctx, "SELECT system_identifier::text FROM pg_control_system()").Scan(&system); err != nil {
			return p, err
		}
		r.system.Store(&system)
	}
	const question = `SELECT ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int, pg_wal_lsn_diff(lsn, '0/0')::bigint FROM pg_current_wal_flush_lsn() AS lsn`
	err = r.primary.pool.QueryRow(ctx, question).Scan(&p.timeline, &p.lsn)
	return p, err
}

// replay asks the replica how far it has replayed the log. The timeline that it tells
// may be an earlier one for some minutes after a failover. Errors: the server is no
// standby of the primary.
func (r *replica) replay(ctx context.Context) (p logPosition, err error) {
	const question = `SELECT pg_is_in_recovery(), (SELECT system_identifier::text FROM pg_control_system()), (SELECT timeline_id FROM pg_control_checkpoint()),
coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint`
	var standby bool
	var system string
	limited, cancel := context.WithTimeout(ctx, replicaConnect)
	defer cancel()
	if err := r.pool.pool.QueryRow(limited, question).Scan(&standby, &system, &p.timeline, &p.lsn); err != nil {
		return p, err
	}
	if known := r.system.Load(); !standby || known == nil || *known != system {
		return p, errors.New("database: the replica's server is no standby of the database")
	}
	r.replayed.Store(&p)
	return p, nil
}
