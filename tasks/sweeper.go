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
	parts Parts
	swept bool // whether the first sweep is over
}

const sweepEvery = time.Second

// NewSweeper returns a sweeper.
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
	lost, err := s.parts.DB.ExpireLeases(ctx, 0, now)
	if err != nil {
		return err
	}
	if lost > 0 {
		s.parts.Metrics.leasesLost.Add(float64(lost))
		s.parts.Log.Warn("sweeper: leases expired; their tasks run again", "tasks", lost)
	}
	emptied, err := s.parts.Queue.keepRegistered(ctx)
	if len(emptied) > 0 {
		level := slog.LevelInfo
		if !s.swept {
			level = slog.LevelDebug // a Redis without queues is to be expected at a start
		}
		s.parts.Log.Log(ctx, level, "sweeper: Redis lost queues; their waiting tasks are dispatched again", "queues", fmt.Sprint(emptied))
	}
	s.swept = s.swept || err == nil
	for _, l := range emptied {
		err = errors.Join(err, s.parts.DB.RedispatchLane(ctx, l.queue, l.lane, now))
	}
	return err
}
