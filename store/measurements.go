package store

import (
	"context"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type measurementRow struct {
	bun.BaseModel `bun:"table:measurements,alias:ms"`
	mission.Measurement
}

func (r measurementRow) measurement() mission.Measurement { return r.Measurement }

// AddMeasurements inserts points of posts' series. An existing point of the
// same step is overwritten.
func (tx Tx) AddMeasurements(ctx context.Context, points []mission.Measurement) error {
	if len(points) == 0 {
		return nil
	}
	rows := make([]measurementRow, len(points))
	for i, p := range points {
		rows[i] = measurementRow{Measurement: p}
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows).On("CONFLICT (content_id, step) DO UPDATE").
		Set("measured_at = EXCLUDED.measured_at").Set("metrics = EXCLUDED.metrics"))
}

// measurementsOfEach is the join of posts, c, with those of their measurements, ms, that pass
// a condition. It is done post by post, each in its month: Postgres never flattens a
// subquery with an order into a join that it could do by reading all months.
func measurementsOfEach(b database.Builder, join, condition string) string {
	if !b.Lateral() {
		return join + " measurements AS ms ON ms.content_id = c.id AND " + condition
	}
	return join + " LATERAL (SELECT * FROM measurements AS ms WHERE ms.content_id = c.id AND " + condition + " ORDER BY ms.step) AS ms ON true"
}

// accountMeasurements selects the measurements of a step of a mission's posts through an
// account, those of the latest posts first.
func accountMeasurements(b database.Builder, missionID string, k mission.PeerKey, now time.Time, limit int) *bun.SelectQuery {
	return b.NewSelect().Model((*contentRow)(nil)).Join(measurementsOfEach(b, "JOIN", "ms.step = ?"), database.Int(k.Step)).
		Where("c.mission_id = ?", missionID).Where("c.platform = ?", k.Platform).Where("c.integration_id = ?", k.IntegrationID).
		Where("c.measured_at IS NOT NULL").Where("c.published_at <= ?", mission.MeasuredBy(k.Step, now)).
		OrderExpr("c.published_at DESC, c.id DESC").Limit(int64(limit))
}

// ofKeys reads rows of each key in one statement.
func (tx Tx) ofKeys(ctx context.Context, rows any, keys []mission.PeerKey, query func(k mission.PeerKey) *bun.SelectQuery) error {
	names := make([]string, len(keys))
	for i := range keys {
		names[i] = strconv.Itoa(i)
	}
	return perParent(ctx, tx.on, tx.Builder, rows, names, func(name string) *bun.SelectQuery {
		i, _ := strconv.Atoi(name)
		return query(keys[i])
	})
}

// peerPosts is the maximum number of posts that others are compared with.
const peerPosts = 100

// Peers returns a mission's measurements at the given keys, those of the latest
// posts first, at most 100 each.
func (tx Tx) Peers(ctx context.Context, missionID string, keys []mission.PeerKey, now time.Time) (mission.Peers, error) {
	var rows []measurementRow
	err := tx.ofKeys(ctx, &rows, keys, func(k mission.PeerKey) *bun.SelectQuery {
		return accountMeasurements(tx.Builder, missionID, k, now, peerPosts).ColumnExpr("ms.*, c.integration_id")
	})
	peers := mission.Peers{}
	for _, r := range rows {
		k := mission.PeerKey{Platform: r.Platform, IntegrationID: r.IntegrationID, Step: r.Step}
		peers[k] = append(peers[k], r.Measurement)
	}
	return peers, err
}

// RipePosts returns a mission's latest posts by writers through accounts that were measured
// at mission.RipeAge, latest first, with the figures that they had then: as many of each
// account.
func (tx Tx) RipePosts(ctx context.Context, missionID string, accounts []mission.Destination, limit int, now time.Time) ([]mission.Content, error) {
	keys := make([]mission.PeerKey, len(accounts))
	for i, d := range accounts {
		keys[i] = mission.PeerKey{Platform: d.Platform, IntegrationID: d.IntegrationID, Step: mission.RipeStep}
	}
	var rows []*contentRow
	err := tx.ofKeys(ctx, &rows, keys, func(k mission.PeerKey) *bun.SelectQuery {
		return accountMeasurements(tx.Builder, missionID, k, now, limit/len(keys)).
			ColumnExpr("c.id, c.mission_id, c.platform, c.integration_id, c.format, c.angle, c.published_at, ms.metrics").
			Where("c.job_id IS NOT NULL")
	})
	return contentsOf(rows, err)
}

// MeasurementsOf returns the measurements of each of a tenant's posts, oldest
// first, by the posts' ids.
func (db *DB) MeasurementsOf(ctx context.Context, tenantID string, contentIDs []string) (map[string][]mission.Measurement, error) {
	var rows []measurementRow
	// The ids are said of both tables, as in AttemptsOf.
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&rows).Join("JOIN contents AS c ON c.id = ms.content_id").
		Where("c.tenant_id = ?", tenantID).Where("?", database.In("c.id", contentIDs)).Where("?", database.In("ms.content_id", contentIDs)).
		OrderExpr("ms.content_id, ms.step"), &rows)
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
	var missionID any
	if q.MissionID != "" {
		missionID = q.MissionID
	}
	posts := measuredPosts(db.Builder, q.TenantID, missionID, q.Range).Where("c.published_at <= ?", q.PublishedBy).
		OrderExpr("c.published_at, c.id").Limit(int64(q.Limit))
	if q.AfterID != "" {
		posts.Where("(c.published_at, c.id) > (?, ?)", q.After, q.AfterID)
	}
	var rows []seriesRow
	err := database.Scan(ctx, db.read, db.NewSelect().TableExpr("(?) AS c", posts).Join(measurementsOfEach(db.Builder, "LEFT JOIN", "true")).
		ColumnExpr("c.*, ms.step, ms.measured_at, ms.metrics").
		OrderExpr("c.published_at, c.id, ms.step"), &rows)
	var list []mission.Series
	for _, row := range rows {
		if n := len(list); n == 0 || list[n-1].Post.ID != row.ID {
			list = append(list, mission.Series{Post: mission.Content{
				ID: row.ID, TenantID: q.TenantID, MissionID: row.MissionID, Platform: row.Platform, Format: row.Format, Angle: row.Angle, PublishedAt: &row.PublishedAt,
			}})
		}
		if row.Step == nil || row.MeasuredAt == nil {
			continue
		}
		last := &list[len(list)-1]
		last.Points = append(last.Points, mission.Measurement{
			ContentID: row.ID, MissionID: row.MissionID, Platform: row.Platform, Step: *row.Step,
			PublishedAt: row.PublishedAt, At: *row.MeasuredAt, Metrics: row.Metrics,
		})
	}
	return list, err
}
