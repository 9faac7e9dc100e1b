package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type notificationLogRow struct {
	bun.BaseModel `bun:"table:notification_log,alias:nl"`

	TenantID       string `bun:",pk"`
	Seq            int64  `bun:",pk"`
	NotificationID string
}

// counterNotificationSeq counts all notifications that a tenant ever had, which is
// the seq of the last one.
const counterNotificationSeq = "notification_seq"

// logNotification gives a notification its seq. From here to its end the
// transaction keeps others from taking one, so seqs are committed in order. The
// counter is locked before those of notifications.
func (tx Tx) logNotification(ctx context.Context, n mission.Notification) error {
	row := notificationLogRow{TenantID: n.TenantID, NotificationID: n.ID}
	err := tx.raw(`INSERT INTO counters (tenant_id, name, n) VALUES (?, ?, 1)
		ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + 1 RETURNING n`, n.TenantID, counterNotificationSeq).Scan(ctx, &row.Seq)
	if err != nil {
		return err
	}
	tx.done.notified = true
	_, err = tx.insert().Model(&row).Exec(ctx)
	return err
}

// Heads are the seqs of a tenant's last event and last notification, and how often its
// records of each kind were changed; 0 if never.
type Heads struct {
	Events, Notifications int64
	Changes               map[mission.ChangeKind]int64
}

// Heads returns the heads of tenants, by tenant; a tenant without events, notifications
// and changes has none.
func (db *DB) Heads(ctx context.Context, tenantIDs []string) (map[string]Heads, error) {
	var rows []counterRow
	b := db.prepared(db.read)
	err := b.NewSelect().Model(&rows).Where(b.among("c.tenant_id", tenantIDs)).Where(b.among("c.name", headNames)).Scan(ctx)
	heads := make(map[string]Heads, len(rows))
	for _, r := range rows {
		h := heads[r.TenantID]
		switch r.Name {
		case counterSeq:
			h.Events = int64(r.N)
		case counterNotificationSeq:
			h.Notifications = int64(r.N)
		default:
			if h.Changes == nil {
				h.Changes = map[mission.ChangeKind]int64{}
			}
			h.Changes[headKinds[r.Name]] = int64(r.N)
		}
		heads[r.TenantID] = h
	}
	return heads, err
}

// NotificationSeq returns the seq of a tenant's notification. Errors:
// invalid_request for after if it isn't one of the tenant's notifications.
func (db *DB) NotificationSeq(ctx context.Context, tenantID, id string) (seq int64, err error) {
	err = db.read.NewSelect().Model((*notificationLogRow)(nil)).Column("seq").
		Where("nl.notification_id = ?", id).Where("nl.tenant_id = ?", tenantID).Scan(ctx, &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, mission.Invalid("after", "Invalid cursor %q: there is no notification with this id, or it is no longer kept.", id)
	}
	return seq, err
}

// NotificationsBetween returns the notifications of a tenant with seqs above one and
// up to another, in order of seq.
func (db *DB) NotificationsBetween(ctx context.Context, tenantID string, above, upTo int64) ([]mission.Notification, error) {
	b := db.prepared(db.read)
	return findAll(ctx, b.NewSelect().Join("JOIN notification_log AS nl ON nl.notification_id = n.id").
		Where("nl.tenant_id = ?", b.bind(tenantID)).Where("nl.seq > ?", b.bind(above)).Where("nl.seq <= ?", b.bind(upTo)).
		OrderExpr("nl.seq"), notificationRow.notification)
}
