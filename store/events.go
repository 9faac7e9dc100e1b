package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/internal/id"
	"missiond/mission"
)

type eventRow struct {
	bun.BaseModel `bun:"table:events,alias:e"`
	mission.Event

	Body []byte
}

// eventCounter returns the name of the counter of a tenant's events of a type:
// of a mission or, if missionID is "", of all.
func eventCounter(missionID string, t mission.EventType) string {
	return "events:" + missionID + ":" + string(t)
}

// countEvent adds n to the counters of an event.
func countEvent(counts map[counterRow]int, e eventRow, n int) {
	counts[counterRow{TenantID: e.TenantID, Name: eventCounter("", e.Type)}] += n
	if e.MissionID != "" {
		counts[counterRow{TenantID: e.TenantID, Name: eventCounter(e.MissionID, e.Type)}] += n
	}
}

// countedEvents bounds how many events before a time are counted.
const countedEvents = 1000

// CountEvents returns how many events a filter matches, from a few counter
// rows; of those before a time it counts 1,000 at most.
func (db *DB) CountEvents(ctx context.Context, tenantID string, f EventFilter) (n int, err error) {
	if f.Until != nil {
		var ids []string
		q := f.where(db.NewSelect().Model((*eventRow)(nil)).Column("id"), tenantID).OrderExpr("e.id DESC").Limit(countedEvents)
		err := database.Scan(ctx, db.read, q, &ids)
		return len(ids), err
	}
	return db.sumCounters(ctx, tenantID, eventCounters(f.MissionID, f.Types))
}

// eventCounters returns the names of the counters of a tenant's events of the
// given types, or of all types if there are none.
func eventCounters(missionID string, types []mission.EventType) []string {
	if len(types) == 0 {
		types = append(mission.AllEventTypes(), mission.EventWebhookTest)
	}
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = eventCounter(missionID, t)
	}
	return names
}

func (r eventRow) event() (mission.Event, error) {
	var body struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return mission.Event{}, fmt.Errorf("read the event %s: %w", r.ID, err)
	}
	r.Data = body.Data
	return r.Event, nil
}

// showEvent returns event as a function of a row that keeps an error in failed.
func showEvent(failed *error) func(r eventRow) mission.Event {
	return func(r eventRow) mission.Event {
		e, err := r.event()
		if err != nil {
			*failed = err
		}
		return e
	}
}

// EventFilter selects events of a tenant; an empty field doesn't filter.
type EventFilter struct {
	Types     []mission.EventType
	MissionID string
	// Until is the time before which they were made.
	Until *time.Time
}

func (f EventFilter) where(q *bun.SelectQuery, tenantID string) *bun.SelectQuery {
	q.Where("e.tenant_id = ?", tenantID)
	if f.MissionID != "" {
		q.Where("e.mission_id = ?", f.MissionID)
	}
	if len(f.Types) > 0 {
		q.Where("?", database.InConstants("e.type", f.Types))
	}
	if f.Until != nil {
		q.Where("e.id < ?", id.Least(mission.PrefixEvent, *f.Until))
	}
	return q
}

var eventsNewest = keyset{table: "events", noun: "event", id: "e.id"}

// Events returns a page of a tenant's events since a time, newest first. Errors: invalid_request without a param if the cursor
// isn't one of the tenant's events.
func (db *DB) Events(ctx context.Context, tenantID string, f EventFilter, since time.Time, p Page) (Listed[mission.Event], error) {
	var failed error
	q := f.where(db.NewSelect(), tenantID).Where("e.id >= ?", id.Least(mission.PrefixEvent, since))
	part, err := readPart(ctx, db, q, eventsNewest, tenantID, p, showEvent(&failed))
	if err == nil {
		err = failed
	}
	return part, err
}

// Event returns a tenant's event. Errors: not_found.
func (db *DB) Event(ctx context.Context, tenantID, id string) (mission.Event, error) {
	var row eventRow
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&row).Where("e.id = ?", id).Where("e.tenant_id = ?", tenantID), &row)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Event{}, mission.NotFound("event", id)
	}
	if err != nil {
		return mission.Event{}, err
	}
	return row.event()
}

// EventBodies returns the bytes of those of a tenant's events that exist, as they are sent, by id.
func (db *DB) EventBodies(ctx context.Context, tenantID string, ids []string) (map[string][]byte, error) {
	q := db.NewSelect().Where("e.tenant_id = ?", tenantID).Where("?", database.In("e.id", ids))
	return findMap(ctx, db.read, q, func(r eventRow) (string, []byte) { return r.ID, r.Body })
}

// EventsByID returns those of a tenant's events that exist, by id.
func (db *DB) EventsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Event, error) {
	var rows []eventRow
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&rows).Where("e.tenant_id = ?", tenantID).Where("?", database.In("e.id", ids)), &rows)
	if err != nil {
		return nil, err
	}
	found := make(map[string]mission.Event, len(rows))
	for _, r := range rows {
		if found[r.ID], err = r.event(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// MissionEvents returns up to limit events of a mission, oldest first; if after
// isn't "", only those after that id.
func (db *DB) MissionEvents(ctx context.Context, tenantID, missionID, after string, limit int) ([]mission.Event, error) {
	var rows []eventRow
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&rows).
		Where("e.tenant_id = ?", tenantID).Where("e.mission_id = ?", missionID).Where("e.id > ?", after).
		OrderExpr("e.id").Limit(int64(limit)), &rows)
	if err != nil {
		return nil, err
	}
	events := make([]mission.Event, len(rows))
	for i, r := range rows {
		if events[i], err = r.event(); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// EventsOf returns a page of the events since a time of each of a tenant's
// missions, by the missions' ids; f has no mission. Errors: as for Events.
func (db *DB) EventsOf(ctx context.Context, tenantID string, missionIDs []string, f EventFilter, since time.Time, p Page) (map[string]Listed[mission.Event], error) {
	var failed error
	least := id.Least(mission.PrefixEvent, since)
	parts, err := partsOf(ctx, db, eventsNewest, tenantID, p, missionIDs, func(id any) *bun.SelectQuery {
		return f.where(db.NewSelect().Model((*eventRow)(nil)), tenantID).Where("e.mission_id = ?", id).Where("e.id >= ?", least)
	}, func(r eventRow) position { return position{r.MissionID, r.CreatedAt, r.ID} }, showEvent(&failed))
	if err == nil {
		err = failed
	}
	return parts, err
}

// CountEventsOf returns how many events of the given types, or of all if there
// are none, each of a tenant's missions has.
func (db *DB) CountEventsOf(ctx context.Context, tenantID string, missionIDs []string, types []mission.EventType) (map[string]int, error) {
	owners := map[string]string{}
	for _, id := range missionIDs {
		for _, name := range eventCounters(id, types) {
			owners[name] = id
		}
	}
	return db.countersOf(ctx, tenantID, missionIDs, owners)
}

// Replaying reports whether an endpoint has deliveries of a replay that haven't been
// attempted. Those are due after they were created; what is retried has been attempted.
func (tx Tx) Replaying(ctx context.Context, w mission.Webhook) (bool, error) {
	return database.Exists(ctx, tx.on, tx.NewSelect().Model((*deliveryRow)(nil)).Where("d.webhook_id = ?", w.ID).Where("d.status = 'pending'").
		Where("d.next_attempt_at > d.created_at").Where("d.attempts = 0"))
}

// CountReplay returns how many events ReplayEvents has in all, at most limit.
func (db *DB) CountReplay(ctx context.Context, w mission.Webhook, from, until time.Time, undelivered bool, limit int) (int, error) {
	found := db.replayed(w, from, until, "", undelivered, limit).Model((*eventRow)(nil)).ColumnExpr("1")
	return database.Count(ctx, db.read, db.NewSelect().TableExpr("(?) AS found", found))
}

// replayed returns the query of the events of ReplayEvents.
func (db *DB) replayed(w mission.Webhook, from, until time.Time, after string, undelivered bool, limit int) *bun.SelectQuery {
	q := db.NewSelect().Where("e.tenant_id = ?", w.TenantID).Where("e.id > ?", max(after, id.Least(mission.PrefixEvent, from))).
		Where("e.created_at <= ?", until).Where("?", database.In("e.type", w.Events)).Limit(int64(limit))
	if undelivered {
		// A subquery of one row, unlike NOT EXISTS, is never made a join that reads all deliveries.
		q.Where("(SELECT 1 FROM deliveries x WHERE x.event_id = e.id AND x.id >= ? AND x.webhook_id = ? AND x.status IN ('delivered', 'pending') LIMIT 1) IS NULL",
			id.Least(mission.PrefixDelivery, from), w.ID)
	}
	return q
}

// ReplayEvents returns up to limit events that an endpoint subscribes to,
// between two times, oldest first; if after isn't "", only those after that id.
// With undelivered it leaves out events with a delivery to the endpoint that is
// pending or delivered.
func (db *DB) ReplayEvents(ctx context.Context, w mission.Webhook, from, until time.Time, after string, undelivered bool, limit int) ([]mission.Event, error) {
	var rows []eventRow
	q := db.replayed(w, from, until, after, undelivered, limit).Model(&rows).Column("id", "tenant_id", "mission_id", "type", "created_at").OrderExpr("e.id")
	if err := database.Scan(ctx, db.read, q, &rows); err != nil {
		return nil, err
	}
	events := make([]mission.Event, len(rows))
	for i, r := range rows {
		events[i] = r.Event
	}
	return events, nil
}
