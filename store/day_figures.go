package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// dayFiguresRow is the sum of the figures of the posts that an account
// published on a day: of one mission or, if MissionID is "", of the whole
// tenant.
type dayFiguresRow struct {
	bun.BaseModel `bun:"table:day_figures,alias:df"`

	TenantID        string           `bun:",pk"`
	MissionID       string           `bun:",pk"`
	Date            string           `bun:",pk"`
	Platform        mission.Platform `bun:",pk"`
	IntegrationID   string           `bun:",pk"`
	Posts           int
	Impressions     *float64
	Reach           *float64
	Likes           *float64
	Comments        *float64
	Shares          *float64
	Clicks          *float64
	LinkClicks      *float64
	FollowersGained *float64
	Views           *float64
	// Rated is the number of engagements of posts that report their
	// impressions.
	Rated *float64
}

// counts returns the row's figures by metric; nil if no post reports one.
func (r *dayFiguresRow) counts() map[mission.Metric]**float64 {
	return map[mission.Metric]**float64{
		mission.Impressions: &r.Impressions, mission.Reach: &r.Reach, mission.Likes: &r.Likes, mission.Comments: &r.Comments,
		mission.Shares: &r.Shares, mission.Clicks: &r.Clicks, mission.LinkClicks: &r.LinkClicks, mission.FollowersGained: &r.FollowersGained,
		mission.Views: &r.Views,
	}
}

func newDayFiguresRow(tenantID, missionID string, d mission.Figures) dayFiguresRow {
	r := dayFiguresRow{TenantID: tenantID, MissionID: missionID, Date: d.Date, Platform: d.Platform, IntegrationID: d.IntegrationID, Posts: d.Posts}
	for metric, at := range r.counts() {
		if v, ok := d.Metrics[metric]; ok {
			*at = &v
		}
	}
	if _, ok := d.Metrics[mission.Impressions]; ok {
		rated := d.Metrics.Engagements()
		r.Rated = &rated
	}
	return r
}

func (r *dayFiguresRow) figures() mission.Figures {
	d := mission.Figures{Date: r.Date, Platform: r.Platform, IntegrationID: r.IntegrationID, Posts: r.Posts, Metrics: mission.Metrics{}}
	for metric, at := range r.counts() {
		if *at != nil {
			d.Metrics[metric] = **at
		}
	}
	if r.Rated != nil && r.Impressions != nil && *r.Impressions > 0 {
		d.Metrics[mission.EngagementRate] = 100 * *r.Rated / *r.Impressions
	}
	return d
}

// figureColumns are the columns that add up.
var figureColumns = []string{
	"impressions", "reach", "likes", "comments", "shares", "clicks", "link_clicks", "followers_gained", "views", "rated",
}

// addDays adds to the figures of a mission's days, and of its tenant's, in one
// statement that adds in the database, so that missions of a tenant don't wait
// for each other's measurements. Rows are locked in one order.
func (tx Tx) addDays(ctx context.Context, m mission.Mission, changes []mission.Figures) error {
	if len(changes) == 0 {
		return nil
	}
	var rows []dayFiguresRow
	for _, missionID := range []string{m.ID, ""} { // the shared rows are locked last
		for _, d := range changes {
			rows = append(rows, newDayFiguresRow(m.TenantID, missionID, d))
		}
	}
	q := tx.NewInsert().Model(&rows).On("CONFLICT (tenant_id, mission_id, date, platform, integration_id) DO UPDATE").
		Set("posts = df.posts + EXCLUDED.posts")
	for _, column := range figureColumns {
		q = q.Set("?0 = COALESCE(df.?0 + EXCLUDED.?0, EXCLUDED.?0, df.?0)", bun.Ident(column))
	}
	return tx.write(ctx, q)
}

// dropFigures subtracts a mission's figures from its tenant's and deletes them.
func (tx Tx) dropFigures(ctx context.Context, m mission.Mission) error {
	left := tx.NewUpdate().Table("day_figures").TableExpr("day_figures AS own").
		Where("own.tenant_id = day_figures.tenant_id").Where("own.date = day_figures.date").Where("own.platform = day_figures.platform").
		Where("own.integration_id = day_figures.integration_id").Where("own.mission_id = ?", m.ID).Where("day_figures.tenant_id = ?", m.TenantID).Where("day_figures.mission_id = ''").
		Set("posts = day_figures.posts - own.posts")
	for _, column := range figureColumns {
		left = left.Set("?0 = COALESCE(day_figures.?0 - own.?0, day_figures.?0)", bun.Ident(column))
	}
	if err := tx.write(ctx, left); err != nil {
		return err
	}
	return tx.write(ctx, tx.NewDelete().Model((*dayFiguresRow)(nil)).
		Where("df.tenant_id = ?", m.TenantID).Where("df.mission_id = ?", m.ID))
}

// DaysOf returns the daily figures of each of a tenant's missions, by the
// missions' ids: one row per day and account, oldest first. The mission "" is
// the whole tenant.
func (db *DB) DaysOf(ctx context.Context, tenantID string, missionIDs []string, of mission.FiguresFilter) (map[string][]mission.Figures, error) {
	var rows []dayFiguresRow
	q := db.NewSelect().Model(&rows).Where("df.tenant_id = ?", tenantID).
		Where("?", database.In("df.mission_id", missionIDs)).Where("df.posts > 0")
	if r := of.Published; r.From != "" {
		q.Where("df.date >= ?", r.From)
	}
	if r := of.Published; r.To != "" {
		q.Where("df.date <= ?", r.To)
	}
	err := database.Scan(ctx, db.read, ofAccount(q, of).OrderExpr("df.mission_id, df.date, df.platform, df.integration_id"), &rows)
	days := make(map[string][]mission.Figures, len(missionIDs))
	for _, row := range rows {
		days[row.MissionID] = append(days[row.MissionID], row.figures())
	}
	return days, err
}

// ofAccount adds the condition on a filter's account, if it has one.
func ofAccount(q *bun.SelectQuery, of mission.FiguresFilter) *bun.SelectQuery {
	if of.IntegrationID == "" {
		return q
	}
	return q.Where("df.platform = ?", of.Platform).Where("df.integration_id = ?", of.IntegrationID)
}

// MissionFigures returns the figures of up to limit of a tenant's missions in a range of days
// with both bounds: those with the highest in a metric or, if it is "", with the most posts.
func (db *DB) MissionFigures(ctx context.Context, tenantID string, of mission.FiguresFilter, by mission.Metric, limit int) ([]mission.Figures, error) {
	var rows []dayFiguresRow
	q := db.NewSelect().Model(&rows).Column("mission_id").ColumnExpr("SUM(df.posts) AS posts").Where("df.tenant_id = ?", tenantID).
		Where("df.mission_id <> ''").Where("df.date BETWEEN ? AND ?", of.Published.From, of.Published.To).Where("df.posts > 0")
	for _, column := range figureColumns {
		q = q.ColumnExpr("SUM(df.?0) AS ?0", bun.Ident(column))
	}
	highest := "SUM(df.posts)"
	switch by {
	case "":
	case mission.EngagementRate:
		highest = "SUM(df.rated) / NULLIF(SUM(df.impressions), 0)"
	default:
		highest = "SUM(df." + string(by) + ")"
	}
	err := database.Scan(ctx, db.read, ofAccount(q, of).GroupExpr("df.mission_id").OrderExpr("COALESCE("+highest+", -1) DESC, df.mission_id").Limit(int64(limit)), &rows)
	list := make([]mission.Figures, len(rows))
	for i, row := range rows {
		list[i] = row.figures()
		list[i].MissionID = row.MissionID
	}
	return list, err
}

// MeasuredAccounts returns the accounts that published a mission's measured posts.
func (tx Tx) MeasuredAccounts(ctx context.Context, m mission.Mission) ([]mission.Destination, error) {
	var rows []dayFiguresRow
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model(&rows).Column("platform", "integration_id").Distinct().Where("df.tenant_id = ?", m.TenantID).
		Where("df.mission_id = ?", m.ID).Where("df.posts > 0").OrderExpr("df.platform, df.integration_id"), &rows)
	accounts := make([]mission.Destination, len(rows))
	for i, r := range rows {
		accounts[i] = mission.Destination{Platform: r.Platform, IntegrationID: r.IntegrationID}
	}
	return accounts, err
}
