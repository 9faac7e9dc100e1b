package app

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/internal/testkit"
	"missiond/store"
)

// Whatever runs follow each other, at whatever speeds, killed at whatever
// moment: the clock never goes back, and it doesn't run while nothing does.
func TestClockNeverGoesBack(t *testing.T) {
	ctx := context.Background()
	db := testkit.SQLite(t, store.Options{})
	real := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	last := real
	const fastest = 17280
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			speed := rapid.SampledFrom([]float64{1, 1, 60, 1440, fastest}).Draw(t, "speed")
			c, err := devClock(ctx, db, speed, real)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := db.DevClock(ctx)
			if err != nil {
				t.Fatal(err)
			}
			at := func() time.Time {
				if c.IsReal() {
					return real
				}
				return kept.At(real)
			}
			if at().Before(last) {
				t.Fatalf("a run begins at %s, the one before ended at %s", at(), last)
			}
			// Ahead of real time it goes on from where it stopped, but for the
			// reserve, or for a restart that came at once.
			if ahead := at().Sub(last); at().After(real) && ahead > clockGrace*fastest {
				t.Fatalf("while nothing ran the clock went on by %s", ahead)
			}
			for range rapid.IntRange(0, 5).Draw(t, "beats") {
				real = real.Add(clockBeat)
				if err := seeClock(ctx, db, real); err != nil {
					t.Fatal(err)
				}
			}
			real = real.Add(time.Duration(rapid.IntRange(0, 1900).Draw(t, "rest")) * time.Millisecond)
			last = at()
			real = real.Add(time.Duration(rapid.IntRange(0, 100_000).Draw(t, "downtime")) * time.Millisecond)
		}
	})
}

func TestRealTimeNeedsNoClock(t *testing.T) {
	db := testkit.SQLite(t, store.Options{})
	c, err := devClock(context.Background(), db, 1, time.Now())
	if err != nil || !c.IsReal() {
		t.Errorf("at speed 1 a new database has the clock %+v, %v", c, err)
	}
	if kept, err := db.DevClock(context.Background()); kept != nil || err != nil {
		t.Errorf("it keeps %+v, %v", kept, err)
	}
}
