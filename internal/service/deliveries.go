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

// How an endpoint is delivered to: in waves, one after the other, with so many
// calls at once, for as long as its worker takes at most. A wave that is done at
// once is followed by one of twice its size: a receiver that is fast is held up
// less by what is recorded in between, and one that hangs has few calls repeated
// after a crash.
const (
	waveCalls = webhook.MaxCalls
	waveMost  = 8 * waveCalls
	waveFast  = 250 * time.Millisecond
	wavesTime = 8 * time.Second
	maxWaves  = 200
)

// Deliver sends what is due to the task's endpoint, wave by wave, and leaves the
// task to be run when its next delivery is due. Each attempt is recorded before
// the next wave. Errors: store.ErrLost.
func (h *Webhooks) Deliver(ctx context.Context, t mission.Task) error {
	spent, size := time.Duration(0), waveCalls
	for range maxWaves {
		w, err := h.db.Webhook(ctx, t.TenantID, t.Subject)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return store.ErrLost // the task went with it
		}
		if err != nil {
			return err
		}
		parcels, err := h.db.DueDeliveries(ctx, w.ID, h.clock.Now(), size)
		if err != nil {
			return err
		}
		if len(parcels) == 0 || !w.Enabled || spent >= wavesTime {
			break
		}
		begun := clock.Running()
		results, err := h.sendAll(ctx, w, parcels)
		if err != nil {
			return err
		}
		took := clock.Running() - begun
		if spent += took; took < waveFast {
			size = min(2*size, waveMost)
		} else {
			size = waveCalls
		}
		if err := h.record(ctx, t, parcels, results); err != nil {
			return err
		}
	}
	return h.rest(ctx, t)
}

// sendAll sends a wave, waveCalls at once.
func (h *Webhooks) sendAll(ctx context.Context, w mission.Webhook, parcels []store.DueDelivery) ([]webhook.Result, error) {
	secrets, err := h.open(w, h.clock.Now())
	if err != nil {
		return nil, err
	}
	results := make([]webhook.Result, len(parcels))
	var all sync.WaitGroup
	var next atomic.Int64
	for range min(waveCalls, len(parcels)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parcels); i = int(next.Add(1)) - 1 {
				p := parcels[i]
				results[i] = h.sender.Send(ctx, webhook.Message{URL: w.URL, EventID: p.EventID, Body: p.Body, Secrets: secrets})
			}
		})
	}
	all.Wait()
	return results, ctx.Err()
}

// record keeps the attempts of a wave, and what they mean for their deliveries
// and the endpoint.
func (h *Webhooks) record(ctx context.Context, t mission.Task, parcels []store.DueDelivery, results []webhook.Result) error {
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
		kept, err := lockSent(ctx, tx, parcels)
		if err != nil {
			return err
		}
		now, w, deliveries := h.clock.Now(), before, maps.Clone(kept)
		var attempts []mission.Attempt
		for i, p := range parcels {
			d, ok := deliveries[p.ID]
			if !ok {
				continue // it went with its event
			}
			a := attempt(d, results[i], now)
			attempts = append(attempts, a)
			deliveries[p.ID], w = d.Tried(w, a, results[i].RetryAfter, now)
		}
		if err := tx.SetDeliveries(ctx, kept, slices.Collect(maps.Values(deliveries)), attempts); err != nil {
			return err
		}
		return h.turn(ctx, tx, before, w, now)
	})
}

// lockSent returns the deliveries of a wave as they are now, by their ids.
func lockSent(ctx context.Context, tx store.Tx, parcels []store.DueDelivery) (map[string]mission.Delivery, error) {
	ids := make([]string, len(parcels))
	for i, p := range parcels {
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

// turn writes what deliveries made of an endpoint, and tells the tenant.
func (h *Webhooks) turn(ctx context.Context, tx store.Tx, before, w mission.Webhook, now time.Time) error {
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

// rest leaves an endpoint's task to be run when its next delivery is due, or
// removes it. The task's row is locked before that is looked up, and whoever
// adds a delivery locks it after: none is overlooked.
func (h *Webhooks) rest(ctx context.Context, t mission.Task) error {
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

// Deliveries returns a page of an endpoint's deliveries, newest first, and
// whether more lie beyond it. Errors: invalid_request, not_found.
func (h *Webhooks) Deliveries(ctx context.Context, p mission.Principal, webhookID string, status mission.DeliveryStatus, page store.Page) ([]mission.Delivery, bool, error) {
	if err := checkPage(page, mission.PrefixDelivery, "delivery"); err != nil {
		return nil, false, err
	}
	if _, err := h.Webhook(ctx, p, webhookID); err != nil {
		return nil, false, err
	}
	return h.db.Deliveries(ctx, p.TenantID, webhookID, status, page)
}

// CountDeliveries returns how many deliveries an endpoint of the tenant's has
// in a state or, where it is "", in any.
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

// AttemptsOf returns the attempts of deliveries of the tenant's, by the
// deliveries' ids. What receivers answered is for those only who may read
// events: a receiver may have sent the event back.
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

// Redeliver delivers an event to its endpoint again, as a delivery of its own.
// Errors: not_found; conflict where the endpoint is disabled, or has taken nothing
// yet.
func (h *Webhooks) Redeliver(ctx context.Context, p mission.Principal, id string) (d mission.Delivery, err error) {
	old, err := h.Delivery(ctx, p, id)
	if err != nil {
		return d, err
	}
	return changing(ctx, h, p, old.WebhookID, func(tx store.Tx, w mission.Webhook, now time.Time) (mission.Delivery, error) {
		d := again(tx, w, mission.Event{ID: old.EventID, Type: old.EventType, MissionID: old.MissionID}, now, now)
		return d, h.send(ctx, tx, w, []mission.Delivery{d}, now)
	})
}

// again is a delivery of an event that was, due at a time.
func again(tx store.Tx, w mission.Webhook, e mission.Event, at, now time.Time) mission.Delivery {
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
	// The task before the deliveries' counters, as events take them.
	if err := tx.RunDeliveryTask(ctx, w, now); err != nil {
		return err
	}
	return tx.AddDeliveries(ctx, list)
}

// A replay's bounds: how many events it takes, and how far apart they go out.
const (
	maxReplay    = 10_000
	replaySpread = 50 * time.Millisecond
	replayBatch  = 500
)

// Replay delivers to an endpoint again the events since a time that it
// subscribes to, oldest first, 20 a second; with undelivered only those that it
// never took. It answers the endpoint and how many those are. Errors: not_found;
// invalid_request on since; conflict where the endpoint is disabled, or has taken
// nothing yet.
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
				list[i], batch.Last = again(tx, w, e, now.Add(time.Duration(n+i)*replaySpread), now), e.ID
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

// replayed is a part of a replay: how many events it has, and the last one.
type replayed struct {
	Webhook mission.Webhook
	N       int
	Last    string
}

// Reseal seals with the first secret key what others sealed, and
// answers how much that was.
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
