package ratelimit

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/mission"
)

// Whoever asks one after the other sees each request counted, on lease or not;
// and what wasn't used goes back.
func TestLeaseIsExact(t *testing.T) {
	l := newLimiter(t, testkit.Redis(t), patience, time.Now)
	b := Bucket{"a", mission.Rate{Limit: 100_000, Per: 24 * time.Hour}, 1}
	const many = 2000
	for i := range many {
		if v := l.Take(context.Background(), b)[0]; !v.OK || v.Remaining != b.Rate.Limit-i-1 {
			t.Fatalf("after %d requests: %+v", i+1, v)
		}
	}
	l.leases.mu.Lock()
	size := l.leases.of["a"].size
	l.leases.mu.Unlock()
	if size != leaseMost {
		t.Errorf("the last lease was of %d", size)
	}
	awaitRemaining(t, l, b, b.Rate.Limit-many)
}

// awaitRemaining waits until so much is left on Redis.
func awaitRemaining(t *testing.T, l *Limiter, b Bucket, want int) {
	t.Helper()
	b.Take = 0
	deadline := time.Now().Add(patience)
	for {
		left := l.Take(context.Background(), b)[0].Remaining
		if left == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d remain on Redis, want %d", left, want)
		}
		<-time.After(leaseTime / 10)
	}
}

// Processes that lease admit together what the bucket holds, no more, and next
// to all of it.
func TestLeasesShare(t *testing.T) {
	url := testkit.Redis(t)
	b := Bucket{"a", mission.Rate{Limit: 5000, Per: 24 * time.Hour}, 1}
	var admitted, refused atomic.Int64
	var all sync.WaitGroup
	var processes []*Limiter
	for range 3 {
		l := newLimiter(t, url, patience, time.Now)
		processes = append(processes, l)
		for range 8 {
			all.Go(func() {
				for range 400 {
					if l.Take(context.Background(), b)[0].OK {
						admitted.Add(1)
					} else {
						refused.Add(1)
					}
				}
			})
		}
	}
	all.Wait()
	// A few may be on lease to a process that asks no more.
	if n := admitted.Load(); n > 5000 || n < 5000-3*leaseMost {
		t.Errorf("%d of 9600 were admitted, %d refused", n, refused.Load())
	}
	awaitRemaining(t, processes[0], b, int(5000-admitted.Load()))
}
