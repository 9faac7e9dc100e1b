package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
	"missiond/store"
)

const (
	maxClockSpeed = 86_400 // a day per second
	clockBeat     = time.Second
	// clockGrace is how long after its last beat a clock counts as in use by
	// another process.
	clockGrace = 5 * clockBeat
)

// devClock returns the clock of a development run. It starts at real time and runs
// at the given speed. The database stores it, so that its time continues where it
// stopped: it stops while no process runs, and never goes back.
// Errors: a speed that isn't between 1 and maxClockSpeed.
func devClock(ctx context.Context, db *store.DB, speed float64, real time.Time) (clock.Clock, error) {
	if speed < 1 || speed > maxClockSpeed {
		return clock.Clock{}, fmt.Errorf("the clock's speed must be between 1 and %d", maxClockSpeed)
	}
	var c clock.Clock
	err := db.Tx(ctx, func(tx store.Tx) error {
		stored, err := db.DevClock(ctx)
		if err != nil {
			return err
		}
		if stored == nil && speed == 1 {
			c = clock.Real()
			return nil
		}
		anchor := clock.Anchor{Real: real, Domain: mission.Millis(real), Speed: speed}
		if stored != nil {
			running := real.Sub(stored.SeenReal) < clockGrace
			if running && stored.Speed == speed {
				anchor = stored.Anchor // another process uses the clock, or did a moment ago
			} else if stopped := stored.At(stored.SeenReal.Add(2 * clockBeat)); stopped.After(anchor.Domain) {
				anchor.Domain = mission.Millis(stopped)
			}
		}
		c = clock.New(anchor)
		return tx.SetDevClock(ctx, store.DevClock{Anchor: anchor, SeenReal: real})
	})
	return c, err
}

// beatClock records every second that the clock is in use, until ctx ends.
func beatClock(ctx context.Context, db *store.DB, log *slog.Logger) {
	for clock.Sleep(ctx, clockBeat) == nil {
		if err := seeClock(ctx, db, time.Now()); err != nil && ctx.Err() == nil {
			log.Warn("record the development clock", "error", err)
		}
	}
}

// seeClock records that the clock was in use at a real time.
func seeClock(ctx context.Context, db *store.DB, real time.Time) error {
	return db.Tx(ctx, func(tx store.Tx) error {
		stored, err := db.DevClock(ctx)
		if err != nil || stored == nil {
			return err
		}
		stored.SeenReal = real
		return tx.SetDevClock(ctx, *stored)
	})
}
