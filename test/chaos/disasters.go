package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"missiond/internal/clock"
	"missiond/internal/servers"
)

// leaseTime is how long a claim is valid without a renewal (docs/architecture.md, "The ledger").
const leaseTime = 15 * time.Second

// apiProcesses and workerProcesses return the processes of a kind.
func apiProcesses(w *harness) []*process    { return w.apis }
func workerProcesses(w *harness) []*process { return w.workers }

// kinds returns all disasters. By their weights, killed processes, which recover
// soon, are frequent, and longer disasters overlap with them.
func kinds() []kind {
	const blink, moment = 200 * time.Millisecond, 8 * time.Second
	return []kind{
		{"worker killed", 26, drawKilled(workerProcesses)},
		{"API killed", 18, drawKilled(apiProcesses)},
		{"worker frozen", 8, drawFrozen(workerProcesses, blink, moment)},
		{"API frozen", 5, drawFrozen(apiProcesses, blink, moment)},
		{"worker frozen past its lease", 5, drawFrozen(workerProcesses, leaseTime+time.Second, leaseTime+10*time.Second)},
		{"worker's clock wrong", 4, drawSkewed},
		{"Redis emptied", 7, drawEmptied},
		{"Redis killed, back empty", 5, drawRedisDown((*servers.Redis).Kill, 0, time.Second)},
		{"Redis stopped", 1, drawRedisDown((*servers.Redis).Stop, 10*time.Second, time.Minute)},
		{"connections terminated by Postgres", 6, drawTerminated},
		{"Postgres restarted", 3, drawPostgresDown((*servers.Postgres).Stop)},
		{"Postgres killed", 3, drawPostgresDown((*servers.Postgres).Kill)},
		{"connections to Postgres cut", 5, drawCut(toPostgres)},
		{"connections to Redis cut", 4, drawCut(toRedis)},
		{"connection to Postgres slow", 3, drawToxic(toPostgres, delay)},
		{"connection to Redis slow", 2, drawToxic(toRedis, delay)},
		{"responses of Postgres broken off", 4, drawToxic(toPostgres, brokenResponses)},
		{"requests to Postgres broken off", 4, drawToxic(toPostgres, brokenRequests)},
		{"connections to Postgres reset", 4, drawToxic(toPostgres, reset)},
		{"connections to Redis reset", 3, drawToxic(toRedis, reset)},
		{"responses of Redis broken off", 2, drawToxic(toRedis, brokenResponses)},
		{"silence of Postgres", 2, drawToxic(toPostgres, silent)},
		{"silence of Redis", 2, drawToxic(toRedis, silent)},
		{"PgBouncer restarted", 3, drawPoolerDown((*servers.PgBouncer).Stop)},
		{"PgBouncer killed", 2, drawPoolerDown((*servers.PgBouncer).Kill)},
		{"failover, and the demoted Postgres stays up", 2, drawFailover},
		{"no connections left in Postgres", 3, drawStarved},
		{"statements canceled by Postgres", 2, drawCanceled},
		{"Postgres read-only", 2, drawSetting("default_transaction_read_only", "on")},
		{"statements timed out by Postgres", 2, drawSetting("statement_timeout", "'30ms'")},
	}
}

// drawer draws a disaster that lasts no longer than most.
type drawer func(r *rand.Rand, w *harness, most time.Duration) disaster

// drawKilled kills a process, which restarts at once or after a moment.
func drawKilled(of func(w *harness) []*process) drawer {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		p, pause := oneOf(r, of(w)), time.Duration(0)
		if r.IntN(2) == 0 {
			pause = between(r, 100*time.Millisecond, 2*time.Second)
		}
		return disaster{[]string{p.name}, pause, func(ctx context.Context) error {
			before := p.starting()
			p.kill(pause)
			return p.awaitStart(ctx, before)
		}}
	}
}

// drawFrozen suspends a process with SIGSTOP, and resumes it.
func drawFrozen(of func(w *harness) []*process, least, most time.Duration) drawer {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		p, lasts := oneOf(r, of(w)), between(r, least, most)
		return disaster{[]string{p.name}, lasts, func(ctx context.Context) error {
			p.signal(syscall.SIGSTOP)
			defer p.signal(syscall.SIGCONT)
			return clock.Sleep(ctx, lasts)
		}}
	}
}

// drawSkewed restarts a worker with a wrong clock: with which it works, or with which
// it must not.
func drawSkewed(r *rand.Rand, w *harness, _ time.Duration) disaster {
	p, lasts := oneOf(r, w.workers), between(r, 2*time.Second, 15*time.Second)
	offset := between(r, time.Second, 2*time.Minute)
	if r.IntN(2) == 0 {
		offset = -offset
	}
	return disaster{[]string{p.name}, lasts, func(ctx context.Context) error {
		if err := p.restart(ctx, "--clock-offset="+offset.String()); err != nil {
			return err
		}
		_ = clock.Sleep(ctx, lasts)
		return p.restart(ctx)
	}}
}

// outage ends a part, and repairs it after a time.
func outage(part string, lasts time.Duration, end func(), repair func(ctx context.Context) error) disaster {
	return disaster{[]string{part}, lasts, func(ctx context.Context) error {
		end()
		_ = clock.Sleep(ctx, lasts)
		return again(ctx, func() error { return repair(ctx) })
	}}
}

func drawEmptied(_ *rand.Rand, w *harness, _ time.Duration) disaster {
	return outage("Redis", 0, func() {}, func(ctx context.Context) error { return w.control.FlushAll(ctx).Err() })
}

// drawRedisDown stops or kills Redis, and restarts it.
func drawRedisDown(end func(*servers.Redis), least, longest time.Duration) drawer {
	return func(r *rand.Rand, w *harness, most time.Duration) disaster {
		lasts := min(between(r, least, longest), most)
		return outage("Redis", lasts, func() { end(w.redis) }, func(ctx context.Context) error { return w.redis.Start(ctx) })
	}
}

// drawPostgresDown stops Postgres, by a fast shutdown or a kill, and restarts it.
// Children of a server that was killed may hold its memory for a moment.
func drawPostgresDown(end func(*servers.Postgres)) drawer {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		lasts := between(r, 0, 2*time.Second)
		return outage("Postgres", lasts, func() { end(w.postgres) }, func(ctx context.Context) error { return w.postgres.Start(ctx) })
	}
}

// drawPoolerDown stops or kills the pooler, and restarts it.
func drawPoolerDown(end func(*servers.PgBouncer)) drawer {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		return outage("PgBouncer", between(r, 0, 2*time.Second), func() { end(w.pooler) }, func(ctx context.Context) error { return w.pooler.Start(ctx) })
	}
}

// way is a link whose connections fail.
type way struct {
	name string
	of   func(w *harness) *link
}

var (
	toPostgres = way{"link to Postgres", func(w *harness) *link { return w.toPostgres }}
	toRedis    = way{"link to Redis", func(w *harness) *link { return w.toRedis }}
)

// drawCut closes all connections of a link, and refuses new ones for a while.
func drawCut(on way) drawer {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		return outage(on.name, between(r, 0, 3*time.Second), func() { on.of(w).cut() }, func(context.Context) error { return on.of(w).join() })
	}
}

// toxic is one of toxiproxy's toxics.
type toxic struct {
	kind, stream string
	// attributes draws its attributes, in JSON.
	attributes func(r *rand.Rand) string
	// least and most bound how long it lasts.
	least, most time.Duration
}

var (
	// delay adds latency.
	delay = toxic{"latency", "downstream", func(r *rand.Rand) string {
		latency := between(r, 20*time.Millisecond, 300*time.Millisecond).Milliseconds()
		return fmt.Sprintf(`{"latency":%d,"jitter":%d}`, latency, latency/2)
	}, 2 * time.Second, 8 * time.Second}
	// brokenResponses and brokenRequests close each connection within a message, after
	// some bytes.
	brokenResponses = toxic{"limit_data", "downstream", someBytes, 500 * time.Millisecond, 3 * time.Second}
	brokenRequests  = toxic{"limit_data", "upstream", someBytes, 500 * time.Millisecond, 3 * time.Second}
	// reset resets each connection at its next response.
	reset = toxic{"reset_peer", "downstream", func(r *rand.Rand) string { return fmt.Sprintf(`{"timeout":%d}`, r.IntN(100)) }, 200 * time.Millisecond, 2 * time.Second}
	// silent holds back every byte, and then closes the connections.
	silent = toxic{"timeout", "downstream", func(*rand.Rand) string { return `{"timeout":0}` }, time.Second, 12 * time.Second}
)

func someBytes(r *rand.Rand) string { return fmt.Sprintf(`{"bytes":%d}`, 200+r.IntN(20_000)) }

// drawToxic applies a toxic to a link for a time.
func drawToxic(on way, t toxic) drawer {
	return func(r *rand.Rand, w *harness, _ time.Duration) disaster {
		attributes, lasts := t.attributes(r), between(r, t.least, t.most)
		return disaster{[]string{on.name}, lasts, func(ctx context.Context) error {
			cure, err := on.of(w).ail(t.kind, t.stream, attributes)
			if err != nil {
				return err
			}
			_ = clock.Sleep(ctx, lasts)
			return cure(ctx)
		}}
	}
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
