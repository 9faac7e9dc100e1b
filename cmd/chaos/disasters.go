package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"missiond/internal/clock"
	"missiond/internal/servers"
)

// leaseTime is how long a claim is valid without a renewal (docs/architecture.md, "The ledger").
const leaseTime = 15 * time.Second

// kinds returns all disasters. By their weights, killed processes, which recover
// soon, are frequent, and longer disasters overlap with them.
func kinds() []kind {
	return []kind{
		{"worker killed", 26, drawKilled(func(w *harness) []*process { return w.workers })},
		{"API killed", 18, drawKilled(func(w *harness) []*process { return w.apis })},
		{"worker frozen", 8, drawFrozen(func(w *harness) []*process { return w.workers }, 200*time.Millisecond, 8*time.Second)},
		{"API frozen", 5, drawFrozen(func(w *harness) []*process { return w.apis }, 200*time.Millisecond, 8*time.Second)},
		{"worker frozen past its lease", 5, drawFrozen(func(w *harness) []*process { return w.workers }, leaseTime+time.Second, leaseTime+10*time.Second)},
		{"Redis emptied", 7, drawEmptied},
		{"Redis killed, back empty", 5, drawRedisKilled},
		{"Redis stopped", 1, drawOutage(10*time.Second, time.Minute)},
		{"connections terminated by Postgres", 6, drawTerminated},
		{"Postgres restarted", 3, drawDown(func(p *servers.Postgres) { p.Stop() })},
		{"Postgres killed", 3, drawDown(func(p *servers.Postgres) { p.Kill() })},
		{"connections to Postgres cut", 5, drawCut(postgresWay)},
		{"connections to Redis cut", 4, drawCut(redisWay)},
		{"connection to Postgres slow", 3, drawSlow(postgresWay)},
		{"connection to Redis slow", 2, drawSlow(redisWay)},
		{"responses of Postgres broken off", 4, drawBroken(postgresWay, "downstream")},
		{"requests to Postgres broken off", 4, drawBroken(postgresWay, "upstream")},
		{"connections to Postgres reset", 4, drawReset(postgresWay)},
		{"connections to Redis reset", 3, drawReset(redisWay)},
		{"responses of Redis broken off", 2, drawBroken(redisWay, "downstream")},
		{"silence of Postgres", 2, drawSilence(postgresWay)},
		{"silence of Redis", 2, drawSilence(redisWay)},
	}
}

// drawKilled kills a process, which restarts at once or after a moment.
func drawKilled(of func(w *harness) []*process) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		p, pause := oneOf(r, of(w)), time.Duration(0)
		if r.IntN(2) == 0 {
			pause = between(r, 100*time.Millisecond, 2*time.Second)
		}
		return disaster{p.name, pause, func(ctx context.Context) error {
			before := p.starting()
			p.kill(pause)
			return p.awaitStart(ctx, before)
		}}
	}
}

// drawFrozen suspends a process with SIGSTOP, and resumes it.
func drawFrozen(of func(w *harness) []*process, least, most time.Duration) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		p, lasts := oneOf(r, of(w)), between(r, least, most)
		return disaster{p.name, lasts, func(ctx context.Context) error {
			p.signal(syscall.SIGSTOP)
			defer p.signal(syscall.SIGCONT)
			return clock.Sleep(ctx, lasts)
		}}
	}
}

func drawEmptied(_ *rand.Rand, w *harness, _ time.Duration) disaster {
	return disaster{"Redis", 0, func(ctx context.Context) error {
		return again(ctx, func() error { return w.control.FlushAll(ctx).Err() })
	}}
}

func drawRedisKilled(r *rand.Rand, w *harness, _ time.Duration) disaster {
	lasts := between(r, 0, time.Second)
	return disaster{"Redis", lasts, func(ctx context.Context) error {
		w.redis.Kill()
		_ = clock.Sleep(ctx, lasts)
		return again(ctx, func() error { return w.redis.Start(ctx) })
	}}
}

// drawOutage suspends Redis for a time.
func drawOutage(least, longest time.Duration) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, most time.Duration) disaster {
		lasts := min(between(r, least, longest), most)
		return disaster{"Redis", lasts, func(ctx context.Context) error {
			w.redis.Stop()
			_ = clock.Sleep(ctx, lasts)
			return again(ctx, func() error { return w.redis.Start(ctx) })
		}}
	}
}

// drawTerminated has Postgres terminate all connections of the service.
func drawTerminated(_ *rand.Rand, w *harness, _ time.Duration) disaster {
	return disaster{"Postgres", 0, func(ctx context.Context) error {
		return again(ctx, func() error {
			conn, err := pgx.Connect(ctx, w.postgres.URL("postgres"))
			if err != nil {
				return err
			}
			_, err = conn.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", database)
			return errors.Join(err, conn.Close(ctx))
		})
	}}
}

// drawDown stops Postgres, by a fast shutdown or a kill, and restarts it.
func drawDown(end func(*servers.Postgres)) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		lasts := between(r, 0, 2*time.Second)
		return disaster{"Postgres", lasts, func(ctx context.Context) error {
			end(w.postgres)
			_ = clock.Sleep(ctx, lasts)
			// Children of one that was killed may hold its memory for a moment.
			return again(ctx, func() error { return w.postgres.Start(ctx) })
		}}
	}
}

// way is a link whose connections fail.
type way struct {
	name string
	of   func(w *harness) *link
}

var (
	postgresWay = way{"link to Postgres", func(w *harness) *link { return w.toPostgres }}
	redisWay    = way{"link to Redis", func(w *harness) *link { return w.toRedis }}
)

// drawCut closes all connections, and refuses new ones for a while.
func drawCut(on way) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		lasts := between(r, 0, 3*time.Second)
		return disaster{on.name, lasts, func(ctx context.Context) error {
			l := on.of(w)
			l.cut()
			_ = clock.Sleep(ctx, lasts)
			return again(ctx, l.join)
		}}
	}
}

// drawSlow adds latency.
func drawSlow(on way) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		latency := between(r, 20*time.Millisecond, 300*time.Millisecond).Milliseconds()
		return withToxic(w, on, "latency", "downstream", fmt.Sprintf(`{"latency":%d,"jitter":%d}`, latency, latency/2), between(r, 2*time.Second, 8*time.Second))
	}
}

// drawBroken closes each connection within a message, after some bytes.
func drawBroken(on way, stream string) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		bytes := 200 + r.IntN(20_000)
		return withToxic(w, on, "limit_data", stream, fmt.Sprintf(`{"bytes":%d}`, bytes), between(r, 500*time.Millisecond, 3*time.Second))
	}
}

// drawReset resets each connection at its next response.
func drawReset(on way) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		wait := r.IntN(100)
		return withToxic(w, on, "reset_peer", "downstream", fmt.Sprintf(`{"timeout":%d}`, wait), between(r, 200*time.Millisecond, 2*time.Second))
	}
}

// drawSilence holds back every byte, and then closes the connections.
func drawSilence(on way) func(*rand.Rand, *harness, time.Duration) disaster {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		return withToxic(w, on, "timeout", "downstream", `{"timeout":0}`, between(r, time.Second, 12*time.Second))
	}
}

// withToxic returns a disaster by one of toxiproxy's toxics.
func withToxic(w *harness, on way, toxic, stream, attributes string, lasts time.Duration) disaster {
	return disaster{on.name, lasts, func(ctx context.Context) error {
		cure, err := on.of(w).ail(toxic, stream, attributes)
		if err != nil {
			return err
		}
		_ = clock.Sleep(ctx, lasts)
		return cure(ctx)
	}}
}

// again calls try until it succeeds or ctx ends.
func again(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil {
			return nil
		}
		if clock.Sleep(ctx, 200*time.Millisecond) != nil {
			return err
		}
	}
}
