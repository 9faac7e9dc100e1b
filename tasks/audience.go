package tasks

import (
	"context"

	"missiond/internal/database"
)

// audience reads an account's figures and records them.
func (w *Worker) audience(ctx context.Context, c *claim) error {
	i, since, err := w.parts.Pipeline.OpenAudience(ctx, c.Task)
	if err != nil {
		return err
	}
	leave, ok := w.enter(i.Platform, i.TenantID)
	if !ok {
		if err := w.parts.Pipeline.ReturnTask(ctx, c.Task, c.Trouble, w.parts.Clock.Domain(limitedDelay)); err != nil {
			return err
		}
		return errPutOff
	}
	defer leave()
	within, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	got, failed := w.parts.Publisher.Audience(within, &i, since)
	if database.Unavailable(failed) {
		return failed
	}
	return database.Insist(ctx, settleLimit, func(ctx context.Context) error {
		return w.parts.Pipeline.RecordAudience(ctx, c.Task, got, failed != nil, w.quiet(failed))
	})
}
