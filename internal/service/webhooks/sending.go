package webhooks

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/internal/webhook"
	"missiond/mission"
	"missiond/store"
)

// Limits of the delivery to an endpoint, which goes in batches, one after the
// other. A batch that takes less than fastBatch is followed by one of twice its
// size: a fast receiver waits less for the recording between batches, and a slow
// one has few calls repeated after a crash.
const (
	batchCalls   = webhook.MaxCalls // at once, and the size of the first batch
	maxBatch     = 8 * batchCalls
	fastBatch    = 250 * time.Millisecond
	slowBatch    = time.Second
	deliveryTime = 8 * time.Second // of a run's calls
	maxBatches   = 200             // of a run
	// recordLimit is how long recording the attempts of a batch is tried.
	recordLimit = 30 * time.Second
)

// Deliver sends the due deliveries of the task's endpoint in batches, and schedules
// the task for when the next delivery is due. It records the attempts of a batch
// before it sends the next one. Errors: store.ErrLost.
func (h *Service) Deliver(ctx context.Context, t mission.Task) error {
	spent, size := time.Duration(0), batchCalls
	for range maxBatches {
		w, err := h.db.Webhook(ctx, t.TenantID, t.Subject)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return store.ErrLost // the task was deleted with it
		}
		if err != nil {
			return err
		}
		due, err := h.db.DueDeliveries(ctx, w.ID, h.clock.Now(), size)
		if err != nil {
			return err
		}
		if len(due) == 0 || !w.Enabled || spent >= deliveryTime {
			break
		}
		begun := clock.Running()
		results, err := h.sendAll(ctx, w, due)
		if err != nil {
			return err
		}
		due = due[:len(results)]
		took := clock.Running() - begun
		if spent += took; took < fastBatch {
			size = min(2*size, maxBatch)
		} else {
			size = batchCalls
		}
		// Even if the run was canceled: what isn't recorded is sent again.
		err = database.Insist(ctx, recordLimit, func(ctx context.Context) error { return h.record(ctx, t, due, results) })
		if err != nil {
			return err
		}
	}
	return h.reschedule(ctx, t)
}

// sent is the result of sending a message, signed with a sealed secret.
type sent struct {
	webhook.Result

	sealed string
}

// sendAll sends a batch, batchCalls at once, and returns the results of those it sent: it
// begins no call after slowBatch, so that an endpoint that was deleted or disabled
// meanwhile occupies its worker for little more than a call.
func (h *Service) sendAll(ctx context.Context, w mission.Webhook, due []store.DueDelivery) ([]sent, error) {
	signs, err := h.signing(w, h.clock.Now())
	if err != nil {
		return nil, err
	}
	begun, results := clock.Running(), make([]sent, len(due))
	var all sync.WaitGroup
	var begins atomic.Int64 // how many were begun
	senders := min(batchCalls, len(due))
	begins.Store(int64(senders))
	for n := range senders {
		all.Go(func() {
			for i := n; i < len(due); i = int(begins.Add(1)) - 1 {
				r := h.sender.Send(ctx, signs.message(w, due[i]))
				results[i] = sent{r, signs.sealed[r.Secret]}
				if clock.Running()-begun >= slowBatch {
					return
				}
			}
		})
	}
	all.Wait()
	return results[:min(int(begins.Load()), len(due))], ctx.Err()
}

// record writes the attempts of a batch, and the new states of their deliveries and
// of the endpoint. Attempts that it has recorded before are left as they are.
func (h *Service) record(ctx context.Context, t mission.Task, due []store.DueDelivery, results []sent) error {
	return h.store.Tx(ctx, func(tx store.Tx) error {
		before, err := tx.LockWebhook(ctx, t.TenantID, t.Subject)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return store.ErrLost
		}
		if err != nil {
			return err
		}
		if err := tx.RequireLease(ctx, t); err != nil {
			return err
		}
		locked, err := lockSent(ctx, tx, due)
		if err != nil {
			return err
		}
		now, w, deliveries := h.clock.Now(), before, maps.Clone(locked)
		var attempts []mission.Attempt
		for i, p := range due {
			d, ok := deliveries[p.ID]
			if !ok || d.Attempts > p.Attempts {
				continue // it was deleted with its event, or the reply to a COMMIT was lost
			}
			a := attempt(d, results[i].Result, now)
			if a.OK() {
				w = w.Accepted(results[i].sealed)
			}
			attempts = append(attempts, a)
			deliveries[p.ID], w = d.Tried(w, a, results[i].RetryAfter, now)
		}
		inOrder := slices.SortedFunc(maps.Values(deliveries), func(a, b mission.Delivery) int { return strings.Compare(a.ID, b.ID) })
		if err := tx.SetDeliveries(ctx, locked, inOrder, attempts); err != nil {
			return err
		}
		return h.setState(ctx, tx, before, w, now)
	})
}

// lockSent locks the deliveries of a batch and returns them by id.
func lockSent(ctx context.Context, tx store.Tx, due []store.DueDelivery) (map[string]mission.Delivery, error) {
	ids := make([]string, len(due))
	for i, p := range due {
		ids[i] = p.ID
	}
	return tx.LockDeliveries(ctx, ids)
}

func attempt(d mission.Delivery, r webhook.Result, now time.Time) mission.Attempt {
	return mission.Attempt{
		DeliveryID: d.ID, Number: d.Attempts + 1, At: now, StatusCode: r.StatusCode, DurationMS: r.Duration.Milliseconds(),
		Error: r.Error, Response: r.Response,
	}
}

// setState writes the state of an endpoint, if deliveries changed it, and notifies
// the tenant.
func (h *Service) setState(ctx context.Context, tx store.Tx, before, w mission.Webhook, now time.Time) error {
	if before.Status == w.Status && before.Enabled == w.Enabled && before.OldAccepted == w.OldAccepted &&
		(before.ProvenAt == nil) == (w.ProvenAt == nil) {
		return nil
	}
	if err := tx.SetWebhookState(ctx, w); err != nil {
		return err
	}
	if !w.Enabled {
		if err := tx.CancelDeliveries(ctx, w, now); err != nil {
			return err
		}
	}
	if n, ok := w.Notify(tx.NewID(mission.PrefixNotification, now), before, now); ok {
		return tx.AddNotification(ctx, n)
	}
	return nil
}

// reschedule schedules an endpoint's task for when its next delivery is due, or
// finishes it if there is none. It locks the task's row before it looks for the
// next delivery; whoever adds a delivery locks the row too, so that none is missed.
func (h *Service) reschedule(ctx context.Context, t mission.Task) error {
	return h.store.Tx(ctx, func(tx store.Tx) error {
		w, err := tx.LockWebhook(ctx, t.TenantID, t.Subject)
		if err != nil {
			return err
		}
		if err := tx.RequireLease(ctx, t); err != nil {
			return err
		}
		if !w.Enabled {
			if err := tx.CancelDeliveries(ctx, w, h.clock.Now()); err != nil {
				return err
			}
		}
		next, err := tx.NextDue(ctx, t.Subject)
		if err != nil {
			return err
		}
		if next == nil {
			return tx.FinishTask(ctx, t)
		}
		now := h.clock.Now()
		return tx.ReleaseTask(ctx, t, later(*next, now), now, 0)
	})
}

// Reseal seals with the first secret key all secrets that other keys sealed, and
// returns how many those were.
func (h *Service) Reseal(ctx context.Context) (n int, err error) {
	const batch = 100
	for after, more := "", true; more; {
		err = h.store.Tx(ctx, func(tx store.Tx) error {
			list, err := tx.SealedWebhooks(ctx, after, batch)
			if err != nil {
				return err
			}
			more = len(list) == batch
			for _, w := range list {
				after = w.ID
				if err := h.reseal(ctx, tx, w, &n); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (h *Service) reseal(ctx context.Context, tx store.Tx, w mission.Webhook, n *int) error {
	stale := false
	for _, sealed := range []*string{&w.Sealed, &w.SealedOld} {
		if *sealed == "" || !h.secrets.Stale(*sealed) {
			continue
		}
		plain, err := h.secrets.Open(webhookContext(w.ID), *sealed)
		if err != nil {
			return err
		}
		*sealed, stale = h.secrets.Seal(webhookContext(w.ID), plain), true
		*n++
	}
	if !stale {
		return nil
	}
	return tx.ResealWebhook(ctx, w)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
