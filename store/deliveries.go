package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type deliveryRow struct {
	bun.BaseModel `bun:"table:deliveries,alias:d"`

	ID            string `bun:",pk"`
	TenantID      string
	WebhookID     string
	EventID       string
	EventType     mission.EventType
	MissionID     string
	Status        mission.DeliveryStatus
	Attempts      int
	NextAttemptAt *time.Time
	CreatedAt     time.Time
	CompletedAt   *time.Time
}

func newDeliveryRow(d mission.Delivery) deliveryRow {
	return deliveryRow{
		ID: d.ID, TenantID: d.TenantID, WebhookID: d.WebhookID, EventID: d.EventID, EventType: d.EventType, MissionID: d.MissionID,
		Status: d.Status, Attempts: d.Attempts, NextAttemptAt: d.NextAttemptAt, CreatedAt: d.CreatedAt, CompletedAt: d.CompletedAt,
	}
}

func (r deliveryRow) delivery() mission.Delivery {
	return mission.Delivery{
		ID: r.ID, TenantID: r.TenantID, WebhookID: r.WebhookID, EventID: r.EventID, EventType: r.EventType, MissionID: r.MissionID,
		Status: r.Status, Attempts: r.Attempts, NextAttemptAt: utc(r.NextAttemptAt), CreatedAt: mission.Millis(r.CreatedAt), CompletedAt: utc(r.CompletedAt),
	}
}

// derivedID builds, in SQL, the id of a row derived from an event for an
// endpoint: the event's id with two of its random digits replaced by the
// endpoint's code. Such ids need no round trip and sort by the event's time.
const derivedID = ` || substr(e.id, 5, 10) || we.code || substr(e.id, 17, 14)`

// addDeliveries inserts deliveries of a tenant's events to the endpoints that
// subscribe to them, and counts them: in one statement on Postgres, whatever
// their number; in three on SQLite, or one if nobody subscribes. An endpoint's
// delivery task is created, or moved to now if it waits for later.
func (tx Tx) addDeliveries(ctx context.Context, events []eventRow) error {
	ids := make([]string, len(events))
	at := events[0].CreatedAt
	for i, e := range events {
		ids[i] = e.ID
		if e.CreatedAt.After(at) {
			at = e.CreatedAt
		}
	}
	args := deliveryArgs{IDs: bun.List(ids), Now: at}
	deliveries := `INSERT INTO deliveries (id, tenant_id, webhook_id, event_id, event_type, mission_id, status, attempts, next_attempt_at, created_at)
		SELECT 'dlv_'` + derivedID + `, e.tenant_id, we.webhook_id, e.id, e.type, e.mission_id, 'pending', 0, e.created_at, e.created_at
		FROM events e JOIN webhook_events we ON we.tenant_id = e.tenant_id AND we.type = e.type WHERE e.id IN (?ids)`
	tasks := upsertDeliveryTasks(`SELECT 'tsk_'` + derivedID + ` AS id, e.tenant_id AS tenant_id, we.webhook_id AS webhook_id
		FROM events e JOIN webhook_events we ON we.tenant_id = e.tenant_id AND we.type = e.type
		WHERE e.id IN (?ids) AND e.id = (SELECT max(x.id) FROM events x JOIN webhook_events wx ON wx.tenant_id = x.tenant_id AND wx.type = x.type
			WHERE x.id IN (?ids) AND wx.webhook_id = we.webhook_id)`)
	if tx.db.dialect.writableCTE() {
		return tx.wroteTasks(tx.tx.NewRaw("WITH d AS ("+deliveries+" RETURNING tenant_id, webhook_id), t AS ("+tasks+` RETURNING id)
			INSERT INTO counters AS c (tenant_id, name, n)
			SELECT tenant_id, `+pendingCounter+`, count(*) FROM d
			WHERE (SELECT count(*) FROM t) >= 0 -- counters are locked after tasks
			GROUP BY tenant_id, webhook_id ORDER BY webhook_id
			ON CONFLICT (tenant_id, name) DO UPDATE SET n = c.n + EXCLUDED.n`, args).Exec(ctx))
	}
	var made []struct{ WebhookID string }
	if err := tx.tx.NewRaw(deliveries+" RETURNING webhook_id", args).Scan(ctx, &made); err != nil || len(made) == 0 {
		return err
	}
	if err := tx.wroteTasks(tx.tx.NewRaw(tasks, args).Exec(ctx)); err != nil {
		return err
	}
	counts := map[counterRow]int{}
	for _, m := range made {
		counts[counterRow{TenantID: events[0].TenantID, Name: deliveryCounter(m.WebhookID, mission.DeliveryPending)}]++
	}
	return tx.addCounters(ctx, counts)
}

type deliveryArgs struct {
	IDs bun.ListValues `bun:"ids"`
	Now time.Time
}

// upsertDeliveryTasks returns an INSERT that creates the delivery tasks of rows
// (id, tenant, endpoint), or moves existing ones to now. It locks them in one
// order.
func upsertDeliveryTasks(rows string) string {
	return `INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
		SELECT p.id, p.tenant_id, '', 'webhook:deliver', 'webhooks', p.webhook_id, 0, ?now, ?now, 'waiting', '', 0, 0, 0, 0, ?now
		FROM (` + rows + `) AS p WHERE true ORDER BY p.webhook_id
		ON CONFLICT (subject) WHERE type = 'webhook:deliver' DO UPDATE SET
			ring_at = CASE WHEN tasks.run_at > EXCLUDED.run_at THEN EXCLUDED.ring_at ELSE tasks.ring_at END,
			run_at = CASE WHEN tasks.run_at > EXCLUDED.run_at THEN EXCLUDED.run_at ELSE tasks.run_at END`
}

// wroteTasks notes a statement that may have written tasks, so that the
// dispatcher is woken after the commit.
func (tx Tx) wroteTasks(res sql.Result, err error) error {
	if err == nil {
		*tx.taskWrites = append(*tx.taskWrites, res)
	}
	return err
}

// RunDeliveryTask runs an endpoint's delivery task at a time: it creates the
// task, or moves it to that time if it waits for later.
func (tx Tx) RunDeliveryTask(ctx context.Context, w mission.Webhook, at time.Time) error {
	return tx.wroteTasks(tx.tx.NewRaw(upsertDeliveryTasks(`SELECT ?id AS id, ?tenant AS tenant_id, ?webhook AS webhook_id`), deliveryTaskArgs{
		ID: tx.NewID(mission.PrefixTask, at), Tenant: w.TenantID, Webhook: w.ID, Now: at,
	}).Exec(ctx))
}

type deliveryTaskArgs struct {
	ID, Tenant, Webhook string
	Now                 time.Time
}

// AddDeliveries inserts pending deliveries to one endpoint that don't come with
// a new event: replayed or redelivered ones.
func (tx Tx) AddDeliveries(ctx context.Context, list []mission.Delivery) error {
	if len(list) == 0 {
		return nil
	}
	rows := make([]deliveryRow, len(list))
	for i, d := range list {
		rows[i] = newDeliveryRow(d)
	}
	if _, err := tx.insert().Model(&rows).Exec(ctx); err != nil {
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
	b := db.boundWrite()
	// Ordered by the index alone: thousands may have become due at the same moment.
	due := b.NewSelect().Model((*deliveryRow)(nil)).
		Where("d.webhook_id = ?", b.bind(webhookID)).Where("d.status = 'pending'").Where("d.next_attempt_at <= ?", b.bind(now)).
		OrderExpr("d.next_attempt_at").Limit(int64(limit))
	err := b.NewSelect().ColumnExpr("d.*").Column("e.body").TableExpr("(?) AS d", due).
		Join("JOIN events AS e ON e.id = d.event_id").OrderExpr("d.next_attempt_at, d.id").Scan(ctx, &rows)
	list := make([]DueDelivery, len(rows))
	for i, r := range rows {
		list[i] = DueDelivery{Delivery: r.delivery(), Body: r.Body}
	}
	return list, err
}

// LockDeliveries returns those of the deliveries that exist, by id, locked.
func (tx Tx) LockDeliveries(ctx context.Context, ids []string) (map[string]mission.Delivery, error) {
	var rows []deliveryRow
	b := tx.bound()
	err := tx.lock(b.NewSelect()).Model(&rows).Where(b.among("d.id", ids)).OrderExpr("d.id").Scan(ctx)
	found := make(map[string]mission.Delivery, len(rows))
	for _, r := range rows {
		found[r.ID] = r.delivery()
	}
	return found, err
}

// NextDue returns when an endpoint's next delivery is due, or nil if none is
// pending.
func (tx Tx) NextDue(ctx context.Context, webhookID string) (*time.Time, error) {
	var row deliveryRow
	b := tx.bound()
	err := b.NewSelect().Model(&row).Column("next_attempt_at").Where("d.webhook_id = ?", b.bind(webhookID)).
		Where("d.status = 'pending'").OrderExpr("d.next_attempt_at").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return utc(row.NextAttemptAt), err
}

// SetDeliveries updates deliveries, whose earlier values are in before by id,
// and inserts the attempts that were made.
func (tx Tx) SetDeliveries(ctx context.Context, before map[string]mission.Delivery, list []mission.Delivery, attempts []mission.Attempt) error {
	rows, tried := make([]deliveryRow, len(list)), make([]attemptRow, len(attempts))
	for i, d := range list {
		rows[i] = newDeliveryRow(d)
	}
	for i, a := range attempts {
		tried[i] = attemptRow{
			DeliveryID: a.DeliveryID, Number: a.Number, At: a.At, StatusCode: a.StatusCode, DurationMS: a.DurationMS, Error: a.Error, Response: a.Response,
		}
	}
	if len(tried) == 0 {
		return nil
	}
	if _, err := tx.insert().Model(&tried).Exec(ctx); err != nil {
		return err
	}
	_, err := tx.tx.NewUpdate().Model(&rows).Column("status", "attempts", "next_attempt_at", "completed_at").Bulk().Exec(ctx)
	if err != nil {
		return err
	}
	moves := map[counterRow]int{}
	for _, d := range list {
		moves[counterRow{TenantID: d.TenantID, Name: deliveryCounter(d.WebhookID, before[d.ID].Status)}]--
		moves[counterRow{TenantID: d.TenantID, Name: deliveryCounter(d.WebhookID, d.Status)}]++
	}
	return tx.addCounters(ctx, moves)
}

// CancelDeliveries cancels an endpoint's pending deliveries.
func (tx Tx) CancelDeliveries(ctx context.Context, w mission.Webhook, now time.Time) error {
	res, err := tx.tx.NewUpdate().Model((*deliveryRow)(nil)).Set("status = ?", mission.DeliveryCanceled).
		Set("next_attempt_at = NULL").Set("completed_at = ?", now).
		Where("webhook_id = ?", w.ID).Where("status = 'pending'").Exec(ctx)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	return tx.countDeliveries(ctx, w.TenantID, w.ID, mission.DeliveryPending, mission.DeliveryCanceled, int(n))
}

type attemptRow struct {
	bun.BaseModel `bun:"table:delivery_attempts,alias:da"`

	DeliveryID string `bun:",pk"`
	Number     int    `bun:",pk"`
	At         time.Time
	StatusCode int
	DurationMS int64 `bun:"duration_ms"`
	Error      string
	Response   string
}

func (r attemptRow) attempt() mission.Attempt {
	return mission.Attempt{
		DeliveryID: r.DeliveryID, Number: r.Number, At: mission.Millis(r.At), StatusCode: r.StatusCode, DurationMS: r.DurationMS,
		Error: r.Error, Response: r.Response,
	}
}

var deliveriesNewest = keyset{table: "deliveries", noun: "delivery", at: "d.created_at", id: "d.id"}

// Deliveries returns a page of an endpoint's deliveries with a status, or with
// any if it is "", newest first, and whether there are more. Errors:
// invalid_request without a param for a foreign cursor.
func (db *DB) Deliveries(ctx context.Context, tenantID, webhookID string, status mission.DeliveryStatus, p Page) (list []mission.Delivery, more bool, err error) {
	var rows []deliveryRow
	b := db.bound()
	q := deliveriesWhere(b, b.NewSelect().Model(&rows), tenantID, status).Where("d.webhook_id = ?", b.bind(webhookID))
	more, err = readPage(ctx, db, b, q, deliveriesNewest, tenantID, p, &rows)
	if err != nil {
		return nil, false, err
	}
	list = make([]mission.Delivery, len(rows))
	for i, r := range rows {
		list[i] = r.delivery()
	}
	return list, more, nil
}

func deliveriesWhere(b *binding, q *bun.SelectQuery, tenantID string, status mission.DeliveryStatus) *bun.SelectQuery {
	q.Where("d.tenant_id = ?", b.bind(tenantID))
	if status != "" {
		q.Where("d.status = ?", b.bind(status))
	}
	return q
}

// Delivery returns a tenant's delivery. Errors: not_found.
func (db *DB) Delivery(ctx context.Context, tenantID, id string) (mission.Delivery, error) {
	var row deliveryRow
	err := db.read.NewSelect().Model(&row).Where("d.id = ?", id).Where("d.tenant_id = ?", tenantID).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Delivery{}, mission.NotFound("delivery", id)
	}
	return row.delivery(), err
}

// AttemptsOf returns the attempts of a tenant's deliveries, in order, by the
// deliveries' ids.
func (db *DB) AttemptsOf(ctx context.Context, tenantID string, deliveryIDs []string) (map[string][]mission.Attempt, error) {
	var rows []attemptRow
	err := db.read.NewSelect().Model(&rows).Join("JOIN deliveries AS d ON d.id = da.delivery_id").Where("d.tenant_id = ?", tenantID).
		Where("da.delivery_id IN (?)", bun.List(deliveryIDs)).OrderExpr("da.delivery_id, da.number").Scan(ctx)
	attempts := make(map[string][]mission.Attempt, len(deliveryIDs))
	for _, id := range deliveryIDs {
		attempts[id] = nil
	}
	for _, r := range rows {
		attempts[r.DeliveryID] = append(attempts[r.DeliveryID], r.attempt())
	}
	return attempts, err
}

// AddTestEvent records a webhook.test event, which nobody subscribes to, and
// returns what is sent of it.
func (tx Tx) AddTestEvent(w mission.Webhook, now time.Time) (DueDelivery, error) {
	row, err := tx.addEvent(mission.Event{
		TenantID: w.TenantID, Type: mission.EventWebhookTest, CreatedAt: now, Data: map[string]string{"webhook_id": w.ID},
	})
	return DueDelivery{Delivery: mission.Delivery{EventID: row.ID}, Body: row.Body}, err
}

// ReplayEvents returns up to limit events that an endpoint subscribes to,
// between two times, oldest first; if after isn't "", only those after that id.
// With undelivered it leaves out events with a delivery to the endpoint that is
// pending or delivered.
func (db *DB) ReplayEvents(ctx context.Context, w mission.Webhook, from, until time.Time, after string, undelivered bool, limit int) ([]mission.Event, error) {
	var rows []eventRow
	q := db.read.NewSelect().Model(&rows).Where("e.tenant_id = ?", w.TenantID).Where("e.id > ?", after).
		Where("e.created_at >= ?", from).Where("e.created_at <= ?", until).Where("e.type IN (?)", bun.List(w.Events)).
		OrderExpr("e.id").Limit(int64(limit))
	if undelivered {
		q.Where("NOT EXISTS (SELECT 1 FROM deliveries x WHERE x.event_id = e.id AND x.webhook_id = ? AND x.status IN ('delivered', 'pending'))", w.ID)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	events := make([]mission.Event, len(rows))
	for i, r := range rows {
		events[i] = mission.Event{ID: r.ID, TenantID: r.TenantID, MissionID: r.MissionID, Type: r.Type, CreatedAt: mission.Millis(r.CreatedAt)}
	}
	return events, nil
}
