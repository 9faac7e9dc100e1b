package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"missiond/internal/clock"
	"missiond/internal/servers"
)

// disaster is a failure of one part, and its recovery: a loop.
type disaster struct {
	// targets are the parts that fail. They suffer no other disaster meanwhile.
	targets []string
	// lasts is how long it takes, without the recovery.
	lasts time.Duration
	// happen executes the disaster and returns once the part has recovered.
	happen func(ctx context.Context) error
}

// kind is a kind of disaster.
type kind struct {
	name string
	// weight is how often it is drawn, relative to the others.
	weight int
	draw   drawer
}

// schedule draws disasters and executes them, several at once.
type schedule struct {
	w     *harness
	r     *rand.Rand
	kinds []kind
	began time.Time
	loops int // so far

	mu     sync.Mutex
	busy   map[string]bool
	counts map[string]int
	failed []error
}

// Pace of the disasters.
const (
	shortestGap = 300 * time.Millisecond
	longestGap  = 1700 * time.Millisecond
	// atOnce is how many disasters overlap at most.
	atOnce = 4
	// recovery bounds how long a part may take to recover.
	recovery = 90 * time.Second
)

func newSchedule(w *harness) *schedule {
	f := &schedule{w: w, r: w.o.chance(1), began: time.Now(), busy: map[string]bool{}, counts: map[string]int{}}
	for _, k := range kinds() {
		if w.o.wants(k.name) {
			f.kinds = append(f.kinds, k)
		}
	}
	return f
}

// run executes disasters until the run's time or loops are over, and waits for
// their recoveries. Errors: a part that didn't recover.
func (f *schedule) run(ctx context.Context) error {
	if len(f.kinds) == 0 {
		return fmt.Errorf("there is no disaster %q", f.w.o.only)
	}
	var under sync.WaitGroup
	for draw := 1; f.hasNext() && ctx.Err() == nil; draw++ {
		k, d, gap := f.draw(draw)
		if !f.take(d.targets) {
			// A target is down already. Skipping it doesn't change later draws.
			_ = clock.Sleep(ctx, shortestGap/4)
			continue
		}
		f.loops++
		loop := f.loops
		f.print(loop, k, d)
		under.Go(func() { f.execute(ctx, loop, k, d) })
		_ = clock.Sleep(ctx, min(gap, f.left()))
	}
	under.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(append(f.failed, ctx.Err())...)
}

// hasNext reports whether there is another loop.
func (f *schedule) hasNext() bool {
	return (f.w.o.loops == 0 || f.loops < f.w.o.loops) && f.left() > 0
}

// left returns how much of the run's time is left, or an hour if it isn't bounded.
func (f *schedule) left() time.Duration {
	if f.w.o.lasts == 0 {
		return time.Hour
	}
	return max(0, f.w.o.lasts-time.Since(f.began))
}

// longOutage is the draw in which Redis is down for as long as the run allows: each
// run has one.
const longOutage = 15

// draw returns the n-th disaster, and the gap to the next. They depend only on the
// seed, n and the time that is left.
func (f *schedule) draw(n int) (k kind, d disaster, gap time.Duration) {
	most := f.left()
	if f.w.o.lasts > 0 {
		most = max(most/2, time.Second)
	}
	k = f.pick()
	if n == longOutage && f.w.o.only == "" {
		k = kind{name: "Redis stopped", draw: drawRedisDown((*servers.Redis).Stop, time.Minute, time.Minute)}
	}
	d = k.draw(f.r, f.w, most)
	return k, d, between(f.r, shortestGap, longestGap)
}

func (f *schedule) pick() kind {
	sum := 0
	for _, k := range f.kinds {
		sum += k.weight
	}
	x := f.r.IntN(sum)
	for _, k := range f.kinds {
		if x -= k.weight; x < 0 {
			return k
		}
	}
	panic("bug: the weights don't add up")
}

func (f *schedule) take(targets []string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.busy) >= atOnce || slices.ContainsFunc(targets, func(t string) bool { return f.busy[t] }) {
		return false
	}
	for _, t := range targets {
		f.busy[t] = true
	}
	return true
}

// execute executes a disaster, and releases its targets.
func (f *schedule) execute(ctx context.Context, loop int, k kind, d disaster) {
	ctx, cancel := context.WithTimeout(ctx, d.lasts+recovery)
	defer cancel()
	err := d.happen(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range d.targets {
		delete(f.busy, t)
	}
	f.counts[k.name]++
	if err != nil {
		f.failed = append(f.failed, fmt.Errorf("loop %d, %s (%s): %w", loop, k.name, d.targets[0], err))
	}
}

func (f *schedule) print(loop int, k kind, d disaster) {
	lasts := ""
	if d.lasts >= 50*time.Millisecond {
		lasts = fmt.Sprintf(" for %.1f s", d.lasts.Seconds())
	}
	fmt.Printf("%7.1f s  #%-4d %-15s %s%s\n", time.Since(f.began).Seconds(), loop, d.targets[0], k.name, lasts)
}

// between returns a random duration.
func between(r *rand.Rand, least, most time.Duration) time.Duration {
	if most <= least {
		return most
	}
	return least + time.Duration(r.Int64N(int64(most-least)))
}

// oneOf returns a random element.
func oneOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
