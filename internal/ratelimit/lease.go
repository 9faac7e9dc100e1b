package ratelimit

import (
	"sync"
	"time"
)

// A process that takes from a bucket again and again takes some at once, and
// gives them out without asking Redis. What is out on lease is taken: no more
// are ever admitted than the bucket allows. What isn't used in leaseTime goes
// back. A lease is at most a thousandth of what is left: no plan's own allowance
// is leased, nor one that runs low, so that these are shared to the last request.
const (
	leaseTime  = 250 * time.Millisecond
	leaseMost  = 64
	leaseShare = 1000
)

// leases are what a process has taken ahead, by their buckets' keys.
type leases struct {
	mu sync.Mutex
	of map[string]*lease
}

// lease is what is taken of one bucket, and how that stood then.
type lease struct {
	bucket Bucket
	left   int
	at     time.Time
	// ahead is how far the bucket's theoretical arrival time lay ahead, in
	// microseconds.
	ahead float64
	// size is how many were taken; 1 is no lease but a request's own.
	size int
	// asked is when the next one was asked for: until it is there, or leaseTime
	// is over, others ask for themselves alone.
	asked time.Time
}

func (l *lease) runs(now time.Time) bool { return now.Sub(l.at) < leaseTime }

// use gives one of a bucket out that is on lease; ok is false where none is.
func (ls *leases) use(b Bucket, now time.Time) (v Verdict, ok bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	l := ls.of[b.Key]
	if l == nil || l.bucket.Rate != b.Rate || l.left == 0 || !l.runs(now) {
		return v, false
	}
	l.left--
	since := float64(now.Sub(l.at).Microseconds())
	return b.verdict(true, max(0, l.ahead-since-float64(l.left)*b.interval()), 0), true
}

// ask returns how many Redis is to be asked for in the place of a request's one:
// a lease of twice the last one's size where that was used up in time, and less
// what is left of one that wasn't.
func (ls *leases) ask(b Bucket, now time.Time) Bucket {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	l := ls.of[b.Key]
	if l == nil || l.bucket.Rate != b.Rate {
		return b
	}
	size := 1
	if l.left == 0 && l.runs(now) && now.Sub(l.asked) >= leaseTime {
		remaining := b.capacity() - l.ahead/b.interval()
		size = max(1, min(2*l.size, leaseMost, int(remaining/leaseShare)))
	}
	if size > 1 {
		l.asked = now
	}
	b.Take = size - l.left
	l.left = 0
	return b
}

// keep keeps what was asked for but the request's own one, where Redis has said
// yes, and answers the request's verdict.
func (ls *leases) keep(asked Bucket, now time.Time, said Verdict) Verdict {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if len(ls.of) >= maxLocal {
		clear(ls.of) // what is out goes lost until it refills
	}
	l := ls.of[asked.Key]
	if l == nil || l.bucket.Rate != asked.Rate {
		l = &lease{size: 1}
		ls.of[asked.Key] = l
	}
	l.bucket, l.at, l.ahead = asked, now, float64(said.Full.Microseconds())
	if asked.Take > 1 {
		l.size, l.asked = asked.Take, time.Time{}
		l.left += asked.Take - 1
	}
	return asked.verdict(true, max(0, l.ahead-float64(max(0, asked.Take-1))*asked.interval()), 0)
}

// stale forgets a bucket's lease where it ran out, and answers what is to be
// given back; ok is false where that is nothing.
func (ls *leases) stale(key string, now time.Time) (back Bucket, ok bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	l := ls.of[key]
	if l == nil || l.runs(now) {
		return back, false
	}
	delete(ls.of, key)
	back = l.bucket
	back.Take = -l.left
	return back, l.left > 0
}
