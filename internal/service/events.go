package service

import (
	"context"

	"missiond/mission"
	"missiond/store"
)

// Events returns a page of the tenant's events of the last 30 days, newest first,
// and whether there are more. Errors: invalid_request.
func (s *Service) Events(ctx context.Context, p mission.Principal, f store.EventFilter, page store.Page) ([]mission.Event, bool, error) {
	if err := checkPage(page, mission.PrefixEvent, "event"); err != nil {
		return nil, false, err
	}
	if err := CheckEventFilter(f); err != nil {
		return nil, false, err
	}
	return s.db.Events(ctx, p.TenantID, f, s.clock.Now().Add(-mission.EventRetention), page)
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
func (s *Service) CountEvents(ctx context.Context, p mission.Principal, f store.EventFilter) (int, error) {
	return s.db.CountEvents(ctx, p.TenantID, f)
}

// Event returns an event of the tenant's. Errors: not_found.
func (s *Service) Event(ctx context.Context, p mission.Principal, id string) (mission.Event, error) {
	if !mission.HasIDForm(mission.PrefixEvent, id) {
		return mission.Event{}, mission.NotFound("event", id)
	}
	return s.db.Event(ctx, p.TenantID, id)
}

// EventsByID returns the tenant's events with the given ids, by id. Ids that don't
// exist are absent.
func (s *Service) EventsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.Event, error) {
	return s.db.EventsByID(ctx, p.TenantID, ids)
}

// dropEvents is how many old events are removed in one transaction.
const dropEvents = 500

// DropOldEvents removes events that are older than mission.EventRetention.
func (s *Service) DropOldEvents(ctx context.Context) error {
	for {
		n := 0
		err := s.db.Tx(ctx, func(tx store.Tx) (err error) {
			n, err = tx.DropEvents(ctx, s.clock.Now().Add(-mission.EventRetention), dropEvents)
			return err
		})
		if err != nil || n < dropEvents {
			return err
		}
	}
}
