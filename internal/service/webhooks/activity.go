package webhooks

import (
	"context"
	"net/http"

	"missiond/mission"
	"missiond/store"
)

// ActivityOf returns how the deliveries of the last hours of each of the tenant's endpoints went, by
// endpoint id. Errors: invalid_request on hours.
func (h *Service) ActivityOf(ctx context.Context, p mission.Principal, webhookIDs []string, hours int) (map[string]mission.WebhookActivity, error) {
	from, err := mission.ActivityFrom(hours, h.clock.Now())
	if err != nil {
		return nil, err
	}
	return h.db.ActivityOf(ctx, p.TenantID, webhookIDs, from)
}

// UndeliveredOf returns the events of the last 30 days that each endpoint didn't accept, by endpoint
// id; nothing for endpoints without any.
func (h *Service) UndeliveredOf(ctx context.Context, p mission.Principal, webhookIDs []string) (map[string]mission.UndeliveredEvents, error) {
	return h.db.UndeliveredOf(ctx, p.TenantID, webhookIDs, h.since())
}

// LastErrors returns the last attempt of each endpoint's newest delivery whose last attempt
// failed, by endpoint id; nothing for endpoints without one.
func (h *Service) LastErrors(ctx context.Context, p mission.Principal, webhookIDs []string) (map[string]mission.Attempt, error) {
	troubled, err := h.db.LastTrouble(ctx, p.TenantID, webhookIDs, h.since())
	if err != nil {
		return nil, err
	}
	return h.lastAttempts(ctx, p, troubled)
}

// LastAttempts returns the last attempt of each endpoint's newest delivery that was accepted, or whose
// last attempt failed, whichever was later; nothing for endpoints without one.
func (h *Service) LastAttempts(ctx context.Context, p mission.Principal, webhookIDs []string) (map[string]mission.Attempt, error) {
	accepted, err := h.db.DeliveriesOf(ctx, p.TenantID, webhookIDs, mission.DeliveryFilter{Status: mission.DeliveryDelivered}, h.since(), store.Page{Limit: 1})
	if err != nil {
		return nil, err
	}
	newest := map[string]mission.Delivery{}
	for id, part := range accepted {
		if len(part.List) > 0 {
			newest[id] = part.List[0]
		}
	}
	last, err := h.lastAttempts(ctx, p, newest)
	if err != nil {
		return nil, err
	}
	failed, err := h.LastErrors(ctx, p, webhookIDs)
	for id, a := range failed {
		if a.At.After(last[id].At) {
			last[id] = a
		}
	}
	return last, err
}

// lastAttempts returns the last attempts of deliveries, by the keys of those.
func (h *Service) lastAttempts(ctx context.Context, p mission.Principal, of map[string]mission.Delivery) (map[string]mission.Attempt, error) {
	last := map[string]mission.Attempt{}
	if len(of) == 0 {
		return last, nil
	}
	var ids []string
	for _, d := range of {
		ids = append(ids, d.ID)
	}
	attempts, err := h.AttemptsOf(ctx, p, ids)
	for id, d := range of {
		if made := attempts[d.ID]; len(made) > 0 {
			last[id] = made[len(made)-1]
		}
	}
	return last, err
}

// Request is what an attempt to deliver an event sends.
type Request struct {
	Header http.Header
	Body   []byte
}

// RequestsOf returns what attempts to make the tenant's deliveries would send now, signed at this
// moment, by delivery id; nothing for those whose event is no longer stored.
func (h *Service) RequestsOf(ctx context.Context, p mission.Principal, deliveryIDs []string) (map[string]Request, error) {
	deliveries, err := h.DeliveriesByID(ctx, p, deliveryIDs)
	if err != nil {
		return nil, err
	}
	var endpoints, events []string
	for _, d := range deliveries {
		endpoints, events = append(endpoints, d.WebhookID), append(events, d.EventID)
	}
	hooks, err := h.WebhooksByID(ctx, p, endpoints)
	if err != nil {
		return nil, err
	}
	bodies, err := h.db.EventBodies(ctx, p.TenantID, events)
	if err != nil {
		return nil, err
	}
	now, requests := h.clock.Now(), map[string]Request{}
	for id, d := range deliveries {
		w, ok := hooks[d.WebhookID]
		body, stored := bodies[d.EventID]
		if !ok || !stored {
			continue
		}
		signs, err := h.signing(w, now)
		if err != nil {
			return nil, err
		}
		requests[id] = Request{signs.message(w, store.DueDelivery{Delivery: d, Body: body}).Headers(now), body}
	}
	return requests, nil
}
