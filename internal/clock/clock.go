// Package clock is the one clock of the service. Its time is the domain's:
// UTC, in milliseconds, and in a development run perhaps faster than real time.
package clock

import (
	"context"
	"crypto/rand"
	"math/big"
	"sync"
	"time"

	"missiond/mission"
)

// Clock returns the domain's time. The zero Clock is real time.
type Clock struct {
	anchor Anchor
}

// Anchor ties the domain's time to real time: at Real it was Domain, and each real
// second is Speed domain seconds.
type Anchor struct {
	Real   time.Time `json:"real"`
	Domain time.Time `json:"domain"`
	Speed  float64   `json:"speed"`
}

// At returns the domain's time at a real time.
func (a Anchor) At(real time.Time) time.Time {
	return a.Domain.Add(time.Duration(float64(real.Sub(a.Real)) * a.Speed))
}

// New returns a clock on the anchor.
func New(a Anchor) Clock { return Clock{anchor: a} }

// Real returns the clock of real time.
func Real() Clock { return Clock{} }

// IsReal reports whether the clock is real time, rather than a development run's.
func (c Clock) IsReal() bool { return c.anchor.Speed == 0 }

// Now returns the domain's time.
func (c Clock) Now() time.Time {
	now := time.Now()
	if c.IsReal() {
		return mission.Millis(now)
	}
	return mission.Millis(c.anchor.At(now))
}

// Speed returns how many domain seconds pass in a real second.
func (c Clock) Speed() float64 {
	if c.IsReal() {
		return 1
	}
	return c.anchor.Speed
}

// Domain returns how much domain time passes in a real duration.
func (c Clock) Domain(real time.Duration) time.Duration {
	return time.Duration(float64(real) * c.Speed())
}

// Until returns the real time left until a domain time; negative if it is past.
func (c Clock) Until(domain time.Time) time.Duration {
	if c.IsReal() {
		return time.Until(domain)
	}
	return time.Duration(float64(domain.Sub(c.anchor.At(time.Now()))) / c.anchor.Speed)
}

var started = time.Now()

// Running returns how long the process has run, by a monotonic clock.
func Running() time.Duration { return time.Since(started) }

// Sleep waits for a real duration, or until ctx ends. It returns ctx's error.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Jitter returns a random duration less than d, which must be more than 0: so what has failed
// together doesn't come back together.
func Jitter(d time.Duration) time.Duration {
	n, err := rand.Int(rand.Reader, big.NewInt(int64(d)))
	if err != nil {
		panic("bug: " + err.Error()) // crypto/rand never fails
	}
	return time.Duration(n.Int64())
}

// Manual is a clock that tests move. It is safe for concurrent use.
type Manual struct {
	mu  sync.Mutex
	now time.Time
}

// NewManual returns a clock set to a time.
func NewManual(now time.Time) *Manual { return &Manual{now: mission.Millis(now)} }

// Now returns the clock's time.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Until returns the time left until t: the clock counts as real time.
func (m *Manual) Until(t time.Time) time.Duration { return t.Sub(m.Now()) }

// Domain returns d: the clock counts as real time.
func (m *Manual) Domain(d time.Duration) time.Duration { return d }

// Advance moves the clock on.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = mission.Millis(m.now.Add(d))
}
