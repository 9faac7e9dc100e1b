package store

import (
	"context"

	"missiond/mission"
)

// byID reads those of a tenant's rows that exist, in one statement, and returns
// the records by id.
func byID[R, T any](ctx context.Context, db *DB, alias, tenantID string, ids []string, show func(R) T, id func(T) string) (map[string]T, error) {
	var rows []R
	b := db.bound()
	err := b.NewSelect().Model(&rows).Where(alias+".tenant_id = ?", b.bind(tenantID)).Where(b.among(alias+".id", ids)).Scan(ctx)
	found := make(map[string]T, len(rows))
	for _, r := range rows {
		t := show(r)
		found[id(t)] = t
	}
	return found, err
}

// MissionsByID returns those of a tenant's missions that exist, by id.
func (db *DB) MissionsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Mission, error) {
	return byID(ctx, db, "m", tenantID, ids, missionRow.mission, func(m mission.Mission) string { return m.ID })
}

// ContentsByID returns those of a tenant's posts that exist, by id.
func (db *DB) ContentsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Content, error) {
	return byID(ctx, db, "c", tenantID, ids, contentRow.content, func(x mission.Content) string { return x.ID })
}

// DeliveriesByID returns those of a tenant's deliveries that exist, by id.
func (db *DB) DeliveriesByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Delivery, error) {
	return byID(ctx, db, "d", tenantID, ids, deliveryRow.delivery, func(x mission.Delivery) string { return x.ID })
}

// WebhooksByID returns those of a tenant's endpoints that exist, by id.
func (db *DB) WebhooksByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Webhook, error) {
	return byID(ctx, db, "w", tenantID, ids, webhookRow.webhook, func(x mission.Webhook) string { return x.ID })
}

// NotificationsByID returns those of a tenant's notifications that exist, by
// id.
func (db *DB) NotificationsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Notification, error) {
	return byID(ctx, db, "n", tenantID, ids, notificationRow.notification, func(x mission.Notification) string { return x.ID })
}

// UsersByID returns those of a tenant's users that exist, by id.
func (db *DB) UsersByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.User, error) {
	var rows []userRow
	b := db.bound()
	err := b.NewSelect().Model(&rows).Where("u.tenant_id = ?", b.bind(tenantID)).Where(b.among("u.id", ids)).
		Where("u.removed_at IS NULL").Scan(ctx)
	found := make(map[string]mission.User, len(rows))
	for _, r := range rows {
		found[r.ID] = r.user()
	}
	return found, err
}

// KeysByID returns those of a tenant's API keys that exist, by id.
func (db *DB) KeysByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.APIKey, error) {
	return byID(ctx, db, "k", tenantID, ids, keyRow.key, func(x mission.APIKey) string { return x.ID })
}

// AuditEntriesByID returns those of a tenant's audit log entries that exist, by
// id.
func (db *DB) AuditEntriesByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.AuditEntry, error) {
	return byID(ctx, db, "a", tenantID, ids, auditRow.entry, func(x mission.AuditEntry) string { return x.ID })
}
