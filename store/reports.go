package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

// DaysOf returns the daily figures of each of a tenant's missions, by the
// missions' ids: one row per day and platform, oldest first. The mission "" is
// the whole tenant.
func (db *DB) DaysOf(ctx context.Context, tenantID string, missionIDs []string, r mission.DateRange) (map[string][]mission.Figures, error) {
	var rows []dayFiguresRow
	q := db.read.NewSelect().Model(&rows).Where("df.tenant_id = ?", tenantID).
		Where("df.mission_id IN (?)", bun.List(missionIDs)).Where("df.posts > 0")
	if r.From != "" {
		q.Where("df.date >= ?", r.From)
	}
	if r.To != "" {
		q.Where("df.date <= ?", r.To)
	}
	err := q.OrderExpr("df.mission_id, df.date, df.platform").Scan(ctx)
	days := make(map[string][]mission.Figures, len(missionIDs))
	for _, row := range rows {
		days[row.MissionID] = append(days[row.MissionID], row.figures())
	}
	return days, err
}

// postColumns are the columns that describe a post, without its text.
var postColumns = []string{"id", "mission_id", "platform", "format", "angle", "published_at"}

// measuredPosts selects the posts that were published within a range and have
// been measured: a mission's, or the whole tenant's if missionID is nil.
func measuredPosts(b *binding, tenantID string, missionID any, r mission.DateRange, more ...string) *bun.SelectQuery {
	q := b.NewSelect().Model((*contentRow)(nil)).Column(postColumns...).Column(more...).
		Where("c.tenant_id = ?", b.bind(tenantID)).Where("c.measured_at IS NOT NULL")
	if missionID != nil {
		q.Where("c.mission_id = ?", missionID)
	}
	if since := r.Since(); since != nil {
		q.Where("c.published_at >= ?", b.bind(*since))
	}
	if until := r.Until(); until != nil {
		q.Where("c.published_at < ?", b.bind(*until))
	}
	return q
}

var measuredNewest = keyset{table: "contents", noun: "measured post", at: "c.published_at", id: "c.id", time: "published_at"}

// MeasuredPostsOf returns a page of the measured posts of each of a tenant's
// missions, latest publication first, with their latest figures. If the only
// mission is "", it returns those of the whole tenant. Errors: invalid_request
// without a param for a foreign cursor.
func (db *DB) MeasuredPostsOf(ctx context.Context, tenantID string, missionIDs []string, r mission.DateRange, p Page) (map[string]Part[mission.Content], error) {
	return partsOf(ctx, db, measuredNewest, tenantID, p, missionIDs, func(b *binding, id any) *bun.SelectQuery {
		if missionIDs[0] == "" {
			id = nil
		}
		return measuredPosts(b, tenantID, id, r, "metrics", "measured_at")
	}, func(row contentRow) position {
		parent := row.MissionID
		if missionIDs[0] == "" {
			parent = ""
		}
		return position{parent, *utc(row.PublishedAt), row.ID}
	}, contentRow.content)
}

// MeasurementsOf returns the measurements of each of a tenant's posts, oldest
// first, by the posts' ids.
func (db *DB) MeasurementsOf(ctx context.Context, tenantID string, contentIDs []string) (map[string][]mission.Measurement, error) {
	var rows []measurementRow
	err := db.read.NewSelect().Model(&rows).Join("JOIN contents AS c ON c.id = ms.content_id").
		Where("c.tenant_id = ?", tenantID).Where("ms.content_id IN (?)", bun.List(contentIDs)).
		OrderExpr("ms.content_id, ms.step").Scan(ctx)
	series := make(map[string][]mission.Measurement, len(contentIDs))
	for _, row := range rows {
		series[row.ContentID] = append(series[row.ContentID], row.measurement())
	}
	return series, err
}

// SeriesQuery selects posts whose measurements are read page by page.
type SeriesQuery struct {
	TenantID string
	// MissionID is "" for all of the tenant's.
	MissionID string
	Range     mission.DateRange
	// PublishedBy leaves out posts that are published later.
	PublishedBy time.Time
	// After and AfterID are the publication time and id of the last post that
	// was read; AfterID is "" before the first page.
	After   time.Time
	AfterID string
	Limit   int
}

type seriesRow struct {
	ID          string
	MissionID   string
	Platform    mission.Platform
	Format      mission.Format
	Angle       mission.Angle
	PublishedAt time.Time
	Step        *int // nil for a post from before series were stored
	MeasuredAt  *time.Time
	Metrics     mission.Metrics
}

// Series returns the next posts with all their measurements, ordered by
// publication time and id, in one statement: Limit posts, or fewer at the end.
func (db *DB) Series(ctx context.Context, q SeriesQuery) ([]mission.Series, error) {
	b := db.bound()
	var missionID any
	if q.MissionID != "" {
		missionID = b.bind(q.MissionID)
	}
	posts := measuredPosts(b, q.TenantID, missionID, q.Range).Where("c.published_at <= ?", b.bind(q.PublishedBy)).
		OrderExpr("c.published_at, c.id").Limit(int64(q.Limit))
	if q.AfterID != "" {
		posts.Where("(c.published_at, c.id) > (?, ?)", b.bind(mission.Millis(q.After)), b.bind(q.AfterID))
	}
	var rows []seriesRow
	err := b.NewSelect().TableExpr("(?) AS c", posts).
		Join("LEFT JOIN measurements AS ms ON ms.content_id = c.id").
		ColumnExpr("c.*, ms.step, ms.measured_at, ms.metrics").
		OrderExpr("c.published_at, c.id, ms.step").Scan(ctx, &rows)
	var list []mission.Series
	for _, row := range rows {
		published := mission.Millis(row.PublishedAt)
		if n := len(list); n == 0 || list[n-1].Post.ID != row.ID {
			list = append(list, mission.Series{Post: mission.Content{
				ID: row.ID, TenantID: q.TenantID, MissionID: row.MissionID, Platform: row.Platform, Format: row.Format, Angle: row.Angle, PublishedAt: &published,
			}})
		}
		if row.Step == nil || row.MeasuredAt == nil {
			continue
		}
		last := &list[len(list)-1]
		last.Points = append(last.Points, mission.Measurement{
			ContentID: row.ID, MissionID: row.MissionID, Platform: row.Platform, Step: *row.Step,
			PublishedAt: published, At: mission.Millis(*row.MeasuredAt), Metrics: row.Metrics,
		})
	}
	return list, err
}
