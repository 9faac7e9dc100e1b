package ratelimit

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

func newLimiter(t testing.TB, url string, timeout time.Duration, now func() time.Time) *Limiter {
	t.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	return newLimiterOn(t, redis.UniversalOptions{Addrs: []string{o.Addr}, DB: o.DB, PoolSize: 100}, timeout, now)
}

func newLimiterOn(t testing.TB, o redis.UniversalOptions, timeout time.Duration, now func() time.Time) *Limiter {
	t.Helper()
	client := redis.NewUniversalClient(Client(o, timeout))
	t.Cleanup(func() { _ = client.Close() })
	return New(client, timeout, now, slog.New(slog.NewTextHandler(io.Discard, nil)), prometheus.NewRegistry())
}

// The script and the process's own buckets decide alike, and both as a plain
// bucket would: it holds limit and burst, and refills at the limit's pace.
func TestBucketsAgree(t *testing.T) {
	server := miniredis.RunT(t)
	l := newLimiter(t, "redis://"+server.Addr(), await.Long(), time.Now)
	start := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		server.FlushAll()
		alone := newLocal()
		rate := mission.Rate{Limit: rapid.IntRange(1, 50).Draw(t, "limit"), Burst: rapid.IntRange(0, 10).Draw(t, "burst"), Per: time.Minute}
		now, left := start, float64(rate.Limit+rate.Burst)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			pause := time.Duration(rapid.IntRange(0, 5000).Draw(t, "pause")) * time.Millisecond
			now = now.Add(pause)
			server.SetTime(now)
			left = min(left+float64(rate.Limit)*pause.Seconds()/60, float64(rate.Limit+rate.Burst))
			b := Bucket{Key: "k", Rate: rate, Take: rapid.IntRange(-1, 2).Draw(t, "take")}
			shared, err := l.shared(context.Background(), []Bucket{b})
			if err != nil {
				t.Fatal(err)
			}
			own := alone.take(now, []Bucket{b})
			const slack = 10 * time.Microsecond
			if shared[0].OK != own[0].OK || shared[0].Remaining != own[0].Remaining || (shared[0].Wait-own[0].Wait).Abs() > slack || (shared[0].Full-own[0].Full).Abs() > slack {
				t.Fatalf("Redis says %+v, the process %+v", shared[0], own[0])
			}
			const tiny = 1e-3
			if want := b.Take <= 0 || left >= float64(b.Take); own[0].OK != want && left-float64(b.Take) < -tiny {
				t.Fatalf("with %f left, taking %d is %v", left, b.Take, own[0].OK)
			}
			if own[0].OK {
				left = min(left-float64(b.Take), float64(rate.Limit+rate.Burst))
			}
			if want := max(0, left-float64(rate.Burst)); float64(own[0].Remaining) > want+tiny || float64(own[0].Remaining) < want-1-tiny {
				t.Fatalf("%d remain, want %f", own[0].Remaining, want)
			}
			if !own[0].OK && b.Take == 1 {
				server.SetTime(now.Add(own[0].Wait))
				again, err := l.shared(context.Background(), []Bucket{b})
				if err != nil || !again[0].OK {
					t.Fatalf("after waiting %s got another wait of %s, %v", own[0].Wait, again[0].Wait, err)
				}
				alone.take(now.Add(own[0].Wait), []Bucket{b})
				now, left = now.Add(own[0].Wait), 0
			}
		}
	})
}

// Callers of three processes share one allowance, to the last request; behind a
// bucket that says no, nothing is taken.
func TestProcessesShare(t *testing.T) {
	url := testkit.Redis(t)
	rate := mission.Rate{Limit: 100, Burst: 20, Per: time.Hour}
	var processes []*Limiter
	for range 3 {
		processes = append(processes, newLimiter(t, url, await.Long(), time.Now))
	}
	var admitted, second atomic.Int64
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for range 5 {
				v := processes[i%3].Take(context.Background(), Bucket{"a", rate, 1}, Bucket{"b", mission.Rate{Limit: 1000, Per: time.Hour}, 1})
				if v[0].OK {
					admitted.Add(1)
				}
				if v[1].OK {
					second.Add(1)
				}
			}
		})
	}
	all.Wait()
	if admitted.Load() != 120 || second.Load() != 120 {
		t.Errorf("%d of 320 were admitted, %d took from the second bucket; want 120", admitted.Load(), second.Load())
	}
	left := processes[0].Take(context.Background(), Bucket{"b", mission.Rate{Limit: 1000, Per: time.Hour}, 0})[0]
	if left.Remaining != 880 {
		t.Errorf("%d remain in the second bucket", left.Remaining)
	}
	processes[1].Take(context.Background(), Bucket{"b", mission.Rate{Limit: 1000, Per: time.Hour}, -1})
	if left = processes[2].Take(context.Background(), Bucket{"b", mission.Rate{Limit: 1000, Per: time.Hour}, 0})[0]; left.Remaining != 881 {
		t.Errorf("%d remain after one was given back", left.Remaining)
	}
}

// Where Redis takes connections and says nothing, or isn't there, the process
// limits by itself, and tries again after a while.
func TestRedisIsAway(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	for _, address := range []string{silent.Addr().String(), "127.0.0.1:1"} {
		l := newLimiter(t, "redis://"+address, 40*time.Millisecond, time.Now)
		b := Bucket{"a", mission.Rate{Limit: 3, Per: time.Hour}, 1}
		for i := range 5 {
			if v := l.Take(context.Background(), b)[0]; v.OK != (i < 3) {
				t.Errorf("request %d: %+v", i+1, v)
			}
		}
		if n := testutil.ToFloat64(l.alone); n != 5 {
			t.Errorf("%v requests were limited by the process", n)
		}
	}
	server := miniredis.RunT(t)
	now := time.Now()
	l := newLimiter(t, "redis://"+server.Addr(), await.Long(), func() time.Time { return now })
	b := Bucket{"a", mission.Rate{Limit: 3, Per: time.Hour}, 1}
	l.Take(context.Background(), b)
	server.SetError("LOADING")
	l.Take(context.Background(), b)
	server.SetError("")
	if v := l.Take(context.Background(), b)[0]; v.Remaining != 0 {
		t.Errorf("within the pause Redis is called, or its last state is forgotten: %d remain", v.Remaining)
	}
	now = now.Add(pause)
	if v := l.Take(context.Background(), b)[0]; v.Remaining != 1 || testutil.ToFloat64(l.alone) != 2 {
		t.Errorf("after the pause Redis isn't called: %d remain", v.Remaining)
	}
}

// Another rate counts at once, on Redis and in the process: what was used stays used.
func TestRatesChange(t *testing.T) {
	server := miniredis.RunT(t)
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	server.SetTime(now)
	for name, url := range map[string]string{"miniredis": "redis://" + server.Addr(), "Redis": testkit.Redis(t)} {
		shared, alone := newLimiter(t, url, await.Long(), time.Now), newLocal()
		small, large := mission.Rate{Limit: 10, Per: 365 * 24 * time.Hour}, mission.Rate{Limit: 1000, Per: 365 * 24 * time.Hour}
		for i, step := range []struct {
			rate            mission.Rate
			take, remaining int
			ok              bool
		}{
			{small, 10, 0, true}, {small, 1, 0, false}, {large, 1, 989, true}, {large, 89, 900, true},
			{small, 1, 0, false}, {large, 900, 0, true}, {large, 1, 0, false},
		} {
			b := Bucket{"k", step.rate, step.take}
			for by, v := range map[string]Verdict{name: shared.Take(context.Background(), b)[0], "the process": alone.take(now, []Bucket{b})[0]} {
				if v.OK != step.ok || v.Remaining != step.remaining {
					t.Errorf("step %d by %s: %+v, want %v with %d left", i, by, v, step.ok, step.remaining)
				}
			}
		}
	}
}

// What version 0.1 kept, the time when a bucket is full again, counts.
func TestEarlierBucketsCount(t *testing.T) {
	server := miniredis.RunT(t)
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	server.SetTime(now)
	if err := server.Set("k", fmt.Sprintf("%d.000", now.Add(30*time.Minute).UnixMicro())); err != nil {
		t.Fatal(err)
	}
	l := newLimiter(t, "redis://"+server.Addr(), await.Long(), time.Now)
	if v := l.Take(context.Background(), Bucket{"k", mission.Rate{Limit: 10, Per: time.Hour}, 1})[0]; !v.OK || v.Remaining != 4 {
		t.Errorf("of a bucket that is half empty %+v is left", v)
	}
}

func TestLocalIsBounded(t *testing.T) {
	l := newLocal()
	now := time.Now()
	for i := range maxLocal + 10 {
		l.take(now, []Bucket{{Key: time.Duration(i).String(), Rate: mission.Rate{Limit: 1, Per: time.Hour}, Take: 1}})
	}
	if len(l.levels) > maxLocal {
		t.Errorf("%d buckets are kept", len(l.levels))
	}
}

func BenchmarkTake(b *testing.B) {
	l := newLimiter(b, testkit.Redis(b), await.Long(), time.Now)
	for b.Loop() {
		l.Take(context.Background(), Bucket{"a", mission.Rate{Limit: 1_000_000, Per: time.Hour}, 1})
	}
}

// Processes that take from a bucket at the same time admit together what it holds,
// no more and no less.
func TestSharedAllowancesAreExact(t *testing.T) {
	t.Parallel()
	url := testkit.Redis(t)
	const processes, clients, requests = 3, 60, 30
	for name, limit := range map[string]int{"an allowance that is used up": 3000, "a large one": 1_000_000} {
		b := Bucket{name, mission.Rate{Limit: limit, Per: 24 * 365 * time.Hour}, 1}
		var admitted atomic.Int64
		var all sync.WaitGroup
		var last *Limiter
		for range processes {
			last = newLimiter(t, url, await.Long(), time.Now)
			l := last
			for range clients {
				all.Go(func() {
					for range requests {
						if l.Take(context.Background(), b)[0].OK {
							admitted.Add(1)
						}
					}
				})
			}
		}
		all.Wait()
		if want := min(limit, processes*clients*requests); admitted.Load() != int64(want) {
			t.Errorf("%s admits %d requests, want %d", name, admitted.Load(), want)
		}
		b.Take = 0
		if left := last.Take(context.Background(), b)[0].Remaining; left != limit-int(admitted.Load()) {
			t.Errorf("%s has %d left after %d requests", name, left, admitted.Load())
		}
	}
}
