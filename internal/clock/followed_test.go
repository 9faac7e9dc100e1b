package clock

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A followed clock is the other's, whatever the machine's own clock says, and never
// ahead of it.
func TestFollowed(t *testing.T) {
	other := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var running time.Duration
	own := other.Add(2 * time.Minute)
	f := Follow(0)
	f.own = func() time.Time { return own }
	f.running = func() time.Duration { return running }
	trips := []time.Duration{40 * time.Millisecond, 2 * time.Millisecond, 90 * time.Millisecond}
	ask := func(context.Context) (time.Time, error) {
		said := other
		running += trips[0] // the answer takes as long as the way back
		other = other.Add(trips[0])
		trips = trips[1:]
		return said, nil
	}
	if err := f.Measure(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	if behind := other.Sub(f.Now()); behind != 2*time.Millisecond {
		t.Errorf("the clock is %s behind the other, want the shortest trip, 2ms", behind)
	}
	if got := f.Skew(); got.Round(time.Second) != 2*time.Minute {
		t.Errorf("got the skew %s, want 2m", got)
	}
	running, own = running+time.Hour, own.Add(-time.Hour) // the machine's clock jumps
	if got, want := f.Now(), other.Add(time.Hour-2*time.Millisecond); !got.Equal(want) {
		t.Errorf("an hour later it is %s, want %s", got, want)
	}
	if got := f.Until(f.Now().Add(time.Minute)); got != time.Minute {
		t.Errorf("a minute ahead is %s away", got)
	}
	broken := errors.New("broken")
	before := f.Now()
	if err := f.Measure(t.Context(), func(context.Context) (time.Time, error) { return time.Time{}, broken }); !errors.Is(err, broken) || !f.Now().Equal(before) {
		t.Errorf("a failed measurement returns %v, and moves the clock from %s to %s", err, before, f.Now())
	}
}
