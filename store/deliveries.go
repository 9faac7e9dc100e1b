package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/internal/id"
	"missiond/internal/tracing"
	"missiond/mission"
)

type deliveryRow struct {
	bun.BaseModel `bun:"table:deliveries,alias:d"`
	mission.Delivery
}

func (r deliveryRow) delivery() mission.Delivery { return r.Delivery }

// derivedID returns the SQL that appends, to a prefix, the id of a row derived from an
// event for an endpoint: the event's id with two of its random digits replaced by the
// endpoint's code. Such ids need no round trip and sort by the event's time.
func derivedID(event string) string {
	return ` || substr(` + event + `, 5, 10) || we.code || substr(` + event + `, 17, 14)`
}

// addDeliveries inserts deliveries of a tenant's events to the endpoints that
// subscribe to them, and counts them: in one statement on Postgres, whatever
// their number; in three on SQLite, or one if nobody subscribes. An endpoint's
// delivery task is created, or moved to now if it waits for later.
func (tx Tx) addDeliveries(ctx context.Context, events []eventRow) error {
	ids, last := make([]string, len(events)), map[mission.EventType]string{}
	at := events[0].CreatedAt
	for i, e := range events {
		ids[i], last[e.Type] = e.ID, max(last[e.Type], e.ID)
		if e.CreatedAt.After(at) {
			at = e.CreatedAt
		}
	}
	args := deliveryArgs{IDs: database.In("e.id", ids), Last: database.In("e.id", slices.Sorted(maps.Values(last))), Now: at, Span: tracing.Traceparent(ctx)}
	deliveries := `INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, next_attempt_at, created_at)
		SELECT 'dlv_'` + derivedID("e.id") + `, e.tenant_id, we.webhook_id, e.id, e.type, e.mission_id, 'pending', 0, e.created_at, e.created_at
		FROM events e JOIN webhook_events we ON we.tenant_id = e.tenant_id AND we.type = e.type WHERE ?ids`
	// An endpoint's last event is the last one of its types.
	tasks := upsertDeliveryTasks(`SELECT 'tsk_'` + derivedID("max(e.id)") + ` AS id, we.tenant_id AS tenant_id, we.webhook_id AS webhook_id
		FROM events e JOIN webhook_events we ON we.tenant_id = e.tenant_id AND we.type = e.type
		WHERE ?last GROUP BY we.tenant_id, we.webhook_id, we.code`)
	if tx.db.words.writableCTE {
		return tx.upsertsTasks(ctx, tx.NewRaw("WITH d AS ("+deliveries+" RETURNING tenant_id, webhook_id), t AS ("+tasks+` RETURNING id)
			INSERT INTO counters AS c (tenant_id, name, n)
			SELECT tenant_id, `+pendingCounter+`, count(*) FROM d
			WHERE (SELECT count(*) FROM t) >= 0 -- counters are locked after tasks
			GROUP BY tenant_id, webhook_id ORDER BY webhook_id
			ON CONFLICT (tenant_id, name) DO UPDATE SET n = c.n + EXCLUDED.n`, args))
	}
	var made []struct{ WebhookID string }
	if err := database.Scan(ctx, tx.on, tx.NewRaw(deliveries+" RETURNING webhook_id", args), &made); err != nil || len(made) == 0 {
		return err
	}
	if err := tx.upsertsTasks(ctx, tx.NewRaw(tasks, args)); err != nil {
		return err
	}
	counts := map[counterRow]int{}
	for _, m := range made {
		counts[counterRow{TenantID: events[0].TenantID, Name: deliveryCounter(m.WebhookID, mission.DeliveryPending)}]++
	}
	return tx.addCounters(ctx, counts)
}

type deliveryArgs struct {
	IDs  database.Query `bun:"ids"`
	Last database.Query // of each type's events
	Now  time.Time
	Span string `bun:",nullzero"`
}

// AddDeliveries inserts pending deliveries to one endpoint that don't come with
// a new event: replayed or redelivered ones. Errors: conflict if the event is no longer
// kept.
func (tx Tx) AddDeliveries(ctx context.Context, list []mission.Delivery) error {
	if len(list) == 0 {
		return nil
	}
	if err := tx.checkStored(ctx, list); err != nil {
		return err
	}
	rows := make([]deliveryRow, len(list))
	for i, d := range list {
		rows[i] = deliveryRow{Delivery: d}
	}
	if err := tx.write(ctx, tx.NewInsert().Model(&rows)); err != nil {
		return err
	}
	return tx.countDeliveries(ctx, list[0].TenantID, list[0].WebhookID, "", mission.DeliveryPending, len(list))
}

// DueDelivery is a delivery that is due, with the bytes to send.
type DueDelivery struct {
	mission.Delivery
	Body []byte
}

// DueDeliveries returns up to limit deliveries of an endpoint that are due at
// now, the longest due first.
func (db *DB) DueDeliveries(ctx context.Context, webhookID string, now time.Time, limit int) ([]DueDelivery, error) {
	var rows []struct {
		deliveryRow `bun:",extend"`

		Body []byte
	}
	// Ordered by the index alone: thousands may have become due at the same moment.
	due := db.NewSelect().Model((*deliveryRow)(nil)).
		Where("d.webhook_id = ?", webhookID).Where("d.status = 'pending'").Where("d.next_attempt_at <= ?", now).
		OrderExpr("d.next_attempt_at").Limit(int64(limit))
	err := database.Scan(ctx, db.write, db.NewSelect().ColumnExpr("d.*").Column("e.body").TableExpr("(?) AS d", due).
		Join("JOIN events AS e ON e.id = d.event_id").OrderExpr("d.next_attempt_at, d.id"), &rows)
	list := make([]DueDelivery, len(rows))
	for i, r := range rows {
		list[i] = DueDelivery{Delivery: r.delivery(), Body: r.Body}
	}
	return list, err
}

// LockDeliveries returns those of the deliveries that exist, by id, locked.
func (tx Tx) LockDeliveries(ctx context.Context, ids []string) (map[string]mission.Delivery, error) {
	return findMap(ctx, tx.on, tx.lock(tx.NewSelect()).Where("?", database.In("d.id", ids)).OrderExpr("d.id"), func(r deliveryRow) (string, mission.Delivery) { return r.ID, r.delivery() })
}

// NextDue returns when an endpoint's next delivery is due, or nil if none is
// pending.
func (tx Tx) NextDue(ctx context.Context, webhookID string) (*time.Time, error) {
	var row deliveryRow
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model(&row).Column("next_attempt_at").Where("d.webhook_id = ?", webhookID).
		Where("d.status = 'pending'").OrderExpr("d.next_attempt_at").Limit(1), &row)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return row.NextAttemptAt, err
}

// SetDeliveries updates deliveries, whose earlier values are in before by id,
// and inserts the attempts that were made.
func (tx Tx) SetDeliveries(ctx context.Context, before map[string]mission.Delivery, list []mission.Delivery, attempts []mission.Attempt) error {
	rows, tried := make([]deliveryRow, len(list)), make([]attemptRow, len(attempts))
	for i, d := range list {
		rows[i] = deliveryRow{Delivery: d}
	}
	for i, a := range attempts {
		tried[i] = attemptRow{Attempt: a}
	}
	if len(tried) == 0 {
		return nil
	}
	if err := tx.write(ctx, tx.NewInsert().Model(&tried)); err != nil {
		return err
	}
	err := tx.write(ctx, tx.NewUpdate().Model(&rows).Column("status", "attempts", "next_attempt_at", "completed_at").Bulk())
	if err != nil {
		return err
	}
	moves := map[counterRow]int{}
	for _, d := range list {
		moves[counterRow{TenantID: d.TenantID, Name: deliveryCounter(d.WebhookID, before[d.ID].Status)}]--
		moves[counterRow{TenantID: d.TenantID, Name: deliveryCounter(d.WebhookID, d.Status)}]++
		if d.Status != before[d.ID].Status {
			tx.done.deliveryEnded(d.Status)
		}
		tx.countChange(d.TenantID, mission.ChangeDeliveries)
	}
	return tx.addCounters(ctx, moves)
}

// CancelDeliveries cancels an endpoint's pending deliveries.
func (tx Tx) CancelDeliveries(ctx context.Context, w mission.Webhook, now time.Time) error {
	n, err := tx.changed(ctx, tx.NewUpdate().Model((*deliveryRow)(nil)).Set("status = 'canceled'").
		Set("next_attempt_at = NULL").Set("completed_at = ?", now).
		Where("webhook_id = ?", w.ID).Where("status = 'pending'"))
	if err != nil {
		return err
	}
	return tx.countDeliveries(ctx, w.TenantID, w.ID, mission.DeliveryPending, mission.DeliveryCanceled, n)
}

var deliveriesNewest = keyset{table: "deliveries", noun: "delivery", at: "d.created_at", id: "d.id"}

// Deliveries returns a page of an endpoint's deliveries since a time with a status, or with
// any if it is "", newest first. Errors:
// invalid_request without a param for a foreign cursor.
func (db *DB) Deliveries(ctx context.Context, tenantID, webhookID string, status mission.DeliveryStatus, since time.Time, p Page) (Listed[mission.Delivery], error) {
	q := deliveriesWhere(db.NewSelect(), tenantID, mission.DeliveryFilter{Status: status}, since).Where("d.webhook_id = ?", webhookID)
	return readPart(ctx, db, q, deliveriesNewest, tenantID, p, deliveryRow.delivery)
}

// deliveriesWhere selects a tenant's deliveries since a time that pass a filter.
func deliveriesWhere(q *bun.SelectQuery, tenantID string, f mission.DeliveryFilter, since time.Time) *bun.SelectQuery {
	if since.After(f.From) {
		f.From = since // the index by times ends there; the ids tell which months have them
	}
	q.Where("d.tenant_id = ?", tenantID).Where("d.id >= ?", id.Least(mission.PrefixDelivery, since))
	if f.Status != "" {
		q.Where("d.status = ?", f.Status)
	}
	if f.Type != "" {
		q.Where("d.event_type = ?", f.Type)
	}
	if !f.From.IsZero() {
		q.Where("d.created_at >= ?", f.From)
	}
	if !f.Until.IsZero() {
		q.Where("d.created_at < ?", f.Until)
	}
	return q
}

// Delivery returns a tenant's delivery. Errors: not_found.
func (db *DB) Delivery(ctx context.Context, tenantID, id string) (mission.Delivery, error) {
	return readOne(ctx, db.read, db.NewSelect().Where("d.id = ?", id).Where("d.tenant_id = ?", tenantID), deliveryRow.delivery, "delivery", id)
}

// DeliveriesOf returns a page of the deliveries since a time of each of a tenant's endpoints
// that pass a filter, by the endpoints' ids. Errors: as for Deliveries.
func (db *DB) DeliveriesOf(ctx context.Context, tenantID string, webhookIDs []string, f mission.DeliveryFilter, since time.Time, p Page) (map[string]Listed[mission.Delivery], error) {
	return partsOf(ctx, db, deliveriesNewest, tenantID, p, webhookIDs, func(id any) *bun.SelectQuery {
		return deliveriesWhere(db.NewSelect().Model((*deliveryRow)(nil)), tenantID, f, since).Where("d.webhook_id = ?", id)
	}, deliveryPosition, deliveryRow.delivery)
}

func deliveryPosition(r deliveryRow) position { return position{r.WebhookID, r.CreatedAt, r.ID} }

// LastTrouble returns the newest delivery since a time of each of a tenant's endpoints whose
// last attempt failed, by the endpoints' ids; nothing for endpoints without one.
func (db *DB) LastTrouble(ctx context.Context, tenantID string, webhookIDs []string, since time.Time) (map[string]mission.Delivery, error) {
	parts, err := partsOf(ctx, db, deliveriesNewest, tenantID, Page{Limit: 1}, webhookIDs, func(id any) *bun.SelectQuery {
		return deliveriesWhere(db.NewSelect().Model((*deliveryRow)(nil)), tenantID, mission.DeliveryFilter{}, since).Where("d.webhook_id = ?", id).
			Where("d.attempts > 0").Where("d.status IN ('pending', 'failed')")
	}, deliveryPosition, deliveryRow.delivery)
	last := map[string]mission.Delivery{}
	for id, part := range parts {
		if len(part.List) > 0 {
			last[id] = part.List[0]
		}
	}
	return last, err
}

// DeliveriesByID returns those of a tenant's deliveries that exist, by id.
func (db *DB) DeliveriesByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Delivery, error) {
	return byID(ctx, db, "d", tenantID, ids, deliveryRow.delivery, func(x mission.Delivery) string { return x.ID })
}
