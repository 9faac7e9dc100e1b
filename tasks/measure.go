package tasks

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"missiond/internal/database"
	"missiond/internal/service/missions"
	"missiond/mission"
)

// measure measures a mission's posts that are due.
func (w *Worker) measure(ctx context.Context, c *claim) error {
	due, err := w.parts.Pipeline.PostsDue(ctx, c.Task)
	if err != nil {
		return err
	}
	return w.parts.Pipeline.RecordMeasured(ctx, c.Task, w.measured(ctx, c.Task, due))
}

// measured measures posts, in batches as large as their platforms allow. It calls the
// platforms concurrently: one that fails or is slow delays no other, and isn't called
// again in this run. The posts of one from which too many runs read already stay due.
func (w *Worker) measured(ctx context.Context, t mission.Task, due missions.Due) missions.Measured {
	got := missions.Measured{Due: due.Posts, Metrics: map[string]mission.Metrics{}, Shown: map[string][]mission.Shown{},
		Replies: map[string]mission.ReadReplies{}, Quiet: map[string]time.Duration{}}
	reader := w.newReplyReader(t)
	var mu sync.Mutex
	var running sync.WaitGroup
	for _, b := range due.Batches {
		caps, _ := mission.CapabilitiesOf(b.Platform)
		leave, ok := w.enterReading(b.Platform, t.TenantID)
		if !ok {
			mu.Lock()
			leaveDue(&got, b.Posts)
			mu.Unlock()
			continue
		}
		running.Go(func() {
			defer leave()
			for posts := range slices.Chunk(b.Posts, max(caps.MeasureBatch, 1)) {
				metrics, shown, err := w.measureBatch(ctx, t, missions.Batch{Platform: b.Platform, Via: b.Via, Posts: posts})
				mu.Lock()
				maps.Copy(got.Metrics, metrics)
				maps.Copy(got.Shown, shown)
				got.Quiet[b.Account()] = w.quiet(err)
				if database.Unavailable(err) {
					leaveDue(&got, b.Posts)
				}
				mu.Unlock()
				if err != nil {
					w.parts.Log.WarnContext(ctx, "posts couldn't be measured", "platform", b.Platform, "posts", len(posts), "error", err)
					return
				}
			}
			if due.ReadsReplies(b) {
				read := reader.read(ctx, b)
				mu.Lock()
				maps.Copy(got.Replies, read)
				mu.Unlock()
			}
		})
	}
	running.Wait()
	return got
}

// quiet returns for how long a platform that failed so isn't to be called.
func (w *Worker) quiet(err error) time.Duration {
	var failed *mission.PublishError
	if !errors.As(err, &failed) {
		return 0
	}
	return w.parts.Clock.Domain(failed.RetryAfter)
}

// leaveDue leaves posts without metrics due: the database was unavailable or the platform
// busy, which isn't an attempt to measure them.
func leaveDue(got *missions.Measured, posts []mission.Content) {
	got.Due = slices.DeleteFunc(slices.Clone(got.Due), func(c mission.Content) bool {
		_, measured := got.Metrics[c.ID]
		return !measured && slices.ContainsFunc(posts, func(p mission.Content) bool { return p.ID == c.ID })
	})
}

// measureBatch measures posts, if their mission's budget can pay for reading them, and reads those
// back that haven't been.
func (w *Worker) measureBatch(
	ctx context.Context, t mission.Task, b missions.Batch,
) (metrics map[string]mission.Metrics, shown map[string][]mission.Shown, err error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	reading, ok, err := w.parts.Pipeline.OpenReading(ctx, t, b)
	if err != nil || !ok {
		return nil, nil, err
	}
	metrics, err = w.parts.Publisher.Measure(ctx, b.Via, b.Posts)
	var failed *mission.PublishError
	lost := err != nil && (!errors.As(err, &failed) || failed.Outcome == mission.OutcomeUnknown)
	if err = errors.Join(err, w.parts.Pipeline.CloseReading(ctx, reading, metrics, lost)); err != nil {
		return metrics, nil, err
	}
	return metrics, w.readBack(ctx, t, b, metrics), nil
}

// readBack returns what a platform shows of those of the posts that are to be read back. If that
// fails, the figures count all the same.
func (w *Worker) readBack(ctx context.Context, t mission.Task, b missions.Batch, measured map[string]mission.Metrics) map[string][]mission.Shown {
	posts, err := w.parts.Pipeline.ToReadBack(ctx, t.TenantID, b.Posts, measured)
	if err == nil && len(posts) == 0 {
		return nil
	}
	var shown map[string][]mission.Shown
	if err == nil {
		shown, err = w.parts.Publisher.Read(ctx, b.Via, posts)
	}
	if err != nil {
		w.parts.Log.WarnContext(ctx, "posts couldn't be read back", "platform", b.Platform, "posts", len(b.Posts), "error", err)
	}
	return shown
}
