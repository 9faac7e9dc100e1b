package tasks

import (
	"context"
	"time"

	"missiond/internal/clock"
)

// Sweeper repairs what crashes leave: leases of workers that are gone, and
// everything that Redis forgot.
type Sweeper struct {
	parts Parts
}

const sweepEvery = time.Second

// NewSweeper answers a sweeper.
func NewSweeper(p Parts) *Sweeper { return &Sweeper{parts: p} }

// Run sweeps until ctx ends.
func (s *Sweeper) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.turn(ctx); err != nil && ctx.Err() == nil {
			s.parts.Log.Warn("sweeper", "error", err)
		}
		_ = clock.Sleep(ctx, sweepEvery)
	}
}

func (s *Sweeper) turn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, turnLimit)
	defer cancel()
	now := s.parts.Clock.Now()
	lost, err := s.parts.DB.ExpireLeases(ctx, now, now)
	if err != nil {
		return err
	}
	if lost > 0 {
		s.parts.Metrics.leasesLost.Add(float64(lost))
		s.parts.Log.Warn("sweeper: workers lost their tasks, which run again", "tasks", lost)
	}
	first, err := s.parts.Queue.keepRegistered(ctx)
	if err != nil || !first {
		return err
	}
	s.parts.Log.Info("sweeper: Redis is empty, every waiting task is handed over again")
	return s.parts.DB.RingAgain(ctx, now)
}
