package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// tellReviewers adds the tasks that tell people what waits for review in the transaction's
// missions, which are locked, unless one waits already: it will see what the transaction writes.
func (tx Tx) tellReviewers(ctx context.Context) error {
	if len(tx.done.waiting) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(tx.done.waiting))
	var told []string
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model((*taskRow)(nil)).Column("mission_id").Where("?", database.In("mission_id", ids)).
		Where("type = 'review:tell'").Where("state <> 'running'"), &told)
	if err != nil {
		return err
	}
	var tasks []mission.Task
	for _, id := range ids {
		if !slices.Contains(told, id) {
			tasks = append(tasks, tx.done.waiting[id])
		}
	}
	if len(tasks) == 0 {
		return nil
	}
	return tx.AddTasks(ctx, tasks[0].CreatedAt, tasks...)
}

// Waiting is DB.Waiting as the transaction sees it.
func (tx Tx) Waiting(ctx context.Context, missionID string) (mission.Waiting, error) {
	return waiting(ctx, tx.on, tx.NewSelect(), missionID)
}

// Waiting returns what of a mission waits for review.
func (db *DB) Waiting(ctx context.Context, missionID string) (mission.Waiting, error) {
	return waiting(ctx, db.read, db.NewSelect(), missionID)
}

func waiting(ctx context.Context, on database.Reader, q *bun.SelectQuery, missionID string) (mission.Waiting, error) {
	var row struct {
		Posts, Expiring int
		Until           *time.Time
	}
	err := database.Scan(ctx, on, q.Model((*contentRow)(nil)).ColumnExpr("count(*) AS posts").
		ColumnExpr("count(*) FILTER (WHERE c.expiring_at IS NULL) AS expiring").ColumnExpr("min(c.expires_at) AS until").
		Where("c.mission_id = ?", missionID).Where("c.status = 'pending_review'"), &row)
	return mission.Waiting{Posts: row.Posts, Expiring: row.Expiring, Until: row.Until}, err
}

// ReplaceNotification inserts a notification, and marks those of its kind and subject as read
// that nobody has read: it says what they said.
func (tx Tx) ReplaceNotification(ctx context.Context, n mission.Notification) error {
	read, err := tx.changed(ctx, tx.NewUpdate().Model((*notificationRow)(nil)).Set("read_at = ?", n.CreatedAt).Where("tenant_id = ?", n.TenantID).
		Where("kind = ?", n.Kind).Where("subject_id = ?", n.SubjectID).Where("read_at IS NULL"))
	if err != nil {
		return err
	}
	if read > 0 {
		if err := tx.addCounters(ctx, map[counterRow]int{{TenantID: n.TenantID, Name: counterUnread}: -read}); err != nil {
			return err
		}
	}
	return tx.AddNotification(ctx, n)
}
