package clock

import (
	"context"
	"sync"
	"time"

	"missiond/mission"
)

// Followed is the time of another clock, such as a database's: what it said at its last
// measurement, and the time that has passed since by a monotonic clock. So neither a wrong
// clock of the machine nor one that jumps changes it. It is safe for concurrent use.
type Followed struct {
	own     func() time.Time
	running func() time.Duration

	mu   sync.Mutex
	base time.Time     // what the other clock said
	at   time.Duration // when it said it
}

// Follow returns a clock that is the machine's, set ahead by offset (in tests), until the
// first measurement.
func Follow(offset time.Duration) *Followed {
	f := &Followed{own: func() time.Time { return time.Now().Add(offset) }, running: Running}
	f.base, f.at = f.own(), f.running()
	return f
}

// measurements is how often Measure asks: the fastest answer counts.
const measurements = 3

// Measure asks the other clock for its time. What ask returns counts as the time when its
// answer arrives, so that the clock is never ahead of the other. Errors: ask's, if no
// answer came.
func (f *Followed) Measure(ctx context.Context, ask func(ctx context.Context) (time.Time, error)) error {
	var best time.Duration
	var base time.Time
	var at time.Duration
	for range measurements {
		began := f.running()
		said, err := ask(ctx)
		if err != nil {
			return err
		}
		now := f.running()
		if base.IsZero() || now-began < best {
			best, base, at = now-began, said, now
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.base, f.at = base, at
	return nil
}

func (f *Followed) exact() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.base.Add(f.running() - f.at)
}

// Now returns the other clock's time.
func (f *Followed) Now() time.Time { return mission.Millis(f.exact()) }

// Until returns the time left until t; negative if it is past.
func (f *Followed) Until(t time.Time) time.Duration { return t.Sub(f.exact()) }

// Domain returns d: the clock is real time.
func (f *Followed) Domain(d time.Duration) time.Duration { return d }

// Skew returns how far the machine's own clock is ahead of the other; negative if it is
// behind.
func (f *Followed) Skew() time.Duration { return f.own().Sub(f.exact()) }
