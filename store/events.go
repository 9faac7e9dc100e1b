package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

type eventRow struct {
	bun.BaseModel `bun:"table:events,alias:e"`

	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	Type      mission.EventType
	CreatedAt time.Time
	Body      []byte
	Seq       int64
}

// envelope is the event as it is sent (interface, section 2).
type envelope struct {
	ID        string            `json:"id"`
	Type      mission.EventType `json:"type"`
	CreatedAt time.Time         `json:"created_at"`
	Data      any               `json:"data"`
}

// addEvents records events, in their order, to be inserted at the end of the
// transaction.
func (tx Tx) addEvents(_ context.Context, events []mission.Event) error {
	for _, e := range events {
		if _, err := tx.addEvent(e); err != nil {
			return err
		}
	}
	return nil
}

// addEvent records an event to be inserted at the end of the transaction and
// returns its row.
func (tx Tx) addEvent(e mission.Event) (eventRow, error) {
	id := tx.NewID(mission.PrefixEvent, e.CreatedAt)
	body, err := jsonwire.Marshal(envelope{ID: id, Type: e.Type, CreatedAt: e.CreatedAt, Data: e.Data})
	if err != nil {
		return eventRow{}, fmt.Errorf("encode %s: %w", e.Type, err)
	}
	row := eventRow{ID: id, TenantID: e.TenantID, MissionID: e.MissionID, Type: e.Type, CreatedAt: e.CreatedAt, Body: body}
	*tx.events = append(*tx.events, row)
	return row, nil
}

// writeEvents inserts the transaction's events and their deliveries.
func (tx Tx) writeEvents(ctx context.Context) error {
	if len(*tx.events) == 0 {
		return nil
	}
	if err := tx.insertEvents(ctx, *tx.events); err != nil {
		return err
	}
	if err := tx.addDeliveries(ctx, *tx.events); err != nil {
		return err
	}
	counts := map[counterRow]int{}
	for _, e := range *tx.events {
		countEvent(counts, e, 1)
	}
	return tx.addCounters(ctx, counts)
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

// CountEvents returns how many events a filter matches, from a few counter
// rows.
func (db *DB) CountEvents(ctx context.Context, tenantID string, f EventFilter) (n int, err error) {
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

// DropEvents deletes up to limit events from before a time, with their
// deliveries, and returns their number. It locks the rows that it counts until
// they are deleted: concurrent callers delete different events.
func (tx Tx) DropEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	var rows []eventRow
	q := tx.tx.NewSelect().Model(&rows).ExcludeColumn("body").Where("e.created_at < ?", before).
		OrderExpr("e.created_at").Limit(int64(limit))
	if tx.db.dialect.rowLocks() {
		q.For("UPDATE SKIP LOCKED")
	}
	err := q.Scan(ctx)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	ids, counts := make([]string, len(rows)), map[counterRow]int{}
	for i, r := range rows {
		ids[i] = r.ID
		countEvent(counts, r, -1)
	}
	if err := tx.countDropped(ctx, ids, counts); err != nil {
		return 0, err
	}
	if _, err := tx.tx.NewDelete().Model((*eventRow)(nil)).Where("id IN (?)", bun.List(ids)).Exec(ctx); err != nil {
		return 0, err
	}
	if err := tx.addCounters(ctx, counts); err != nil {
		return 0, err
	}
	return len(rows), tx.dropCounters(ctx, counts)
}

// dropCounters deletes the counters of missions and endpoints that are 0:
// nothing else would, once the mission or the endpoint is deleted.
func (tx Tx) dropCounters(ctx context.Context, counts map[counterRow]int) error {
	var tenants, names []string
	for c := range counts {
		if !strings.HasPrefix(c.Name, eventCounter("", "")) && !slices.Contains(names, c.Name) {
			tenants, names = append(tenants, c.TenantID), append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	_, err := tx.tx.NewDelete().Model((*counterRow)(nil)).Where("tenant_id IN (?)", bun.List(tenants)).
		Where("name IN (?)", bun.List(names)).Where("n = 0").Exec(ctx)
	return err
}

func (r eventRow) event() (mission.Event, error) {
	var body struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return mission.Event{}, fmt.Errorf("read the event %s: %w", r.ID, err)
	}
	return mission.Event{
		ID: r.ID, TenantID: r.TenantID, MissionID: r.MissionID, Type: r.Type,
		CreatedAt: mission.Millis(r.CreatedAt), Data: body.Data, Seq: r.Seq,
	}, nil
}

// EventFilter selects events of a tenant; an empty field doesn't filter.
type EventFilter struct {
	Types     []mission.EventType
	MissionID string
}

func (f EventFilter) where(b *binding, q *bun.SelectQuery, tenantID string) *bun.SelectQuery {
	q.Where("e.tenant_id = ?", b.bind(tenantID))
	if f.MissionID != "" {
		q.Where("e.mission_id = ?", b.bind(f.MissionID))
	}
	if len(f.Types) > 0 {
		q.Where("e.type IN (?)", bun.List(f.Types))
	}
	return q
}

var eventsNewest = keyset{table: "events", noun: "event", id: "e.id"}

// Events returns a page of a tenant's events since a time, newest first, and
// whether there are more. Errors: invalid_request without a param if the cursor
// isn't one of the tenant's events.
func (db *DB) Events(ctx context.Context, tenantID string, f EventFilter, since time.Time, p Page) (list []mission.Event, more bool, err error) {
	var rows []eventRow
	b := db.bound()
	q := f.where(b, b.NewSelect().Model(&rows), tenantID).Where("e.created_at >= ?", b.bind(since))
	more, err = readPage(ctx, db, b, q, eventsNewest, tenantID, p, &rows)
	if err != nil {
		return nil, false, err
	}
	list = make([]mission.Event, len(rows))
	for i, r := range rows {
		if list[i], err = r.event(); err != nil {
			return nil, false, err
		}
	}
	return list, more, nil
}

// Event returns a tenant's event. Errors: not_found.
func (db *DB) Event(ctx context.Context, tenantID, id string) (mission.Event, error) {
	var row eventRow
	b := db.bound()
	err := b.NewSelect().Model(&row).Where("e.id = ?", b.bind(id)).Where("e.tenant_id = ?", b.bind(tenantID)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Event{}, mission.NotFound("event", id)
	}
	if err != nil {
		return mission.Event{}, err
	}
	return row.event()
}

// EventsByID returns those of a tenant's events that exist, by id.
func (db *DB) EventsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Event, error) {
	var rows []eventRow
	err := db.read.NewSelect().Model(&rows).Where("e.tenant_id = ?", tenantID).Where("e.id IN (?)", bun.List(ids)).Scan(ctx)
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
	err := db.read.NewSelect().Model(&rows).
		Where("e.tenant_id = ?", tenantID).Where("e.mission_id = ?", missionID).Where("e.id > ?", after).
		OrderExpr("e.id").Limit(int64(limit)).Scan(ctx)
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
