package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"missiond/internal/database"
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
	err := database.Scan(ctx, tx.on, tx.NewRaw(`INSERT INTO counters (tenant_id, name, n) VALUES (?, 'notification_seq', 1)
		ON CONFLICT (tenant_id, name) DO UPDATE SET n = counters.n + 1 RETURNING n`, n.TenantID), &row.Seq)
	if err != nil {
		return err
	}
	tx.done.notified = true
	return tx.write(ctx, tx.NewInsert().Model(&row))
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
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&rows).Where("?", database.In("c.tenant_id", tenantIDs)).Where("?", database.In("c.name", headNames)), &rows)
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
	err = database.Scan(ctx, db.read, db.NewSelect().Model((*notificationLogRow)(nil)).Column("seq").
		Where("nl.notification_id = ?", id).Where("nl.tenant_id = ?", tenantID), &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, mission.Invalid("after", "Invalid cursor %q: there is no notification with this id, or it is no longer kept.", id)
	}
	return seq, err
}

// NotificationsBetween returns the notifications of a tenant with seqs above one and
// up to another, in order of seq.
func (db *DB) NotificationsBetween(ctx context.Context, tenantID string, above, upTo int64) ([]mission.Notification, error) {
	return findAll(ctx, db.read, db.NewSelect().Join("JOIN notification_log AS nl ON nl.notification_id = n.id").
		Where("nl.tenant_id = ?", tenantID).Where("nl.seq > ?", database.Int(above)).Where("nl.seq <= ?", database.Int(upTo)).
		OrderExpr("nl.seq"), notificationRow.notification)
}
