package webhooks

import (
	"cmp"
	"context"
	"slices"

	"missiond/mission"
	"missiond/store"
)

// Attention returns the tenant's endpoints that need a person: those that are failing, and those
// that were disabled because their receivers want no more events. Callers without the scope
// integrations:read see none.
func (h *Service) Attention(ctx context.Context, p mission.Principal) ([]mission.Attention, error) {
	if !p.Has(mission.ScopeIntegrationsRead) {
		return nil, nil
	}
	part, err := h.db.Webhooks(ctx, p.TenantID, store.Page{Limit: mission.MaxWebhooks})
	if err != nil {
		return nil, err
	}
	var failing, disabled []mission.Webhook
	for _, w := range part.List {
		switch {
		case !w.Enabled:
			disabled = append(disabled, w)
		case w.Status == mission.WebhookFailing:
			failing = append(failing, w)
		}
	}
	items, err := h.needing(ctx, p, failing, mission.DeliveryFilter{})
	if err != nil {
		return nil, err
	}
	others, err := h.needing(ctx, p, disabled, mission.DeliveryFilter{Status: mission.DeliveryFailed})
	if items = append(items, others...); err != nil || len(items) == 0 {
		return nil, err
	}
	slices.SortFunc(items, func(a, b mission.AttentionItem) int {
		return cmp.Or(b.Since.Compare(*a.Since), cmp.Compare(b.Webhook.ID, a.Webhook.ID))
	})
	return []mission.Attention{mission.NewAttention(mission.AttentionWebhook, len(items), items)}, nil
}

// needing returns those of the endpoints that need a person, as their latest deliveries that pass a
// filter say.
func (h *Service) needing(ctx context.Context, p mission.Principal, list []mission.Webhook, f mission.DeliveryFilter) (items []mission.AttentionItem, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	ids := make([]string, len(list))
	for i, w := range list {
		ids[i] = w.ID
	}
	latest, err := h.db.DeliveriesOf(ctx, p.TenantID, ids, f, h.since(), store.Page{Limit: mission.AttentionDeliveries})
	for _, w := range list {
		if item, ok := w.NeedsPerson(latest[w.ID].List); ok {
			items = append(items, item)
		}
	}
	return items, err
}
