package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"missiond/internal/clock"
)

// ClockOptions are for tests.
type ClockOptions struct {
	ClockOffset time.Duration `help:"How far this process's clock is ahead: for tests." hidden:""`
}

// How the database's clock is followed.
const (
	measureEvery = time.Minute
	measureLimit = 5 * time.Second
	// warnSkew is how far the machine's clock may be off without a warning, maxSkew how
	// far with which a worker still takes tasks.
	warnSkew = time.Second
	maxSkew  = 30 * time.Second
)

// follow makes the process's time that of the database: what is due, and every time that
// is stored, is by one clock, whatever those of the machines say. Errors: the database
// doesn't tell its time.
func (b *Backend) follow(ctx context.Context, f *clock.Followed) error {
	if err := b.measure(ctx, f); err != nil {
		return err
	}
	promauto.With(b.Metrics).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "missiond_clock_skew_seconds", Help: "How far the machine's clock is ahead of the database's.",
	}, func() float64 { return f.Skew().Seconds() })
	b.followed = f
	return nil
}

func (b *Backend) measure(ctx context.Context, f *clock.Followed) error {
	ctx, cancel := context.WithTimeout(ctx, measureLimit)
	defer cancel()
	return f.Measure(ctx, b.DB.Time)
}

// keepFollowing measures the database's clock each minute until ctx ends, and warns if
// the machine's is off.
func (b *Backend) keepFollowing(ctx context.Context, log *slog.Logger) {
	for {
		if skew := b.followed.Skew(); skew.Abs() > warnSkew {
			log.Warn("the machine's clock differs from the database's, which counts; set it right", "ahead", skew.Round(time.Millisecond).String(),
				"takes_tasks", b.trustsClock())
		}
		if clock.Sleep(ctx, measureEvery) != nil {
			return
		}
		if err := b.measure(ctx, b.followed); err != nil && ctx.Err() == nil {
			log.Warn("measure the database's clock", "error", err)
		}
	}
}

// trustsClock reports whether the machine's clock is so near to the database's that the
// process may take tasks.
func (b *Backend) trustsClock() bool { return b.followed == nil || b.followed.Skew().Abs() <= maxSkew }
