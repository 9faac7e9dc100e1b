// Package ratelimit shares rate limits between processes: leaky buckets on Redis's clock, of
// which is stored how much was used and when, so that another rate counts at once. If Redis
// doesn't respond in time, each process limits by itself.
package ratelimit

import (
	"context"
	_ "embed"
	"errors"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"missiond/mission"
)

// Bucket is a limit and how much to take from it: 0 only reads it, a negative
// amount gives back.
type Bucket struct {
	Key  string
	Rate mission.Rate
	Take int
}

// capacity returns how much fits in a bucket; interval how long it takes to refill by
// one, in microseconds.
func (b Bucket) capacity() float64 { return float64(b.Rate.Limit + b.Rate.Burst) }

func (b Bucket) interval() float64 {
	return float64(b.Rate.Per.Microseconds()) / float64(max(1, b.Rate.Limit))
}

// Verdict is the result for a bucket.
type Verdict struct {
	OK bool
	// Wait is how long until the bucket allows the request; 0 if it does.
	Wait time.Duration
	// Remaining is what is left of the rate's limit: 0 while its burst is used
	// up.
	Remaining int
	// Full is how long until the whole limit is available again.
	Full time.Duration
}

// verdict returns a Verdict from how long the bucket takes to be full again, and the wait,
// both in microseconds.
func (b Bucket) verdict(ok bool, full, wait float64) Verdict {
	left := b.capacity() - full/b.interval()
	v := Verdict{OK: ok, Full: micros(full), Remaining: max(0, int(math.Floor(left+1e-6))-b.Rate.Burst)}
	if !ok {
		v.Wait = micros(wait)
	}
	return v
}

func micros(n float64) time.Duration { return time.Duration(math.Ceil(n)) * time.Microsecond }

// level is how much of a bucket was used at a time, in microseconds since 1970.
type level struct{ used, at float64 }

// now returns how much is used of a bucket that was at a level.
func (b Bucket) now(l level, now float64) float64 {
	return max(l.used-max(now-l.at, 0)/b.interval(), 0)
}

// take returns how much of a bucket is used then, or how long to wait for it in
// microseconds.
func (b Bucket) take(used float64) (then, wait float64, ok bool) {
	const tiny = 1e-6
	if excess := used + float64(b.Take) - b.capacity(); b.Take > 0 && excess > tiny {
		return used, excess * b.interval(), false
	}
	return max(used+float64(b.Take), 0), 0, true
}

//go:embed take.lua
var takeText string

var takeScript = redis.NewScript(takeText)

// Limiter takes from buckets. It is safe for concurrent use.
type Limiter struct {
	calls   *caller
	local   *local
	timeout time.Duration
	log     *slog.Logger
	now     func() time.Time

	// away is until when Redis isn't called, in nanoseconds since 1970; 0 if it
	// responds.
	away atomic.Int64
	// warnAt is when slowness of Redis may be logged again, in nanoseconds.
	warnAt atomic.Int64
	alone  prometheus.Counter
}

// Redis counts as away if it has not responded in callTime times as long as a
// request waits for it; then it is called again after a pause.
const (
	callTime = 4
	pause    = time.Second
)

// Client returns the options of a client for a Limiter with that timeout.
func Client(o redis.UniversalOptions, timeout time.Duration) *redis.UniversalOptions {
	timeout *= callTime
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = timeout, timeout, timeout, timeout
	o.MaxRetries, o.ContextTimeoutEnabled = -1, true
	return &o
}

// New returns a Limiter over a Redis. A request waits for it no longer than
// timeout; the client must have the options of Client.
func New(r redis.UniversalClient, timeout time.Duration, now func() time.Time, log *slog.Logger, registry prometheus.Registerer) *Limiter {
	l := &Limiter{
		local: newLocal(), timeout: timeout, log: log, now: now,
		alone: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "missiond_ratelimit_local_total", Help: "Requests limited by this process alone because Redis did not respond in time.",
		}),
	}
	l.calls = &caller{redis: r, timeout: callTime * timeout, failed: l.failed}
	registry.MustRegister(l.alone)
	return l
}

// Take takes from buckets in order: after one that refuses, nothing is taken. It is
// part of one round trip to Redis; without Redis the process takes from its own
// buckets.
func (l *Limiter) Take(ctx context.Context, buckets ...Bucket) []Verdict {
	now := l.now()
	away := l.away.Load()
	// Of the requests after the pause, one tries.
	if away == 0 || now.UnixNano() >= away && l.away.CompareAndSwap(away, now.Add(pause).UnixNano()) {
		verdicts, err := l.shared(ctx, buckets)
		if err == nil {
			if away != 0 && l.away.Swap(0) != 0 {
				l.log.Info("ratelimit: Redis responds again; limits are shared")
			}
			l.local.learn(now, buckets, verdicts)
			return verdicts
		}
		if errors.Is(err, errSlow) {
			l.warnSlow(now)
		}
	}
	l.alone.Inc()
	return l.local.take(now, buckets)
}

// warnSlow logs from time to time that Redis takes too long.
func (l *Limiter) warnSlow(now time.Time) {
	const seldom = time.Minute
	warnAt := l.warnAt.Load()
	if now.UnixNano() >= warnAt && l.warnAt.CompareAndSwap(warnAt, now.Add(seldom).UnixNano()) {
		l.log.Warn("ratelimit: Redis responds too late; this process limits some requests by itself")
	}
}

// failed keeps Redis from being called for a pause.
func (l *Limiter) failed(err error) {
	if l.away.Swap(l.now().Add(pause).UnixNano()) == 0 {
		l.log.Warn("ratelimit: Redis does not respond; this process limits by itself", "error", err)
	}
}

// errSlow is the error for a reply that wasn't waited for.
var errSlow = errors.New("ratelimit: Redis has not responded yet")

// shared takes from the buckets that all processes share.
func (l *Limiter) shared(ctx context.Context, buckets []Bucket) ([]Verdict, error) {
	c := &call{buckets: buckets, done: make(chan struct{})}
	if !l.calls.add(c) {
		return nil, errSlow
	}
	late := time.NewTimer(l.timeout)
	defer late.Stop()
	var err error
	select {
	case <-c.done:
	case <-ctx.Done():
		err = ctx.Err()
	case <-late.C:
		err = errSlow
	}
	select {
	case <-c.done: // perhaps while this process was busy with others
		return c.verdicts, c.err
	default:
		return nil, err // the call still counts if Redis executes it
	}
}
