package tasks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"missiond/internal/clock"
)

// Sweeper repairs what crashes leave behind: it expires the leases of workers that died,
// and dispatches the tasks of queues that Redis lost again.
type Sweeper struct {
	parts      Parts
	registered bool // whether the queues were registered once
	// installation is the id of the database's installation; "" until it is read.
	installation string
}

const (
	sweepEvery = time.Second
	// registerEvery is how many sweeps come between two looks for queues that Redis
	// has lost.
	registerEvery = 3
)

// NewSweeper returns a sweeper.
func NewSweeper(p Parts) *Sweeper { return &Sweeper{parts: p} }

// Run sweeps until ctx ends.
func (s *Sweeper) Run(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if err := s.turn(ctx, n%registerEvery == 0); err != nil && ctx.Err() == nil {
			s.parts.Log.Warn("sweeper", "error", err)
		}
		_ = clock.Sleep(ctx, sweepEvery)
	}
}

func (s *Sweeper) turn(ctx context.Context, register bool) error {
	ctx, cancel := context.WithTimeout(ctx, turnLimit)
	defer cancel()
	now := s.parts.Clock.Now()
	lost, err := s.parts.DB.ExpireLeases(ctx, 0, now)
	if err != nil {
		return err
	}
	if lost > 0 {
		s.parts.Metrics.leasesLost.Add(float64(lost))
		s.parts.Log.Warn("sweeper: leases expired; their tasks run again", "tasks", lost)
	}
	if !register {
		return nil
	}
	return s.register(ctx, now)
}

// register registers the queues, and has the tasks of those that Redis has lost
// dispatched again.
func (s *Sweeper) register(ctx context.Context, now time.Time) error {
	emptied, err := s.parts.Queue.keepRegistered(ctx)
	if err != nil {
		err = fmt.Errorf("register the queues in Redis: %w", err)
	}
	if len(emptied) > 0 {
		level := slog.LevelInfo
		if !s.registered {
			level = slog.LevelDebug // a Redis without queues is to be expected at a start
		}
		s.parts.Log.Log(ctx, level, "sweeper: Redis lost queues; their waiting tasks are dispatched again", "queues", fmt.Sprint(emptied))
	}
	if err == nil {
		s.registered = true
		err = s.claim(ctx)
	}
	for _, l := range emptied {
		err = errors.Join(err, s.parts.DB.RedispatchLane(ctx, l.queue, l.lane, now))
	}
	return err
}

// claim keeps Redis this installation's.
func (s *Sweeper) claim(ctx context.Context) (err error) {
	if s.installation == "" {
		if s.installation, err = s.parts.DB.Installation(ctx); err != nil {
			return err
		}
	}
	if err := Claim(ctx, s.parts.Queue.redis, s.installation); err != nil {
		return fmt.Errorf("claim Redis: %w", err)
	}
	return nil
}
