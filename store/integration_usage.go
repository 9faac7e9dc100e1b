package store

import (
	"context"
	"time"

	"missiond/internal/database"
	"missiond/mission"
)

// PostsOf returns what a tenant's accounts publish, by their integrations' ids, in one statement: how
// many approved and scheduled posts wait for each, up to mission.UsagePosts, and when it published
// last. Posts without an account wait for their platform's default one.
func (db *DB) PostsOf(ctx context.Context, tenantID string, ids []string) (map[string]mission.IntegrationUsage, error) {
	type usageRow struct {
		ID          string
		Waiting     int
		PublishedAt *time.Time
	}
	waiting := db.NewSelect().TableExpr("contents AS c").Column("c.integration_id").Where("c.tenant_id = i.tenant_id").
		Where("c.status IN ('approved', 'scheduled')").Limit(mission.UsagePosts)
	own := waiting.Clone().Where("c.integration_id = i.id").Where("c.integration_id <> ''")
	others := waiting.Clone().Where("c.platform = i.platform")
	last := db.NewSelect().TableExpr("contents AS c").Column("c.published_at").Where("c.tenant_id = i.tenant_id").Where("c.integration_id = i.id").
		Where("c.integration_id <> ''").Where("c.published_at IS NOT NULL").OrderExpr("c.published_at DESC, c.id DESC").Limit(1)
	rows, err := database.Rows[usageRow](ctx, db.read, db.NewSelect().TableExpr("integrations AS i").Column("i.id").
		ColumnExpr("(SELECT count(*) FROM (?) AS own) + CASE WHEN i.is_default THEN (SELECT count(*) FROM (?) AS o WHERE o.integration_id = '') ELSE 0 END AS waiting", own, others).
		ColumnExpr("(?) AS published_at", last).Where("i.tenant_id = ?", tenantID).Where("?", database.In("i.id", ids)))
	usage := make(map[string]mission.IntegrationUsage, len(rows))
	for _, r := range rows {
		usage[r.ID] = mission.IntegrationUsage{WaitingPosts: min(r.Waiting, mission.UsagePosts), LastPublishedAt: r.PublishedAt}
	}
	return usage, err
}

// MissionAccounts returns where a tenant's active and paused missions post, the newest first: their
// ids, platforms and chosen accounts.
func (db *DB) MissionAccounts(ctx context.Context, tenantID string, limit int) ([]mission.Mission, error) {
	q := db.NewSelect().Column("id", "tenant_id", "platforms", "integration_ids").Where("m.tenant_id = ?", tenantID).
		Where("m.status IN ('active', 'paused')").OrderExpr("m.id DESC").Limit(int64(limit))
	return findAll(ctx, db.read, q, missionRow.mission)
}
