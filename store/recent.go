package store

import (
	"context"
	"time"

	"missiond/internal/database"
	"missiond/internal/id"
	"missiond/mission"
)

// CountRecent returns how many events of each type a tenant has since a time, in the order of the
// types: at most mission.RecentCounted of each. Each is a range of an index.
func (db *DB) CountRecent(ctx context.Context, tenantID string, since time.Time, types ...mission.EventType) ([]int, error) {
	q := db.NewSelect()
	for i, t := range types {
		latest := db.NewSelect().TableExpr("events AS e").ColumnExpr("1").Where("e.tenant_id = ?", tenantID).Where("e.type = ?", t).
			Where("e.id >= ?", id.Least(mission.PrefixEvent, since)).Limit(mission.RecentCounted)
		part := db.NewSelect().TableExpr("(?) AS latest", latest).ColumnExpr("? AS i, count(*) AS n", i)
		if i == 0 {
			q = part
			continue
		}
		q = q.UnionAll(part)
	}
	var rows []struct{ I, N int }
	err := database.Scan(ctx, db.read, q, &rows)
	counts := make([]int, len(types))
	for _, r := range rows {
		counts[r.I] = r.N
	}
	return counts, err
}

// RecentlyMeasured returns the latest figures of up to limit of a tenant's measured posts that were
// published since a time, the latest first, without anything else but their ids.
func (db *DB) RecentlyMeasured(ctx context.Context, tenantID string, since time.Time, limit int) ([]mission.Content, error) {
	return findAll(ctx, db.read, db.NewSelect().Model((*contentRow)(nil)).Column("id", "metrics").Where("c.tenant_id = ?", tenantID).
		Where("c.measured_at IS NOT NULL").Where("c.published_at >= ?", since).OrderExpr("c.published_at DESC, c.id DESC").Limit(int64(limit)), contentRow.content)
}
