package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"missiond/internal/clock"
)

// disaster is something that happens to one part of the world, and its
// recovery: a loop.
type disaster struct {
	// target is the part that it happens to: to nothing else meanwhile.
	target string
	// lasts is how long it takes, without the recovery.
	lasts time.Duration
	// happen lets it happen and answers once the part has recovered.
	happen func(ctx context.Context) error
}

// kind is a kind of disaster.
type kind struct {
	name string
	// weight is how often it is drawn, against the others.
	weight int
	// draw decides all about one that lasts no longer than most.
	draw func(r *rand.Rand, w *world, most time.Duration) disaster
}

// fate draws disasters and lets them happen, several at once.
type fate struct {
	w     *world
	r     *rand.Rand
	kinds []kind
	began time.Time

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

func newFate(w *world) *fate {
	f := &fate{w: w, r: w.o.chance(1), began: time.Now(), busy: map[string]bool{}, counts: map[string]int{}}
	for _, k := range kinds() {
		if w.o.wants(k.name) {
			f.kinds = append(f.kinds, k)
		}
	}
	return f
}

// run lets disasters happen until the run's time or loops are over, and waits
// for their recoveries. Errors: where a part didn't recover.
func (f *fate) run(ctx context.Context) error {
	if len(f.kinds) == 0 {
		return fmt.Errorf("there is no disaster %q", f.w.o.only)
	}
	var under sync.WaitGroup
	for draw, loop := 1, 1; f.goesOn(loop) && ctx.Err() == nil; draw++ {
		k, d, gap := f.draw(draw)
		if !f.take(d.target) {
			// It is down already. What comes next is the same, whatever becomes of this.
			_ = clock.Sleep(ctx, shortestGap/4)
			continue
		}
		f.say(loop, k, d)
		number := loop
		under.Go(func() { f.suffer(ctx, number, k, d) })
		loop++
		_ = clock.Sleep(ctx, min(gap, f.left()))
	}
	under.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(append(f.failed, ctx.Err())...)
}

// goesOn reports whether there is another loop.
func (f *fate) goesOn(loop int) bool {
	if f.w.o.loops > 0 && loop > f.w.o.loops {
		return false
	}
	return f.w.o.lasts == 0 || f.left() > 0
}

// left is how much of the run's time is left; an hour where it isn't bounded.
func (f *fate) left() time.Duration {
	if f.w.o.lasts == 0 {
		return time.Hour
	}
	return max(0, f.w.o.lasts-time.Since(f.began))
}

// longOutage is the draw in which Redis stays away for as long as the run bears:
// each run has one.
const longOutage = 15

// draw decides the n-th disaster, and the gap to the next. What is drawn hangs
// on the seed and n alone, but for the time that is left.
func (f *fate) draw(n int) (k kind, d disaster, gap time.Duration) {
	most := f.left()
	if f.w.o.lasts > 0 {
		most = max(most/2, time.Second)
	}
	k = f.pick()
	if n == longOutage && f.w.o.only == "" {
		k = kind{name: "Redis stopped", draw: drawOutage(time.Minute, time.Minute)}
	}
	d = k.draw(f.r, f.w, most)
	return k, d, between(f.r, shortestGap, longestGap)
}

func (f *fate) pick() kind {
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

func (f *fate) take(target string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy[target] || len(f.busy) >= atOnce {
		return false
	}
	f.busy[target] = true
	return true
}

// suffer lets a disaster happen, and lets go of its target.
func (f *fate) suffer(ctx context.Context, loop int, k kind, d disaster) {
	ctx, cancel := context.WithTimeout(ctx, d.lasts+recovery)
	defer cancel()
	err := d.happen(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.busy, d.target)
	f.counts[k.name]++
	if err != nil {
		f.failed = append(f.failed, fmt.Errorf("loop %d, %s (%s): %w", loop, k.name, d.target, err))
	}
}

func (f *fate) say(loop int, k kind, d disaster) {
	lasts := ""
	if d.lasts >= 50*time.Millisecond {
		lasts = fmt.Sprintf(" for %.1f s", d.lasts.Seconds())
	}
	fmt.Printf("%7.1f s  #%-4d %-15s %s%s\n", time.Since(f.began).Seconds(), loop, d.target, k.name, lasts)
}

// happened returns how many disasters there were, by kind, and in all.
func (f *fate) happened() (byKind map[string]int, all int) {
	for _, n := range f.counts {
		all += n
	}
	return f.counts, all
}

// between draws a duration.
func between(r *rand.Rand, least, most time.Duration) time.Duration {
	if most <= least {
		return most
	}
	return least + time.Duration(r.Int64N(int64(most-least)))
}

// oneOf draws an element.
func oneOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
