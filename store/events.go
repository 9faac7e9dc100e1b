package store

import (
	"context"
	"encoding/json"
	"fmt"
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
}

// envelope is the event as it is sent (interface, section 2).
type envelope struct {
	ID        string            `json:"id"`
	Type      mission.EventType `json:"type"`
	CreatedAt time.Time         `json:"created_at"`
	Data      any               `json:"data"`
}

// addEvents writes events to the log, in their order.
func (tx Tx) addEvents(ctx context.Context, events []mission.Event) error {
	if len(events) == 0 {
		return nil
	}
	rows := make([]eventRow, len(events))
	for i, e := range events {
		id := tx.NewID(mission.PrefixEvent, e.CreatedAt)
		body, err := jsonwire.Marshal(envelope{ID: id, Type: e.Type, CreatedAt: e.CreatedAt, Data: e.Data})
		if err != nil {
			return fmt.Errorf("encode %s: %w", e.Type, err)
		}
		rows[i] = eventRow{ID: id, TenantID: e.TenantID, MissionID: e.MissionID, Type: e.Type, CreatedAt: e.CreatedAt, Body: body}
	}
	_, err := tx.tx.NewInsert().Model(&rows).Exec(ctx)
	return err
}

// MissionEvents answers up to limit events of a mission, oldest first, those
// after the id given where it isn't "".
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
		var body struct {
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			return nil, fmt.Errorf("read the event %s: %w", r.ID, err)
		}
		events[i] = mission.Event{
			ID: r.ID, TenantID: r.TenantID, MissionID: r.MissionID, Type: r.Type,
			CreatedAt: mission.Millis(r.CreatedAt), Data: body.Data,
		}
	}
	return events, nil
}
