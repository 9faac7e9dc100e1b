package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// orderedFigures are the latest figures by which lists of published posts are ordered, or
// mission.Unreported.
type orderedFigures struct{ Impressions, Clicks, Likes, Comments, Shares, EngagementRate float64 }

// orderedColumns are the columns of orderedFigures, in the order of its fields.
var orderedColumns = []string{"impressions", "clicks", "likes", "comments", "shares", "engagement_rate"}

func figuresOf(m mission.Metrics) orderedFigures {
	return orderedFigures{
		m.Ordered(mission.Impressions), m.Ordered(mission.Clicks), m.Ordered(mission.Likes), m.Ordered(mission.Comments),
		m.Ordered(mission.Shares), m.Ordered(mission.EngagementRate),
	}
}

func contentsOf(rows []*contentRow, err error) ([]mission.Content, error) {
	contents := make([]mission.Content, len(rows))
	for i, r := range rows {
		contents[i] = r.content()
	}
	return contents, err
}

// PostsToMeasure returns up to limit of a mission's posts that are to be
// measured by a time, the longest due first, without their texts.
func (db *DB) PostsToMeasure(ctx context.Context, tenantID, missionID string, by time.Time, limit int) ([]mission.Content, error) {
	return findAll(ctx, db.read, db.NewSelect().Model((*contentRow)(nil)).ExcludeColumn("body", "parts").
		Where("c.mission_id = ?", missionID).Where("c.tenant_id = ?", tenantID).Where("c.measure_at IS NOT NULL").
		Where("c.measure_at <= ?", by).OrderExpr("c.measure_at").Limit(int64(limit)), contentRow.content)
}

// LockMetrics returns the accounts, publication times and current metrics of a
// mission's posts, and how far the replies to them have been read, and locks them.
func (tx Tx) LockMetrics(ctx context.Context, missionID string, ids []string) ([]mission.Content, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return findAll(ctx, tx.on, tx.lock(tx.NewSelect()).Column("id", "mission_id", "platform", "integration_id", "metrics", "unusual", "published_at", "outgoing", "reply_reads").
		Where("?", database.In("c.id", ids)).Where("c.mission_id = ?", missionID).OrderExpr("c.id"), contentRow.content)
}

// StoreAssessment writes the result of measuring a mission, with its events, and
// when its posts are measured next, as SetMeasureAt does. The caller holds the
// mission's lock and has added the points; next has all of their posts.
func (tx Tx) StoreAssessment(ctx context.Context, m mission.Mission, a mission.Assessment, next map[string]*time.Time) error {
	if err := tx.setMetrics(ctx, a, next); err != nil {
		return err
	}
	err := tx.write(ctx, tx.NewUpdate().Model(&missionRow{Mission: mission.Mission{ID: m.ID, Totals: a.Totals, Achieved: a.Achieved, Trends: a.Trends, AutonomyEnded: a.AutonomyEnded}}).
		Column("totals", "achieved", "trends", "autonomy_ended").WherePK())
	if err != nil {
		return err
	}
	if err := tx.addEvents(ctx, a.Events); err != nil {
		return err
	}
	return tx.addDays(ctx, m, a.Days)
}

// setMetrics writes the latest figures of posts with when they are measured
// next, in one statement so that a measurement updates its post once, and which
// posts are unusual.
func (tx Tx) setMetrics(ctx context.Context, a mission.Assessment, next map[string]*time.Time) error {
	rest := maps.Clone(next)
	rows := make([]contentRow, len(a.Points))
	for i, p := range a.Points {
		rows[i] = contentRow{Content: mission.Content{ID: p.ContentID, Metrics: p.Metrics, MeasuredAt: &p.At, MeasureAt: next[p.ContentID]}, orderedFigures: figuresOf(p.Metrics)}
		delete(rest, p.ContentID)
	}
	if len(rows) > 0 {
		if err := tx.write(ctx, tx.NewUpdate().Model(&rows).Column(append([]string{"metrics", "measured_at", "measure_at"}, orderedColumns...)...).Bulk()); err != nil {
			return err
		}
	}
	if err := tx.SetMeasureAt(ctx, rest); err != nil || len(a.Unusual) == 0 {
		return err
	}
	return tx.write(ctx, tx.NewUpdate().Model((*contentRow)(nil)).Set("unusual = TRUE").Where("?", database.In("id", a.Unusual)))
}

// SetMeasureAt writes when posts are measured next, by id; nil is never again.
func (tx Tx) SetMeasureAt(ctx context.Context, next map[string]*time.Time) error {
	if len(next) == 0 {
		return nil
	}
	rows := make([]contentRow, 0, len(next))
	for _, id := range slices.Sorted(maps.Keys(next)) {
		rows = append(rows, contentRow{Content: mission.Content{ID: id, MeasureAt: next[id]}})
	}
	return tx.write(ctx, tx.NewUpdate().Model(&rows).Column("measure_at").Bulk())
}

// NextMeasure returns when a mission's next post is to be measured; ok is false
// if there is none.
func (tx Tx) NextMeasure(ctx context.Context, missionID string) (at time.Time, ok bool, err error) {
	var row contentRow
	err = database.Scan(ctx, tx.on, tx.NewSelect().Model(&row).Column("measure_at").Where("c.mission_id = ?", missionID).
		Where("c.measure_at IS NOT NULL").OrderExpr("c.measure_at").Limit(1), &row)
	if errors.Is(err, sql.ErrNoRows) {
		return at, false, nil
	}
	if err != nil {
		return at, false, err
	}
	return *row.MeasureAt, true, nil
}

// postColumns are the columns that describe a post, without its text.
var postColumns = []string{"id", "mission_id", "platform", "format", "angle", "published_at"}

// measuredPosts selects the posts that were published within a range and have
// been measured: a mission's, or the whole tenant's if missionID is nil.
func measuredPosts(b database.Builder, tenantID string, missionID any, r mission.DateRange, more ...string) *bun.SelectQuery {
	q := b.NewSelect().Model((*contentRow)(nil)).Column(postColumns...).Column(more...).
		Where("c.tenant_id = ?", tenantID).Where("c.measured_at IS NOT NULL")
	if missionID != nil {
		q.Where("c.mission_id = ?", missionID)
	}
	if since := r.Since(); since != nil {
		q.Where("c.published_at >= ?", *since)
	}
	if until := r.Until(); until != nil {
		q.Where("c.published_at < ?", *until)
	}
	return q
}

// picked is measuredPosts with the posts' figures, and only the posts of a filter's account
// if it has one.
func picked(b database.Builder, tenantID string, missionID any, of mission.FiguresFilter) *bun.SelectQuery {
	q := measuredPosts(b, tenantID, missionID, of.Published, "metrics", "measured_at")
	if of.IntegrationID != "" { // in the words of the indexes of an account's posts
		q.Where("c.integration_id = ?", of.IntegrationID).Where("c.integration_id <> ''").Where("c.published_at IS NOT NULL")
		if missionID != nil {
			q.Where("c.platform = ?", of.Platform)
		}
	}
	return q
}

var measuredNewest = keyset{table: "contents", noun: "measured post", at: "c.published_at", id: "c.id", time: "published_at"}

// MeasuredPosts returns a page of a tenant's measured posts, latest publication first, with
// their latest figures. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) MeasuredPosts(ctx context.Context, tenantID string, of mission.FiguresFilter, p Page) (Listed[mission.Content], error) {
	return readPart(ctx, db, picked(db.Builder, tenantID, nil, of), measuredNewest, tenantID, p, contentRow.content)
}

// MeasuredPostsOf returns a page of the measured posts of each of a tenant's
// missions, by the missions' ids, as MeasuredPosts does. Errors: the same.
func (db *DB) MeasuredPostsOf(ctx context.Context, tenantID string, missionIDs []string, of mission.FiguresFilter, p Page) (map[string]Listed[mission.Content], error) {
	return partsOf(ctx, db, measuredNewest, tenantID, p, missionIDs, func(id any) *bun.SelectQuery {
		return picked(db.Builder, tenantID, id, of)
	}, func(row contentRow) position { return position{row.MissionID, *row.PublishedAt, row.ID} }, contentRow.content)
}
