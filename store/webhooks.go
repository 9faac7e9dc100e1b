package store

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type webhookRow struct {
	bun.BaseModel `bun:"table:webhooks,alias:w"`
	mission.Webhook
}

func (r webhookRow) webhook() mission.Webhook { return r.Webhook }

type webhookEventRow struct {
	bun.BaseModel `bun:"table:webhook_events,alias:we"`

	TenantID  string            `bun:",pk"`
	Type      mission.EventType `bun:",pk"`
	WebhookID string            `bun:",pk"`
	Code      string
}

// codeDigits are the digits of codes, which distinguish a tenant's endpoints by
// two digits of a ULID.
const codeDigits = "0123456789abcdefghjkmnpqrstvwxyz"

// AddWebhook inserts an endpoint, with a code of its own and an audit log
// entry. The caller holds the tenant's lock. Errors: conflict if the tenant has
// mission.MaxWebhooks already.
func (tx Tx) AddWebhook(ctx context.Context, w mission.Webhook, entry mission.AuditEntry) error {
	var taken []string
	if err := database.Scan(ctx, tx.on, tx.NewSelect().Model((*webhookRow)(nil)).Column("code").Where("w.tenant_id = ?", w.TenantID), &taken); err != nil {
		return err
	}
	if len(taken) >= mission.MaxWebhooks {
		return mission.Conflict("A tenant has at most %d webhook endpoints.", mission.MaxWebhooks)
	}
	for i := 0; w.Code == "" || slices.Contains(taken, w.Code); i++ {
		w.Code = string([]byte{codeDigits[i/len(codeDigits)], codeDigits[i%len(codeDigits)]})
	}
	row := webhookRow{Webhook: w}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	if err := tx.subscribe(ctx, w); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// subscribe writes which events an endpoint gets: none while it is disabled.
func (tx Tx) subscribe(ctx context.Context, w mission.Webhook) error {
	if err := tx.write(ctx, tx.NewDelete().Model((*webhookEventRow)(nil)).Where("webhook_id = ?", w.ID)); err != nil {
		return err
	}
	if !w.Enabled {
		return nil
	}
	rows := make([]webhookEventRow, len(w.Events))
	for i, e := range w.Events {
		rows[i] = webhookEventRow{TenantID: w.TenantID, Type: e, WebhookID: w.ID, Code: w.Code}
	}
	tx.done.subscribes = w.TenantID
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}

// SetWebhook writes a change of an endpoint by its tenant, with an audit log
// entry.
func (tx Tx) SetWebhook(ctx context.Context, w mission.Webhook, entry mission.AuditEntry) error {
	row := webhookRow{Webhook: w}
	err := tx.write(ctx, tx.NewUpdate().Model(&row).
		Column("url", "events", "status", "enabled", "sealed", "sealed_old", "old_until", "old_accepted", "proven_at", "updated_at").WherePK())
	if err != nil {
		return err
	}
	if err := tx.subscribe(ctx, w); err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// SetWebhookState writes a change of an endpoint's state by its deliveries.
func (tx Tx) SetWebhookState(ctx context.Context, w mission.Webhook) error {
	tx.countChange(w.TenantID, mission.ChangeWebhooks)
	row := webhookRow{Webhook: w}
	if err := tx.write(ctx, tx.NewUpdate().Model(&row).Column("status", "enabled", "old_accepted", "proven_at", "updated_at").WherePK()); err != nil {
		return err
	}
	if w.Enabled {
		return nil
	}
	return tx.subscribe(ctx, w)
}

// DeleteWebhook deletes an endpoint with its deliveries and their attempts, with an audit
// log entry.
func (tx Tx) DeleteWebhook(ctx context.Context, w mission.Webhook, entry mission.AuditEntry) error {
	if err := tx.write(ctx, tx.NewDelete().Model((*taskRow)(nil)).Where("subject = ?", w.ID).Where("type = 'webhook:deliver'")); err != nil {
		return err
	}
	of := tx.NewSelect().Model((*deliveryRow)(nil)).Column("id").Where("d.webhook_id = ?", w.ID)
	if err := tx.write(ctx, tx.NewDelete().Model((*attemptRow)(nil)).Where("delivery_id IN (?)", of)); err != nil {
		return err
	}
	if err := tx.write(ctx, tx.NewDelete().Model((*webhookRow)(nil)).Where("id = ?", w.ID)); err != nil {
		return err
	}
	names := deliveryCounters(w.ID, "")
	err := tx.write(ctx, tx.NewDelete().Model((*counterRow)(nil)).Where("tenant_id = ?", w.TenantID).Where("?", database.In("name", names)))
	if err != nil {
		return err
	}
	return tx.addAudit(ctx, entry)
}

// Webhook returns a tenant's endpoint. Errors: not_found.
func (db *DB) Webhook(ctx context.Context, tenantID, id string) (mission.Webhook, error) {
	return readWebhook(ctx, db.read, db.NewSelect(), tenantID, id)
}

// LockWebhook returns a tenant's endpoint and locks it. Errors: not_found.
func (tx Tx) LockWebhook(ctx context.Context, tenantID, id string) (mission.Webhook, error) {
	return readWebhook(ctx, tx.on, tx.lock(tx.NewSelect()), tenantID, id)
}

func readWebhook(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID, id string) (mission.Webhook, error) {
	return readOne(ctx, on, q.Where("w.id = ?", id).Where("w.tenant_id = ?", tenantID), webhookRow.webhook, "webhook endpoint", id)
}

var webhooksNewest = keyset{table: "webhooks", noun: "webhook endpoint", at: "w.created_at", id: "w.id"}

// Webhooks returns a page of a tenant's endpoints, newest first, with the number
// of all: at most mission.MaxWebhooks. Errors:
// invalid_request without a param for a foreign cursor.
func (db *DB) Webhooks(ctx context.Context, tenantID string, p Page) (Listed[mission.Webhook], error) {
	q := db.NewSelect().Where("w.tenant_id = ?", tenantID)
	part, err := readPart(ctx, db, q, webhooksNewest, tenantID, p, webhookRow.webhook)
	if err != nil {
		return part, err
	}
	part.Total, err = database.Count(ctx, db.read, db.NewSelect().Model((*webhookRow)(nil)).Where("w.tenant_id = ?", tenantID))
	return part, err
}

// SealedWebhooks returns up to limit endpoints with ids greater than after, in
// order, with their encrypted secrets, and locks them.
func (tx Tx) SealedWebhooks(ctx context.Context, after string, limit int) ([]mission.Webhook, error) {
	return findAll(ctx, tx.on, tx.locking().Where("w.id > ?", after).OrderExpr("w.id").Limit(int64(limit)), webhookRow.webhook)
}

// ResealWebhook writes an endpoint's secrets, encrypted with another key.
func (tx Tx) ResealWebhook(ctx context.Context, w mission.Webhook) error {
	row := webhookRow{Webhook: w}
	return tx.write(ctx, tx.NewUpdate().Model(&row).Column("sealed", "sealed_old").WherePK())
}

// WebhooksByID returns those of a tenant's endpoints that exist, by id.
func (db *DB) WebhooksByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Webhook, error) {
	return byID(ctx, db, "w", tenantID, ids, webhookRow.webhook, func(x mission.Webhook) string { return x.ID })
}
