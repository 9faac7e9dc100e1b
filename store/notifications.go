package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type notificationRow struct {
	bun.BaseModel `bun:"table:notifications,alias:n"`
	mission.Notification
}

func (r notificationRow) notification() mission.Notification { return r.Notification }

// counterUnread is the name of the counter of notifications that nobody has
// read, and counterNotifications that of all.
const (
	counterNotifications = "notifications"
	counterUnread        = "notifications:unread"
)

// AddNotification inserts a message to a tenant's admins, and the task that
// e-mails it.
func (tx Tx) AddNotification(ctx context.Context, n mission.Notification) error {
	row := notificationRow{Notification: n}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	if err := tx.logNotification(ctx, n); err != nil {
		return err
	}
	moves := map[counterRow]int{{TenantID: n.TenantID, Name: counterNotifications}: 1, {TenantID: n.TenantID, Name: counterUnread}: 1}
	if err := tx.addCounters(ctx, moves); err != nil {
		return err
	}
	return tx.AddTasks(ctx, n.CreatedAt, mission.NewTenantTask(n.TenantID, mission.TaskNotificationEmail, n.ID, n.CreatedAt))
}

// Replaced reports whether a newer notification of the same kind and subject says what n said.
func (db *DB) Replaced(ctx context.Context, n mission.Notification) (bool, error) {
	var ids []string
	err := database.Scan(ctx, db.read, db.NewSelect().Model((*notificationRow)(nil)).Column("n.id").Where("n.tenant_id = ?", n.TenantID).
		Where("n.created_at > ?", n.CreatedAt).Where("n.kind = ?", n.Kind).Where("n.subject_id = ?", n.SubjectID).Limit(1), &ids)
	return len(ids) > 0, err
}

// AddNotificationOnce inserts a notification unless nobody has read one of its kind and subject.
// The caller has locked the subject.
func (tx Tx) AddNotificationOnce(ctx context.Context, n mission.Notification) error {
	var ids []string
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model((*notificationRow)(nil)).Column("n.id").Where("n.tenant_id = ?", n.TenantID).
		Where("n.kind = ?", n.Kind).Where("n.subject_id = ?", n.SubjectID).Where("n.read_at IS NULL").Limit(1), &ids)
	if err != nil || len(ids) > 0 {
		return err
	}
	return tx.AddNotification(ctx, n)
}

// forgetRefused removes a user's address from notifications about refused e-mails.
func (tx Tx) forgetRefused(ctx context.Context, u mission.User) error {
	return tx.write(ctx, tx.NewUpdate().Model((*notificationRow)(nil)).Set("message = ?", "An e-mail to a former member was refused for good.").
		Where("tenant_id = ?", u.TenantID).Where("kind = ?", mission.NotifyEmailRefused).Where("subject_id = ?", u.ID))
}

// Notification returns a tenant's notification. Errors: not_found.
func (db *DB) Notification(ctx context.Context, tenantID, id string) (mission.Notification, error) {
	return readOne(ctx, db.read, db.NewSelect().Where("n.id = ?", id).Where("n.tenant_id = ?", tenantID), notificationRow.notification, "notification", id)
}

var notificationsNewest = keyset{table: "notifications", noun: "notification", at: "n.created_at", id: "n.id"}

// Notifications returns a page of a tenant's notifications, newest first; with
// unread only of those that nobody has read. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) Notifications(ctx context.Context, tenantID string, unread bool, p Page) (Listed[mission.Notification], error) {
	q := db.NewSelect().Where("n.tenant_id = ?", tenantID)
	if unread {
		q.Where("n.read_at IS NULL")
	}
	return readPart(ctx, db, q, notificationsNewest, tenantID, p, notificationRow.notification)
}

// CountNotifications returns how many notifications a tenant has; with unread,
// how many of them nobody has read.
func (db *DB) CountNotifications(ctx context.Context, tenantID string, unread bool) (int, error) {
	if unread {
		return db.counter(ctx, tenantID, counterUnread)
	}
	return db.counter(ctx, tenantID, counterNotifications)
}

// MarkRead marks a tenant's notifications as read at a time, except those that
// already are, and returns them in the order of ids. Errors: not_found if one
// isn't the tenant's.
func (tx Tx) MarkRead(ctx context.Context, tenantID string, ids []string, at time.Time) ([]mission.Notification, error) {
	var rows []notificationRow
	err := database.Scan(ctx, tx.on, tx.locking().Model(&rows).Where("n.tenant_id = ?", tenantID).Where("?", database.In("n.id", ids)).OrderExpr("n.id"), &rows)
	if err != nil {
		return nil, err
	}
	found, fresh := map[string]mission.Notification{}, []string{}
	for _, r := range rows {
		n := r.notification()
		if n.ReadAt == nil {
			n.ReadAt, fresh = &at, append(fresh, n.ID)
		}
		found[n.ID] = n
	}
	marked := make([]mission.Notification, len(ids))
	for i, id := range ids {
		n, ok := found[id]
		if !ok {
			return nil, mission.NotFound("notification", id)
		}
		marked[i] = n
	}
	if len(fresh) == 0 {
		return marked, nil
	}
	err = tx.write(ctx, tx.NewUpdate().Model((*notificationRow)(nil)).Set("read_at = ?", at).Where("?", database.In("id", fresh)))
	if err != nil {
		return nil, err
	}
	return marked, tx.addCounters(ctx, map[counterRow]int{{TenantID: tenantID, Name: counterUnread}: -len(fresh)})
}

// maxMarked is how many notifications one statement marks as read at most.
const maxMarked = 500

// MarkAllRead marks a tenant's unread notifications as read at a time, from the
// oldest to the notification upTo or, if that is "", to the newest. It returns how
// many there were. Errors: not_found if upTo isn't the tenant's.
func (tx Tx) MarkAllRead(ctx context.Context, tenantID, upTo string, at time.Time) (marked int, err error) {
	var last *mission.Notification
	if upTo != "" {
		n, err := readOne(ctx, tx.on, tx.NewSelect().Where("n.id = ?", upTo).Where("n.tenant_id = ?", tenantID), notificationRow.notification, "notification", upTo)
		if err != nil {
			return 0, err
		}
		last = &n
	}
	for {
		// In the order in which MarkRead locks them within a millisecond, and nearly so otherwise:
		// of two that deadlock one runs again.
		var ids []string
		q := tx.locking().Model((*notificationRow)(nil)).Column("n.id").Where("n.tenant_id = ?", tenantID).Where("n.read_at IS NULL")
		if last != nil {
			q.Where("(n.created_at, n.id) <= (?, ?)", last.CreatedAt, last.ID)
		}
		if err := database.Scan(ctx, tx.on, q.OrderExpr("n.created_at, n.id").Limit(maxMarked), &ids); err != nil {
			return 0, err
		}
		if len(ids) > 0 {
			if err := tx.write(ctx, tx.NewUpdate().Model((*notificationRow)(nil)).Set("read_at = ?", at).Where("?", database.In("id", ids))); err != nil {
				return 0, err
			}
		}
		if marked += len(ids); len(ids) < maxMarked {
			return marked, tx.addCounters(ctx, map[counterRow]int{{TenantID: tenantID, Name: counterUnread}: -marked})
		}
	}
}

// NotificationsByID returns those of a tenant's notifications that exist, by
// id.
func (db *DB) NotificationsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.Notification, error) {
	return byID(ctx, db, "n", tenantID, ids, notificationRow.notification, func(x mission.Notification) string { return x.ID })
}

// DropNotifications is DropAudit for notifications, whether they were read or
// not.
func (tx Tx) DropNotifications(ctx context.Context, before time.Time, limit int) (int, error) {
	var gone []notificationRow
	err := database.Scan(ctx, tx.on, tx.dropOld("notifications", "id", "created_at < ?", before, limit), &gone)
	counts := map[counterRow]int{}
	for _, r := range gone {
		counts[counterRow{TenantID: r.TenantID, Name: counterNotifications}]--
		if r.ReadAt == nil {
			counts[counterRow{TenantID: r.TenantID, Name: counterUnread}]--
		}
	}
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	return len(gone), tx.addCounters(ctx, counts)
}
