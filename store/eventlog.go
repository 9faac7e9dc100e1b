package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"missiond/internal/database"
	"missiond/internal/jsonwire"
	"missiond/mission"
)

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
	e.ID = tx.NewID(mission.PrefixEvent, e.CreatedAt)
	body, err := jsonwire.Marshal(envelope{ID: e.ID, Type: e.Type, CreatedAt: e.CreatedAt, Data: e.Data})
	if err != nil {
		return eventRow{}, fmt.Errorf("encode %s: %w", e.Type, err)
	}
	row := eventRow{Event: e, Body: body}
	tx.done.events = append(tx.done.events, row)
	if at, ok := e.Type.TellAt(e.CreatedAt); ok {
		tx.done.waiting[e.MissionID] = mission.Task{
			TenantID: e.TenantID, MissionID: e.MissionID, Type: mission.TaskReviewTell, Queue: mission.TaskReviewTell.Plan().Queue,
			Subject: e.MissionID, RunAt: at, State: mission.TaskWaiting, CreatedAt: e.CreatedAt,
		}
	}
	return row, nil
}

// AddTestEvent records a webhook.test event, which nobody subscribes to, and
// returns what is sent of it.
func (tx Tx) AddTestEvent(w mission.Webhook, now time.Time) (DueDelivery, error) {
	row, err := tx.addEvent(mission.Event{
		TenantID: w.TenantID, Type: mission.EventWebhookTest, CreatedAt: now, Data: map[string]string{"webhook_id": w.ID},
	})
	return DueDelivery{Delivery: mission.Delivery{EventID: row.ID}, Body: row.Body}, err
}

// writeEvents inserts the transaction's events, counts them, and inserts their
// deliveries.
func (tx Tx) writeEvents(ctx context.Context) error {
	if len(tx.done.events) == 0 {
		return nil
	}
	if err := tx.insertEvents(ctx, tx.done.events); err != nil {
		return err
	}
	if err := tx.addDeliveries(ctx, tx.done.events); err != nil {
		return err
	}
	counts := map[counterRow]int{}
	for _, e := range tx.done.events {
		countEvent(counts, e, 1)
	}
	return tx.addCounters(ctx, counts)
}

// counterSeq counts all events that a tenant ever had, which is the seq of the
// last one.
const counterSeq = "event_seq"

// insertEvents inserts events of a tenant with their seqs in its log. From here
// to its end the transaction keeps others from taking a seq, so seqs are
// committed in order.
func (tx Tx) insertEvents(ctx context.Context, events []eventRow) error {
	const take = `INSERT INTO counters (tenant_id, name, n) VALUES (?, ?, ?)
		ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + EXCLUDED.n RETURNING n`
	args := []any{events[0].TenantID, counterSeq, database.Int(len(events))}
	if !tx.db.words.writableCTE {
		var last int64
		if err := database.Scan(ctx, tx.on, tx.NewRaw(take, args...), &last); err != nil {
			return err
		}
		for i := range events {
			events[i].Seq = last - int64(len(events)-1-i)
		}
		return tx.write(ctx, tx.NewInsert().Model(&events))
	}
	rows := make([]string, len(events))
	for i, e := range events {
		rows[i] = "(?, ?, ?, ?, ?, ?, (SELECT n FROM taken) - ?)"
		args = append(args, e.ID, e.TenantID, e.MissionID, e.Type, e.CreatedAt, e.Body, database.Int(len(events)-1-i))
	}
	return tx.write(ctx, tx.NewRaw("WITH taken AS ("+take+") INSERT INTO events (id, tenant_id, mission_id, type, created_at, body, seq) VALUES "+
		strings.Join(rows, ", "), args...))
}

// lockLog keeps a tenant's events from being written until the transaction ends.
// It waits for those transactions that are writing some. Without a tenant it does
// nothing.
func (tx Tx) lockLog(ctx context.Context, tenantID string) error {
	if tenantID == "" {
		return nil
	}
	return tx.write(ctx, tx.NewInsert().Model(&counterRow{TenantID: tenantID, Name: counterSeq}).
		On("CONFLICT (tenant_id, name) DO UPDATE").Set("n = c.n"))
}

// EventSeq returns the seq of a tenant's event. Errors: invalid_request for
// after if it isn't one of the tenant's events.
func (db *DB) EventSeq(ctx context.Context, tenantID, id string) (seq int64, err error) {
	err = database.Scan(ctx, db.read, db.NewSelect().Model((*eventRow)(nil)).Column("seq").Where("e.id = ?", id).Where("e.tenant_id = ?", tenantID), &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, mission.Invalid("after", "Invalid cursor %q: there is no event with this id, or it is no longer kept.", id)
	}
	return seq, err
}

// EventsBetween returns the events of a tenant that match a filter, with seqs
// above one and up to another, in order of seq.
func (db *DB) EventsBetween(ctx context.Context, tenantID string, above, upTo int64, f EventFilter) ([]mission.Event, error) {
	var rows []eventRow
	q := f.where(db.NewSelect().Model(&rows), tenantID).Where("e.seq > ?", database.Int(above)).Where("e.seq <= ?", database.Int(upTo))
	if err := database.Scan(ctx, db.read, q.OrderExpr("e.seq"), &rows); err != nil {
		return nil, err
	}
	events := make([]mission.Event, len(rows))
	for i, r := range rows {
		var err error
		if events[i], err = r.event(); err != nil {
			return nil, err
		}
	}
	return events, nil
}
