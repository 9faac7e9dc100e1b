package webhooks

import (
	"context"
	"errors"
	"maps"
	"time"

	"missiond/internal/admission"
	"missiond/mission"
	"missiond/store"
)

// Deliveries returns a page of an endpoint's deliveries, newest first. Errors:
// invalid_request; not_found.
func (h *Service) Deliveries(
	ctx context.Context, p mission.Principal, webhookID string, status mission.DeliveryStatus, page store.Page,
) (listed store.Listed[mission.Delivery], err error) {
	if err := page.Check(mission.PrefixDelivery, "delivery"); err != nil {
		return listed, err
	}
	if _, err := h.Webhook(ctx, p, webhookID); err != nil {
		return listed, err
	}
	return h.db.Deliveries(ctx, p.TenantID, webhookID, status, h.since(), page)
}

// CountDeliveries returns how many deliveries an endpoint of the tenant's has in a
// status, or in any if it is "".
func (h *Service) CountDeliveries(ctx context.Context, p mission.Principal, webhookID string, status mission.DeliveryStatus) (int, error) {
	return h.db.CountDeliveries(ctx, p.TenantID, webhookID, status)
}

// DeliveryOf returns a delivery to an endpoint of the tenant's, with its
// attempts. Errors: not_found.
func (h *Service) DeliveryOf(ctx context.Context, p mission.Principal, webhookID, id string) (mission.Delivery, []mission.Attempt, error) {
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
func (h *Service) Delivery(ctx context.Context, p mission.Principal, id string) (mission.Delivery, error) {
	if !mission.HasIDForm(mission.PrefixDelivery, id) {
		return mission.Delivery{}, mission.NotFound("delivery", id)
	}
	d, err := h.db.Delivery(ctx, p.TenantID, id)
	if err == nil && d.CreatedAt.Before(h.since()) {
		err = mission.NotFound("delivery", id)
	}
	return d, err
}

// AttemptsOf returns the attempts of the tenant's deliveries, by delivery id. The
// receivers' responses are left out unless the caller may read events: a receiver
// may have sent the event back.
func (h *Service) AttemptsOf(ctx context.Context, p mission.Principal, deliveryIDs []string) (map[string][]mission.Attempt, error) {
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
// yet, or if the event is no longer stored.
func (h *Service) Redeliver(ctx context.Context, p mission.Principal, id string) (d mission.Delivery, err error) {
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
		ID: tx.NewID(mission.PrefixDelivery, now), TenantID: w.TenantID, WebhookID: w.ID, EventID: e.ID,
		EventType: e.Type, MissionID: e.MissionID,
		Status: mission.DeliveryPending, NextAttemptAt: &at, CreatedAt: now,
	}
}

func (h *Service) send(ctx context.Context, tx store.Tx, w mission.Webhook, list []mission.Delivery, now time.Time) error {
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
// invalid_request on since; conflict if the endpoint is disabled, hasn't accepted
// any message yet, or has deliveries of an earlier replay to come; rate_limit_exceeded.
func (h *Service) Replay(
	ctx context.Context, p mission.Principal, id string, since time.Time, undelivered bool,
) (w mission.Webhook, n int, err error) {
	now := h.clock.Now()
	if since.After(now) || since.Before(now.Add(-mission.EventRetention)) {
		return w, 0, mission.Invalid("since", "The time must lie within the last %d days.", int(mission.EventRetention/(24*time.Hour)))
	}
	if err := h.weighReplay(ctx, p, id, mission.Millis(since), now, undelivered); err != nil {
		return w, 0, err
	}
	for after := ""; ; {
		batch, err := changing(ctx, h, p, id, func(tx store.Tx, w mission.Webhook, _ time.Time) (replayed, error) {
			if err := checkReplaying(ctx, tx, w, after == ""); err != nil {
				return replayed{}, err
			}
			events, err := h.db.ReplayEvents(ctx, w, mission.Millis(since), now, after, undelivered, replayBatch)
			if err != nil {
				return replayed{}, err
			}
			if n+len(events) > maxReplay {
				return replayed{}, tooMany()
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

func tooMany() error {
	return mission.Invalid("since", "More than %d events lie since then; choose a later time.", maxReplay)
}

// checkReplaying checks that a replay that begins is an endpoint's only one. Errors: conflict.
func checkReplaying(ctx context.Context, tx store.Tx, w mission.Webhook, begins bool) error {
	if !begins {
		return nil
	}
	if busy, err := tx.Replaying(ctx, w); err != nil || !busy {
		return err
	}
	return mission.Conflict("The endpoint has deliveries of an earlier replay to come; wait until they were attempted.")
}

// weighReplay counts a replay's events, and takes what it weighs from the caller's allowance.
// Errors: not_found; invalid_request on since; rate_limit_exceeded.
func (h *Service) weighReplay(ctx context.Context, p mission.Principal, id string, since, now time.Time, undelivered bool) error {
	w, err := h.Webhook(ctx, p, id)
	if err != nil {
		return err
	}
	n, err := h.db.CountReplay(ctx, w, since, now, undelivered, maxReplay+1)
	if err != nil {
		return err
	}
	if n > maxReplay {
		return tooMany()
	}
	return admission.Weigh(ctx, mission.OpWebhooksReplay, n)
}

// replayed is a batch of a replay: its number of events, and the id of the last.
type replayed struct {
	Webhook mission.Webhook
	N       int
	Last    string
}

// DeliveriesOf returns a page of the deliveries of each endpoint that pass a filter, newest
// first, by endpoint id. Errors: invalid_request.
func (h *Service) DeliveriesOf(
	ctx context.Context, p mission.Principal, webhookIDs []string, f mission.DeliveryFilter, page store.Page,
) (map[string]store.Listed[mission.Delivery], error) {
	if err := errors.Join(f.Check(), page.Check(mission.PrefixDelivery, "delivery")); err != nil {
		return nil, err
	}
	return h.db.DeliveriesOf(ctx, p.TenantID, webhookIDs, f, h.since(), page)
}

// CountDeliveriesOf returns how many deliveries of each endpoint pass a filter, by endpoint
// id.
func (h *Service) CountDeliveriesOf(
	ctx context.Context, p mission.Principal, webhookIDs []string, f mission.DeliveryFilter,
) (map[string]int, error) {
	return h.db.CountDeliveriesOf(ctx, p.TenantID, webhookIDs, f, h.since())
}

// DeliveriesByID returns the tenant's deliveries with the given ids.
func (h *Service) DeliveriesByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Delivery, error) {
	found, err := h.db.DeliveriesByID(ctx, p.TenantID, ids)
	since := h.since()
	maps.DeleteFunc(found, func(_ string, d mission.Delivery) bool { return d.CreatedAt.Before(since) })
	return found, err
}
