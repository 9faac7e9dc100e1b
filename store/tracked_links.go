package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type trackedLinkRow struct {
	bun.BaseModel `bun:"table:tracked_links,alias:tl"`
	mission.TrackedLink

	CreatedAt time.Time
	ExpiresAt *time.Time
}

// AddTrackedLinks inserts the tracked links of a post that is about to be sent, unless they are there.
func (tx Tx) AddTrackedLinks(ctx context.Context, links []mission.TrackedLink, now time.Time) error {
	if len(links) == 0 {
		return nil
	}
	rows := make([]trackedLinkRow, len(links))
	for i, l := range links {
		rows[i] = trackedLinkRow{TrackedLink: l, CreatedAt: now}
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows).On("CONFLICT (id) DO NOTHING"))
}

// LinkTargets returns where tracked links lead at now, by their codes; those that aren't known are absent.
// Platforms follow a link as soon as it is sent, when a replica may not have it yet.
func (db *DB) LinkTargets(ctx context.Context, codes []string, now time.Time) (map[string]string, error) {
	return findMap(ctx, db.write, db.NewSelect().Column("tl.id", "tl.target").Where("?", database.In("tl.id", codes)).
		Where("(tl.expires_at IS NULL OR tl.expires_at > ?)", now), func(r trackedLinkRow) (string, string) { return r.Code, r.Target })
}

// ExpireTrackedLinks sets until when the tracked links of a mission lead somewhere, which is about to be
// deleted.
func (tx Tx) ExpireTrackedLinks(ctx context.Context, missionID string, at time.Time) error {
	return tx.write(ctx, tx.NewUpdate().Model((*trackedLinkRow)(nil)).Set("expires_at = ?", at).Where("tl.mission_id = ?", missionID))
}

// DropTrackedLinks deletes up to limit tracked links that lead somewhere until before a time, with
// their clicks, and returns their number.
func (tx Tx) DropTrackedLinks(ctx context.Context, now time.Time, limit int) (int, error) {
	var gone []trackedLinkRow
	err := database.Scan(ctx, tx.on, tx.dropOld("tracked_links", "id", "expires_at <= ?", now, limit), &gone)
	return len(gone), err
}

type linkClicksRow struct {
	bun.BaseModel `bun:"table:link_clicks,alias:lc"`

	Code      string `bun:"link_id,pk"`
	Day       string `bun:",pk"`
	TenantID  string
	ContentID string
	Clicks    int64
}

// LinkUse is how often a tracked link was followed on a day (UTC), YYYY-MM-DD.
type LinkUse struct {
	Code, Day string
	Clicks    int64
}

// AddLinkClicks adds to the counts of links and days, in one statement; those of links that are gone are
// left out. The rows are always written in one order, so that processes can't deadlock.
func (tx Tx) AddLinkClicks(ctx context.Context, uses []LinkUse) error {
	slices.SortFunc(uses, func(a, b LinkUse) int { return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Day, b.Day)) })
	rows := make([]linkClicksRow, len(uses))
	for i, u := range uses {
		rows[i] = linkClicksRow{Code: u.Code, Day: u.Day, Clicks: u.Clicks}
	}
	return tx.write(ctx, tx.NewRaw(`WITH used (link_id, day, clicks) AS (?)
		INSERT INTO link_clicks AS lc (link_id, day, tenant_id, content_id, clicks)
		SELECT u.link_id, u.day, tl.tenant_id, tl.content_id, u.clicks FROM used AS u JOIN tracked_links AS tl ON tl.id = u.link_id
		WHERE u.clicks > 0 ORDER BY u.link_id, u.day
		ON CONFLICT (link_id, day) DO UPDATE SET clicks = lc.clicks + EXCLUDED.clicks`,
		tx.NewValues(&rows).Column("link_id", "day", "clicks")))
}

// clicksBy selects the clicks on the links of a tenant's posts, summed by columns.
func clicksBy(b database.Builder, tenantID string, contentIDs []string, by ...string) *bun.SelectQuery {
	return b.NewSelect().Model((*linkClicksRow)(nil)).Column(by...).ColumnExpr("CAST(SUM(lc.clicks) AS bigint) AS clicks").
		Where("lc.tenant_id = ?", tenantID).Where("?", database.In("lc.content_id", contentIDs)).Group(by...)
}

// LinkClicks returns how often the tracked links of a tenant's posts were followed, by their codes.
func (db *DB) LinkClicks(ctx context.Context, tenantID string, contentIDs []string) (map[string]int64, error) {
	return findMap(ctx, db.read, clicksBy(db.Builder, tenantID, contentIDs, "lc.link_id"), func(r linkClicksRow) (string, int64) { return r.Code, r.Clicks })
}

// PostClicks returns how often the tracked links of a tenant's posts were followed, by the posts' ids.
func (tx Tx) PostClicks(ctx context.Context, tenantID string, contentIDs []string) (map[string]int64, error) {
	return findMap(ctx, tx.on, clicksBy(tx.Builder, tenantID, contentIDs, "lc.content_id"), func(r linkClicksRow) (string, int64) { return r.ContentID, r.Clicks })
}

// DailyClicks returns how often the tracked links of each of a tenant's posts were followed on each day (UTC)
// since one, first to last, by the posts' ids. Days without a click are missing.
func (db *DB) DailyClicks(ctx context.Context, tenantID string, contentIDs []string, since time.Time) (map[string][]mission.DayClicks, error) {
	rows, err := database.Rows[linkClicksRow](ctx, db.read, clicksBy(db.Builder, tenantID, contentIDs, "lc.content_id", "lc.day").
		Where("lc.day >= ?", since.UTC().Format(dayFormat)).OrderExpr("lc.day"))
	found := map[string][]mission.DayClicks{}
	for _, r := range rows {
		found[r.ContentID] = append(found[r.ContentID], mission.DayClicks{Date: r.Day, Clicks: r.Clicks})
	}
	return found, err
}
