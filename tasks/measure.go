package tasks

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"missiond/internal/service"
	"missiond/mission"
)

// measure measures a mission's posts that are due.
func (w *Worker) measure(ctx context.Context, c *claim) error {
	posts, err := w.parts.Service.PostsDue(ctx, c.Task)
	if err != nil {
		return err
	}
	return w.parts.Service.RecordMeasured(ctx, c.Task, w.measured(ctx, posts))
}

// measured measures posts, in batches that their platforms take. Platforms are
// asked beside each other: one that fails or is slow delays no other, and is
// asked no more in this run.
func (w *Worker) measured(ctx context.Context, posts []mission.Content) service.Measured {
	got := service.Measured{Asked: posts, Metrics: map[string]mission.Metrics{}, Quiet: map[mission.Platform]time.Duration{}}
	byPlatform := map[mission.Platform][]mission.Content{}
	for _, c := range posts {
		byPlatform[c.Platform] = append(byPlatform[c.Platform], c)
	}
	var mu sync.Mutex
	var running sync.WaitGroup
	for platform, list := range byPlatform {
		caps, _ := mission.CapabilitiesOf(platform)
		running.Go(func() {
			for batch := range slices.Chunk(list, max(caps.MeasureBatch, 1)) {
				metrics, err := w.measureBatch(ctx, batch)
				mu.Lock()
				for id, m := range metrics {
					got.Metrics[id] = m
				}
				var refused *mission.PublishError
				if errors.As(err, &refused) {
					got.Quiet[platform] = refused.RetryAfter
				}
				mu.Unlock()
				if err != nil {
					w.parts.Log.WarnContext(ctx, "posts couldn't be measured", "platform", platform, "posts", len(batch), "error", err)
					return
				}
			}
		})
	}
	running.Wait()
	return got
}

func (w *Worker) measureBatch(ctx context.Context, batch []mission.Content) (map[string]mission.Metrics, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	return w.parts.Publisher.Measure(ctx, batch)
}
