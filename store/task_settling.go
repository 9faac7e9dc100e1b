package store

import (
	"context"
	"time"

	"missiond/internal/database"
	"missiond/mission"
)

// FinishTask deletes a task that is done. Errors: ErrLost.
func (tx Tx) FinishTask(ctx context.Context, t mission.Task) error {
	tx.done.settled = t.ID
	return tx.must(ctx, tx.NewDelete().Model((*taskRow)(nil)).
		Where("id = ?", t.ID).Where("fence = ?", database.Int(t.Fence)).Where("state = 'running'"), 1, ErrLost)
}

// Settled reports whether tx has finished, released or parked the task, which
// proves that the caller holds it.
func (tx Tx) Settled(t mission.Task) bool { return tx.done.settled == t.ID }

// RequireLease makes sure that the caller holds the task until tx ends, as
// FinishTask, ReleaseTask and ParkTask do too. Errors: ErrLost.
func (tx Tx) RequireLease(ctx context.Context, t mission.Task) error {
	return tx.must(ctx, tx.NewUpdate().Model((*taskRow)(nil)).Set("lost = 0").
		Where("id = ?", t.ID).Where("fence = ?", database.Int(t.Fence)).Where("state = 'running'"), 1, ErrLost)
}

// ReleaseTask gives up a task: it runs again at runAt, as attempt+1, and isn't in trouble. Errors:
// ErrLost.
func (tx Tx) ReleaseTask(ctx context.Context, t mission.Task, runAt, now time.Time, attempt int) error {
	return tx.ReleaseTroubled(ctx, t, "", runAt, now, attempt)
}

// ReleaseTroubled is ReleaseTask for a task in trouble: since now, unless it was claimed in the same one; "" is none.
// Errors: ErrLost.
func (tx Tx) ReleaseTroubled(ctx context.Context, t mission.Task, by mission.Trouble, runAt, now time.Time, attempt int) error {
	tx.done.tasks = true
	since := t.TroubledSince(by, now)
	t.Trouble, t.TroubleSince = by, nil
	if by != "" {
		t.TroubleSince = &since
	}
	return tx.putBack(ctx, t, mission.TaskWaiting, runAt, tx.db.dispatchAt(runAt, now), attempt)
}

// ParkTask gives up a task until its mission resumes. Errors: ErrLost.
func (tx Tx) ParkTask(ctx context.Context, t mission.Task) error {
	return tx.putBack(ctx, t, mission.TaskParked, t.RunAt, t.RunAt, t.Attempt-1)
}

func (tx Tx) putBack(ctx context.Context, t mission.Task, s mission.TaskState, runAt, dispatchAt time.Time, attempt int) error {
	tx.done.settled = t.ID
	return tx.must(ctx, tx.NewUpdate().Model((*taskRow)(nil)).
		Set("state = ?", s).Set("run_at = ?", runAt).Set("ring_at = ?", dispatchAt).Set("lane = ''").Set("hands = 0").
		Set("attempt = ?", database.Int(attempt)).Set("lost = 0").Set("lease_until = NULL").
		Set("trouble = NULLIF(?, '')", t.Trouble).Set("trouble_since = ?", t.TroubleSince).
		Where("id = ?", t.ID).Where("fence = ?", database.Int(t.Fence)).Where("state = 'running'"), 1, ErrLost)
}
