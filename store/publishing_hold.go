package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// PublishingHold is why and since when no post is published.
type PublishingHold struct {
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
}

// holdSetting is the setting that holds all posts while it exists.
const holdSetting = "publishing_hold"

// HoldPublishing holds all posts; if they are held already, the reason changes.
func (tx Tx) HoldPublishing(ctx context.Context, h PublishingHold) error {
	return tx.write(ctx, tx.NewInsert().Model(&settingRow[PublishingHold]{Name: holdSetting, Value: h}).
		On("CONFLICT (name) DO UPDATE").Set("value = EXCLUDED.value"))
}

// ReleasePublishing ends the hold on all posts.
func (tx Tx) ReleasePublishing(ctx context.Context) error {
	return tx.write(ctx, tx.NewDelete().Model((*settingRow[PublishingHold])(nil)).Where("name = 'publishing_hold'"))
}

// PublishingHold returns the hold on all posts, or nil if there is none.
func (db *DB) PublishingHold(ctx context.Context) (*PublishingHold, error) {
	return setting[PublishingHold](ctx, db.read, db.NewSelect(), holdSetting)
}

// setting returns the value of a setting, or nil if there is none.
func setting[T any](ctx context.Context, on database.Reader, q *bun.SelectQuery, name string) (*T, error) {
	var row settingRow[T]
	err := database.Scan(ctx, on, q.Model(&row).Where("name = ?", name), &row)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &row.Value, nil
}

// Stops are what keeps a post from being published.
type Stops struct {
	// Held reports whether all posts are held.
	Held bool
	// Until is until when calls to the platform are stopped for the tenant; nil if
	// they aren't.
	Until *time.Time
}

// PublishingStops returns what keeps a tenant's posts on a platform from being published
// through an integration or, with "", through the default one or the sandbox.
func (tx Tx) PublishingStops(ctx context.Context, tenantID string, p mission.Platform, integrationID string) (Stops, error) {
	var row struct {
		Held  bool
		Until *time.Time
	}
	err := database.Scan(ctx, tx.on, tx.NewRaw(`SELECT h.until, EXISTS (SELECT 1 FROM settings WHERE name = 'publishing_hold') AS held
FROM (SELECT 1 AS one) AS always LEFT JOIN account_holds AS h ON h.tenant_id = ?0 AND h.platform = ?1 AND h.integration_id =
	COALESCE(NULLIF(?2, ''), (SELECT i.id FROM integrations AS i WHERE i.tenant_id = ?0 AND i.platform = ?1 AND i.is_default), '')`,
		tenantID, p, integrationID), &row)
	return Stops{Held: row.Held, Until: row.Until}, err
}

// RunningPosts returns the tasks that publish posts of a tenant or, with "", of all, and that
// workers hold at this moment, as fences by id. A worker whose lease has expired makes no call
// any more.
func (db *DB) RunningPosts(ctx context.Context, tenantID string) (map[string]int64, error) {
	dead, by, longest := db.lapsed("t.lease_until", 0)
	q := db.NewSelect().Column("id", "fence").Where("t.state = 'running'")
	if tenantID != "" {
		q.Where("t.tenant_id = ?", tenantID)
	}
	return findMap(ctx, db.write, q.
		Where("?", database.In("t.type", []mission.TaskType{mission.TaskContentPublish, mission.TaskContentComment, mission.TaskReplyAnswer})).Where("NOT "+dead, by, longest), func(r taskRow) (string, int64) { return r.ID, r.Fence })
}

const restoreSetting = "restore"

// SetRestore records that the database was restored and reconciled.
func (tx Tx) SetRestore(ctx context.Context, r mission.Restore) error {
	return tx.write(ctx, tx.NewInsert().Model(&settingRow[mission.Restore]{Name: restoreSetting, Value: r}).
		On("CONFLICT (name) DO UPDATE").Set("value = EXCLUDED.value"))
}

// Restore returns the last restore, or nil if there was none.
func (db *DB) Restore(ctx context.Context) (*mission.Restore, error) {
	return setting[mission.Restore](ctx, db.read, db.NewSelect(), restoreSetting)
}

// Restore is DB.Restore as the transaction sees it.
func (tx Tx) Restore(ctx context.Context) (*mission.Restore, error) {
	return setting[mission.Restore](ctx, tx.on, tx.NewSelect(), restoreSetting)
}

// PassedContents returns the ids of posts in a state whose slots have passed at a time,
// of all tenants, by id, after the one with the id after.
func (db *DB) PassedContents(ctx context.Context, s mission.ContentStatus, at time.Time, after string, limit int) ([]mission.Content, error) {
	return findAll(ctx, db.read, db.NewSelect().Where("c.status = ?", s).Where("c.scheduled_at <= ?", at).
		Where("c.id > ?", after).OrderExpr("c.id").Limit(int64(limit)), contentRow.content)
}

// RetimeSubject moves the waiting or parked task of a subject to a time.
func (tx Tx) RetimeSubject(ctx context.Context, missionID string, t mission.TaskType, subject string, at time.Time) error {
	tx.done.tasks = true
	return tx.write(ctx, tx.NewUpdate().Model((*taskRow)(nil)).Set("run_at = ?", at).Set("ring_at = ?", at).
		Where("mission_id = ?", missionID).Where("type = ?", t).Where("subject = ?", subject).Where("state <> 'running'"))
}
