package ratelimit

import (
	"sync"
	"time"
)

// maxLocal is how many buckets a process stores.
const maxLocal = 50_000

// local are the buckets of one process.
type local struct {
	mu     sync.Mutex
	levels map[string]localLevel
}

// localLevel is a bucket's level, and when it is full again by its last rate.
type localLevel struct {
	level

	full float64
}

func newLocal() *local { return &local{levels: map[string]localLevel{}} }

// set stores how much of a bucket is used.
func (l *local) set(b Bucket, used, now float64) {
	if used <= 0 {
		delete(l.levels, b.Key)
		return
	}
	l.levels[b.Key] = localLevel{level{used, now}, now + used*b.interval()}
}

func (l *local) take(now time.Time, buckets []Bucket) []Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := float64(now.UnixMicro())
	l.shrink(at)
	verdicts, refused := make([]Verdict, len(buckets)), false
	for i, b := range buckets {
		used := b.now(l.levels[b.Key].level, at)
		if refused && b.Take > 0 {
			verdicts[i] = b.verdict(false, used*b.interval(), 0)
			continue
		}
		then, wait, ok := b.take(used)
		refused = !ok
		l.set(b, then, at)
		verdicts[i] = b.verdict(ok, then*b.interval(), wait)
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
		l.set(b, float64(verdicts[i].Full.Microseconds())/b.interval(), at)
	}
}

// shrink removes buckets that are full again and, if that isn't enough, all.
func (l *local) shrink(now float64) {
	if len(l.levels) < maxLocal {
		return
	}
	for key, k := range l.levels {
		if k.full <= now {
			delete(l.levels, key)
		}
	}
	if len(l.levels) >= maxLocal {
		clear(l.levels)
	}
}
