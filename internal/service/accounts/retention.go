package accounts

import (
	"context"
	"errors"
	"time"

	"missiond/store"
)

// Retention is how long old records are retained, in domain time. Measurements are those of
// posts by the time at which the posts were made; 0 retains them as long as their posts.
type Retention struct {
	Audit, Usage, Notifications, Measurements time.Duration
}

// DropOld deletes records older than their retention, replies, and the records and the tracked links of deleted posts
// that have expired, dropBatch rows at a time. Several
// processes may call it concurrently.
func (a *Service) DropOld(ctx context.Context, retention Retention) error {
	now := a.clock.Now()
	return errors.Join(
		a.dropAll(ctx, func(tx store.Tx) (int, error) { return tx.DropAudit(ctx, now.Add(-retention.Audit), dropBatch) }),
		a.dropAll(ctx, func(tx store.Tx) (int, error) {
			return tx.DropNotifications(ctx, now.Add(-retention.Notifications), dropBatch)
		}),
		a.dropAll(ctx, func(tx store.Tx) (int, error) { return tx.DropRecords(ctx, now, dropBatch) }),
		a.dropAll(ctx, func(tx store.Tx) (int, error) { return tx.DropReplies(ctx, now, dropBatch) }),
		a.dropAll(ctx, func(tx store.Tx) (int, error) { return tx.DropTrackedLinks(ctx, now, dropBatch) }),
		a.store.MaintainMonths(ctx, now, store.MonthRetention{Usage: retention.Usage, Measurements: retention.Measurements}),
	)
}

// dropAll repeats step until it deletes fewer than dropBatch rows.
func (a *Service) dropAll(ctx context.Context, step func(tx store.Tx) (int, error)) error {
	for {
		n := 0
		err := a.store.Tx(ctx, func(tx store.Tx) (err error) {
			n, err = step(tx)
			return err
		})
		if err != nil || n < dropBatch {
			return err
		}
	}
}
