package webhooks

import (
	"context"
	"maps"
	"time"

	"missiond/mission"
	"missiond/store"
)

// Events returns a page of the tenant's events of the last 30 days, newest first.
// Errors: invalid_request.
func (h *Service) Events(
	ctx context.Context, p mission.Principal, f store.EventFilter, page store.Page,
) (listed store.Listed[mission.Event], err error) {
	if err := page.Check(mission.PrefixEvent, "event"); err != nil {
		return listed, err
	}
	if err := CheckEventFilter(f); err != nil {
		return listed, err
	}
	return h.db.Events(ctx, p.TenantID, f, h.since(), page)
}

// CheckEventFilter validates a filter. Errors: invalid_request on type or
// mission_id.
func CheckEventFilter(f store.EventFilter) error {
	if len(f.Types) > len(mission.AllEventTypes()) {
		return mission.Invalid("type", "There are only %d event types.", len(mission.AllEventTypes()))
	}
	if f.MissionID != "" && !mission.HasIDForm(mission.PrefixMission, f.MissionID) {
		return mission.Invalid("mission_id", "No such mission: %q.", f.MissionID)
	}
	return nil
}

// CountEvents returns how many of the tenant's events match a filter.
func (h *Service) CountEvents(ctx context.Context, p mission.Principal, f store.EventFilter) (int, error) {
	return h.db.CountEvents(ctx, p.TenantID, f)
}

// since returns the time from which on events and their deliveries are retained.
func (h *Service) since() time.Time { return h.clock.Now().Add(-mission.EventRetention) }

// Event returns an event of the tenant's. Errors: not_found.
func (h *Service) Event(ctx context.Context, p mission.Principal, id string) (mission.Event, error) {
	if !mission.HasIDForm(mission.PrefixEvent, id) {
		return mission.Event{}, mission.NotFound("event", id)
	}
	e, err := h.db.Event(ctx, p.TenantID, id)
	if err == nil && e.CreatedAt.Before(h.since()) {
		err = mission.NotFound("event", id)
	}
	return e, err
}

// EventsByID returns the tenant's events with the given ids, by id. Ids that don't
// exist are absent.
func (h *Service) EventsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Event, error) {
	found, err := h.db.EventsByID(ctx, p.TenantID, ids)
	since := h.since()
	maps.DeleteFunc(found, func(_ string, e mission.Event) bool { return e.CreatedAt.Before(since) })
	return found, err
}

// expireEvents is how many events expire in one transaction.
const expireEvents = 500

// ExpireEvents lets events that are older than mission.EventRetention expire. Several
// processes may call it concurrently.
func (h *Service) ExpireEvents(ctx context.Context) error {
	for {
		n := 0
		err := h.store.Tx(ctx, func(tx store.Tx) (err error) {
			n, err = tx.ExpireEvents(ctx, h.since(), expireEvents)
			return err
		})
		if err != nil || n < expireEvents {
			return err
		}
	}
}

// EventsOf returns a page of the events of the last 30 days of each mission, newest
// first, by mission id. Errors: invalid_request.
func (h *Service) EventsOf(
	ctx context.Context, p mission.Principal, missionIDs []string, f store.EventFilter, page store.Page,
) (map[string]store.Listed[mission.Event], error) {
	if err := page.Check(mission.PrefixEvent, "event"); err != nil {
		return nil, err
	}
	if err := CheckEventFilter(f); err != nil {
		return nil, err
	}
	return h.db.EventsOf(ctx, p.TenantID, missionIDs, f, h.since(), page)
}

// CountEventsOf returns how many events of each mission are of the given types, or of
// any type if there are none, by mission id.
func (h *Service) CountEventsOf(
	ctx context.Context, p mission.Principal, missionIDs []string, types []mission.EventType,
) (map[string]int, error) {
	return h.db.CountEventsOf(ctx, p.TenantID, missionIDs, types)
}
