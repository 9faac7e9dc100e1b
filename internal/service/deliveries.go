package service

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"missiond/internal/clock"
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
	deliveryTime = 8 * time.Second // of a run's calls
	maxBatches   = 200             // of a run
)

// Deliver sends the due deliveries of the task's endpoint in batches, and schedules
// the task for when the next delivery is due. It records the attempts of a batch
// before it sends the next one. Errors: store.ErrLost.
func (h *Webhooks) Deliver(ctx context.Context, t mission.Task) error {
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
		took := clock.Running() - begun
		if spent += took; took < fastBatch {
			size = min(2*size, maxBatch)
		} else {
			size = batchCalls
		}
		if err := h.record(ctx, t, due, results); err != nil {
			return err
		}
	}
	return h.reschedule(ctx, t)
}

// sendAll sends a batch, batchCalls at once.
func (h *Webhooks) sendAll(ctx context.Context, w mission.Webhook, due []store.DueDelivery) ([]webhook.Result, error) {
	secrets, err := h.open(w, h.clock.Now())
	if err != nil {
		return nil, err
	}
	results := make([]webhook.Result, len(due))
	var all sync.WaitGroup
	var next atomic.Int64
	for range min(batchCalls, len(due)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(due); i = int(next.Add(1)) - 1 {
				p := due[i]
				results[i] = h.sender.Send(ctx, webhook.Message{URL: w.URL, EventID: p.EventID, Body: p.Body, Secrets: secrets})
			}
		})
	}
	all.Wait()
	return results, ctx.Err()
}

// record writes the attempts of a batch, and the new states of their deliveries and
// of the endpoint.
func (h *Webhooks) record(ctx context.Context, t mission.Task, due []store.DueDelivery, results []webhook.Result) error {
	return h.db.Tx(ctx, func(tx store.Tx) error {
		before, err := tx.LockWebhook(ctx, t.TenantID, t.Subject)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return store.ErrLost
		}
		if err != nil {
			return err
		}
		if err := tx.HoldTask(ctx, t); err != nil {
			return err
		}
		kept, err := lockSent(ctx, tx, due)
		if err != nil {
			return err
		}
		now, w, deliveries := h.clock.Now(), before, maps.Clone(kept)
		var attempts []mission.Attempt
		for i, p := range due {
			d, ok := deliveries[p.ID]
			if !ok {
				continue // it was deleted with its event
			}
			a := attempt(d, results[i], now)
			attempts = append(attempts, a)
			deliveries[p.ID], w = d.Tried(w, a, results[i].RetryAfter, now)
		}
		if err := tx.SetDeliveries(ctx, kept, slices.Collect(maps.Values(deliveries)), attempts); err != nil {
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
		Error: r.Error, Response: r.Answer,
	}
}

// setState writes the state of an endpoint, if deliveries changed it, and notifies
// the tenant.
func (h *Webhooks) setState(ctx context.Context, tx store.Tx, before, w mission.Webhook, now time.Time) error {
	if before.Status == w.Status && before.Enabled == w.Enabled && (before.ProvenAt == nil) == (w.ProvenAt == nil) {
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
func (h *Webhooks) reschedule(ctx context.Context, t mission.Task) error {
	return h.db.Tx(ctx, func(tx store.Tx) error {
		w, err := tx.LockWebhook(ctx, t.TenantID, t.Subject)
		if err != nil {
			return err
		}
		if err := tx.HoldTask(ctx, t); err != nil {
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

// Deliveries returns a page of an endpoint's deliveries, newest first, and whether
// there are more. Errors: invalid_request, not_found.
func (h *Webhooks) Deliveries(ctx context.Context, p mission.Principal, webhookID string, status mission.DeliveryStatus, page store.Page) ([]mission.Delivery, bool, error) {
	if err := checkPage(page, mission.PrefixDelivery, "delivery"); err != nil {
		return nil, false, err
	}
	if _, err := h.Webhook(ctx, p, webhookID); err != nil {
		return nil, false, err
	}
	return h.db.Deliveries(ctx, p.TenantID, webhookID, status, page)
}

// CountDeliveries returns how many deliveries an endpoint of the tenant's has in a
// status, or in any if it is "".
func (h *Webhooks) CountDeliveries(ctx context.Context, p mission.Principal, webhookID string, status mission.DeliveryStatus) (int, error) {
	return h.db.CountDeliveries(ctx, p.TenantID, webhookID, status)
}

// DeliveryOf returns a delivery to an endpoint of the tenant's, with its
// attempts. Errors: not_found.
func (h *Webhooks) DeliveryOf(ctx context.Context, p mission.Principal, webhookID, id string) (mission.Delivery, []mission.Attempt, error) {
	if _, err := h.Webhook(ctx, p, webhookID); err != nil {
		return mission.Delivery{}, nil, err
	}
	d, err := h.Delivery(ctx, p, id)
	if err == nil && d.WebhookID != webhookID {
		err = mission.NotFound("delivery", id)
	}
	if err != nil {
		return d, nil, err
	}
	attempts, err := h.AttemptsOf(ctx, p, []string{id})
	return d, attempts[id], err
}

// Delivery returns a delivery of the tenant's. Errors: not_found.
func (h *Webhooks) Delivery(ctx context.Context, p mission.Principal, id string) (mission.Delivery, error) {
	if !mission.HasIDForm(mission.PrefixDelivery, id) {
		return mission.Delivery{}, mission.NotFound("delivery", id)
	}
	return h.db.Delivery(ctx, p.TenantID, id)
}

// AttemptsOf returns the attempts of the tenant's deliveries, by delivery id. The
// receivers' responses are left out unless the caller may read events: a receiver
// may have sent the event back.
func (h *Webhooks) AttemptsOf(ctx context.Context, p mission.Principal, deliveryIDs []string) (map[string][]mission.Attempt, error) {
	found, err := h.db.AttemptsOf(ctx, p.TenantID, deliveryIDs)
	if p.ReadsEvents() == nil {
		return found, err
	}
	for _, attempts := range found {
		for i := range attempts {
			attempts[i].Response = ""
		}
	}
	return found, err
}

// Redeliver delivers an event to its endpoint again, as a new delivery. Errors:
// not_found; conflict if the endpoint is disabled, or hasn't accepted any message
// yet.
func (h *Webhooks) Redeliver(ctx context.Context, p mission.Principal, id string) (d mission.Delivery, err error) {
	old, err := h.Delivery(ctx, p, id)
	if err != nil {
		return d, err
	}
	return changing(ctx, h, p, old.WebhookID, func(tx store.Tx, w mission.Webhook, now time.Time) (mission.Delivery, error) {
		d := redelivery(tx, w, mission.Event{ID: old.EventID, Type: old.EventType, MissionID: old.MissionID}, now, now)
		return d, h.send(ctx, tx, w, []mission.Delivery{d}, now)
	})
}

// redelivery returns a new delivery of an earlier event, due at a time.
func redelivery(tx store.Tx, w mission.Webhook, e mission.Event, at, now time.Time) mission.Delivery {
	return mission.Delivery{
		ID: tx.NewID(mission.PrefixDelivery, now), TenantID: w.TenantID, WebhookID: w.ID, EventID: e.ID, EventType: e.Type, MissionID: e.MissionID,
		Status: mission.DeliveryPending, NextAttemptAt: &at, CreatedAt: now,
	}
}

func (h *Webhooks) send(ctx context.Context, tx store.Tx, w mission.Webhook, list []mission.Delivery, now time.Time) error {
	if !w.Enabled {
		return mission.Conflict("The endpoint is disabled.")
	}
	if err := w.CheckProven(); err != nil {
		return err
	}
	if len(list) == 0 {
		return nil
	}
	// Lock the task before the deliveries' counters, in the order of events.
	if err := tx.RunDeliveryTask(ctx, w, now); err != nil {
		return err
	}
	return tx.AddDeliveries(ctx, list)
}

// Limits of a replay: how many events it has, and the time between their
// deliveries.
const (
	maxReplay    = 10_000
	replaySpread = 50 * time.Millisecond
	replayBatch  = 500
)

// Replay delivers the events since a time that an endpoint subscribes to again,
// oldest first, 20 a second; with undelivered, only those that it never accepted.
// It returns the endpoint and the number of events. Errors: not_found;
// invalid_request on since; conflict if the endpoint is disabled, or hasn't accepted
// any message yet.
func (h *Webhooks) Replay(ctx context.Context, p mission.Principal, id string, since time.Time, undelivered bool) (w mission.Webhook, n int, err error) {
	now := h.clock.Now()
	if since.After(now) || since.Before(now.Add(-mission.EventRetention)) {
		return w, 0, mission.Invalid("since", "The time must lie within the last %d days.", int(mission.EventRetention/(24*time.Hour)))
	}
	for after := ""; ; {
		batch, err := changing(ctx, h, p, id, func(tx store.Tx, w mission.Webhook, _ time.Time) (replayed, error) {
			events, err := h.db.ReplayEvents(ctx, w, mission.Millis(since), now, after, undelivered, replayBatch)
			if err != nil {
				return replayed{}, err
			}
			if n+len(events) > maxReplay {
				return replayed{}, mission.Invalid("since", "More than %d events lie since then; choose a later time.", maxReplay)
			}
			batch := replayed{Webhook: w, N: len(events)}
			list := make([]mission.Delivery, len(events))
			for i, e := range events {
				list[i], batch.Last = redelivery(tx, w, e, now.Add(time.Duration(n+i)*replaySpread), now), e.ID
			}
			return batch, h.send(ctx, tx, w, list, now)
		})
		if err != nil || batch.N == 0 {
			return batch.Webhook, n, err
		}
		after = batch.Last
		n += batch.N
	}
}

// replayed is a batch of a replay: its number of events, and the id of the last.
type replayed struct {
	Webhook mission.Webhook
	N       int
	Last    string
}

// Reseal seals with the first secret key all secrets that other keys sealed, and
// returns how many those were.
func (h *Webhooks) Reseal(ctx context.Context) (n int, err error) {
	const batch = 100
	for after, more := "", true; more; {
		err = h.db.Tx(ctx, func(tx store.Tx) error {
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

func (h *Webhooks) reseal(ctx context.Context, tx store.Tx, w mission.Webhook, n *int) error {
	stale := false
	for _, sealed := range []*string{&w.Sealed, &w.SealedOld} {
		if *sealed == "" || !h.secrets.Stale(*sealed) {
			continue
		}
		plain, err := h.secrets.Open(webhookPlace(w.ID), *sealed)
		if err != nil {
			return err
		}
		*sealed, stale = h.secrets.Seal(webhookPlace(w.ID), plain), true
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
