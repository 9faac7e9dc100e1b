package ratelimit

import (
	"sync"
	"time"
)

// maxLocal is how many buckets a process keeps.
const maxLocal = 50_000

// local are the buckets of one process.
type local struct {
	mu sync.Mutex
	at map[string]float64 // theoretical arrival times, in microseconds
}

func newLocal() *local { return &local{at: map[string]float64{}} }

func (l *local) take(now time.Time, buckets []Bucket) []Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := float64(now.UnixMicro())
	l.shrink(at)
	verdicts, refused := make([]Verdict, len(buckets)), false
	for i, b := range buckets {
		if refused && b.Take > 0 {
			b.Take = 0
			verdicts[i] = b.verdict(false, max(l.at[b.Key], at)-at, 0)
			continue
		}
		next, wait, ok := b.take(l.at[b.Key], at)
		if refused = !ok; next > at {
			l.at[b.Key] = next
		} else {
			delete(l.at, b.Key)
		}
		verdicts[i] = b.verdict(ok, next-at, wait)
	}
	return verdicts
}

// learn stores the state of the shared buckets, so that a caller who has used up a
// limit doesn't start afresh when this process limits by itself.
func (l *local) learn(now time.Time, buckets []Bucket, verdicts []Verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := float64(now.UnixMicro())
	l.shrink(at)
	for i, b := range buckets {
		if full := float64(verdicts[i].Full.Microseconds()); full > 0 {
			l.at[b.Key] = at + full
		} else {
			delete(l.at, b.Key)
		}
	}
}

// shrink removes buckets that are full again and, if that isn't enough, all.
func (l *local) shrink(now float64) {
	if len(l.at) < maxLocal {
		return
	}
	for key, at := range l.at {
		if at <= now {
			delete(l.at, key)
		}
	}
	if len(l.at) >= maxLocal {
		clear(l.at)
	}
}
