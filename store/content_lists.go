package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

// contentTotalRow is a counter of posts. MissionID "" is all of the tenant's,
// Platform "" is all platforms.
type contentTotalRow struct {
	bun.BaseModel `bun:"table:content_totals,alias:ct"`

	TenantID  string                `bun:",pk"`
	MissionID string                `bun:",pk"`
	Platform  mission.Platform      `bun:",pk"`
	Status    mission.ContentStatus `bun:",pk"`
	N         int
}

// contentMoves are the changes of counters that a transaction has made so far.
// They are written at its end, always in one order, so that rows shared by a
// whole tenant are locked only briefly and never deadlock.
type contentMoves map[contentTotalRow]int

// moved counts a post out of one status and into another; "" is none.
func (moves contentMoves) moved(c mission.Content, from, to mission.ContentStatus) {
	if from == to {
		return
	}
	for _, missionID := range []string{"", c.MissionID} {
		for _, platform := range []mission.Platform{"", c.Platform} {
			for status, n := range map[mission.ContentStatus]int{from: -1, to: 1} {
				if status != "" {
					moves[contentTotalRow{TenantID: c.TenantID, MissionID: missionID, Platform: platform, Status: status}] += n
				}
			}
		}
	}
}

func (tx Tx) writeTotals(ctx context.Context) error {
	var rows []contentTotalRow
	for row, n := range tx.totals {
		if row.N = n; n != 0 {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b contentTotalRow) int {
		return cmp.Or(cmp.Compare(a.TenantID, b.TenantID), cmp.Compare(b.MissionID, a.MissionID),
			cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.Status, b.Status))
	})
	_, err := tx.insert().Model(&rows).
		On("CONFLICT (tenant_id, mission_id, platform, status) DO UPDATE").Set("n = ct.n + EXCLUDED.n").Exec(ctx)
	return err
}

// dropContentTotals counts out the posts of a mission that is about to be
// deleted.
func (tx Tx) dropContentTotals(ctx context.Context, m mission.Mission) error {
	var rows []contentTotalRow
	err := tx.tx.NewSelect().Model(&rows).Where("ct.tenant_id = ?", m.TenantID).Where("ct.mission_id = ?", m.ID).Scan(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		tx.totals[contentTotalRow{TenantID: row.TenantID, Platform: row.Platform, Status: row.Status}] -= row.N
	}
	_, err = tx.tx.NewDelete().Model((*contentTotalRow)(nil)).Where("tenant_id = ?", m.TenantID).Where("mission_id = ?", m.ID).Exec(ctx)
	return err
}

// ContentFilter selects posts of a tenant; an empty field doesn't filter.
type ContentFilter struct {
	MissionID string
	Status    mission.ContentStatus
	Platform  mission.Platform
}

func (f ContentFilter) where(b *binding, q *bun.SelectQuery, tenantID string) *bun.SelectQuery {
	q.Where("c.tenant_id = ?", b.bind(tenantID))
	if f.MissionID != "" {
		q.Where("c.mission_id = ?", b.bind(f.MissionID))
	}
	if f.Status != "" {
		q.Where("c.status = ?", b.bind(f.Status))
	}
	if f.Platform != "" {
		q.Where("c.platform = ?", b.bind(f.Platform))
	}
	return q
}

var contentsNewest = keyset{table: "contents", noun: "post", at: "c.created_at", id: "c.id"}

// Contents returns a page of a tenant's posts, newest first, and whether there
// are more. Errors: invalid_request without a param if the cursor isn't one of
// the tenant's posts.
func (db *DB) Contents(ctx context.Context, tenantID string, f ContentFilter, p Page) (list []mission.Content, more bool, err error) {
	var rows []contentRow
	b := db.bound()
	q := f.where(b, b.NewSelect().Model(&rows), tenantID)
	more, err = readPage(ctx, db, b, q, contentsNewest, tenantID, p, &rows)
	if err != nil {
		return nil, false, err
	}
	list, err = contentsOf(rows, nil)
	return list, more, err
}

// CountContents returns how many posts a filter matches, from a few counter
// rows.
func (db *DB) CountContents(ctx context.Context, tenantID string, f ContentFilter) (n int, err error) {
	b := db.bound()
	q := b.NewSelect().Model((*contentTotalRow)(nil)).ColumnExpr("CAST(COALESCE(SUM(ct.n), 0) AS bigint)").
		Where("ct.tenant_id = ?", b.bind(tenantID)).Where("ct.mission_id = ?", b.bind(f.MissionID)).Where("ct.platform = ?", b.bind(f.Platform))
	if f.Status != "" {
		q.Where("ct.status = ?", b.bind(f.Status))
	}
	err = q.Scan(ctx, &n)
	return n, err
}

// Content returns a tenant's post. Errors: not_found.
func (db *DB) Content(ctx context.Context, tenantID, id string) (mission.Content, error) {
	var row contentRow
	b := db.bound()
	err := b.NewSelect().Model(&row).Where("c.id = ?", b.bind(id)).Where("c.tenant_id = ?", b.bind(tenantID)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Content{}, mission.NotFound("content", id)
	}
	return row.content(), err
}

// ContentMissions returns the missions of those posts that are the tenant's, by
// the posts' ids.
func (tx Tx) ContentMissions(ctx context.Context, tenantID string, ids []string) (map[string]string, error) {
	var rows []contentRow
	err := tx.tx.NewSelect().Model(&rows).Column("id", "mission_id").
		Where("c.tenant_id = ?", tenantID).Where("c.id IN (?)", bun.List(ids)).Scan(ctx)
	missions := make(map[string]string, len(rows))
	for _, r := range rows {
		missions[r.ID] = r.MissionID
	}
	return missions, err
}

// LockContents returns those of the posts that are the tenant's, locked, in the
// order of their ids.
func (tx Tx) LockContents(ctx context.Context, tenantID string, ids []string) ([]mission.Content, error) {
	var rows []contentRow
	err := tx.locking().Model(&rows).Where("c.tenant_id = ?", tenantID).Where("c.id IN (?)", bun.List(ids)).OrderExpr("c.id").Scan(ctx)
	return contentsOf(rows, err)
}

type revisionRow struct {
	bun.BaseModel `bun:"table:content_revisions,alias:r"`

	ContentID       string `bun:",pk"`
	Revision        int    `bun:",pk"`
	TenantID        string
	Format          mission.Format
	Body            string
	Parts           []string
	AuthorID        string `bun:",nullzero"`
	Instructions    string `bun:",nullzero"`
	Verdict         mission.Verdict
	Status          mission.ContentStatus
	RejectionReason *string
	ReviewedBy      string `bun:",nullzero"`
	ReviewedAt      *time.Time
	CreatedAt       time.Time
}

func newRevisionRow(r mission.Revision) revisionRow {
	return revisionRow{
		ContentID: r.ContentID, Revision: r.Revision, TenantID: r.TenantID, Format: r.Format, Body: r.Text, Parts: r.Parts,
		AuthorID: r.AuthorID, Instructions: r.Instructions, Verdict: r.Verdict, Status: r.Status,
		RejectionReason: r.RejectionReason, ReviewedBy: r.ReviewedBy, ReviewedAt: r.ReviewedAt, CreatedAt: r.CreatedAt,
	}
}

func (r revisionRow) revision() mission.Revision {
	return mission.Revision{
		ContentID: r.ContentID, Revision: r.Revision, TenantID: r.TenantID, Format: r.Format, Text: r.Body, Parts: r.Parts,
		AuthorID: r.AuthorID, Instructions: r.Instructions, Verdict: r.Verdict, Status: r.Status,
		RejectionReason: r.RejectionReason, ReviewedBy: r.ReviewedBy, ReviewedAt: utc(r.ReviewedAt), CreatedAt: mission.Millis(r.CreatedAt),
	}
}

// ReviseContent writes a post's new text and keeps the text that it replaces.
// The caller holds its mission's lock. Errors: conflict.
func (tx Tx) ReviseContent(ctx context.Context, ch mission.ContentChange) error {
	old, row := newRevisionRow(*ch.Superseded), newContentRow(ch.To)
	if _, err := tx.insert().Model(&old).Exec(ctx); err != nil {
		return err
	}
	update := tx.tx.NewUpdate().Model(&row).
		Column("format", "body", "parts", "revision", "author_id", "instructions", "verdict").
		WherePK().Where("c.revision = ?", ch.Superseded.Revision)
	if err := tx.must(ctx, update, 1, mission.Conflict("The post's text has changed in the meantime.")); err != nil {
		return err
	}
	return tx.ChangeContent(ctx, ch)
}

// LatestTexts returns the texts of a tenant's latest posts on a platform; a
// thread has one text for each part.
func (db *DB) LatestTexts(ctx context.Context, tenantID string, p mission.Platform, posts int) ([]string, error) {
	var rows []contentRow
	b := db.bound()
	err := b.NewSelect().Model(&rows).Column("body", "parts").Where("c.tenant_id = ?", b.bind(tenantID)).Where("c.platform = ?", b.bind(p)).
		OrderExpr("c.created_at DESC, c.id DESC").Limit(int64(posts)).Scan(ctx)
	var texts []string
	for _, r := range rows {
		texts = append(texts, mission.Content{Text: r.Body, Parts: r.Parts}.Texts()...)
	}
	return texts, err
}

// Beginnings returns the first characters of the texts of a mission's posts.
func (db *DB) Beginnings(ctx context.Context, missionID string, characters int) (texts []string, err error) {
	b := db.bound()
	err = b.NewSelect().Model((*contentRow)(nil)).ColumnExpr("substr(c.body, 1, ?)", b.bind(characters)).
		Where("c.mission_id = ?", b.bind(missionID)).Scan(ctx, &texts)
	return texts, err
}

// maxRevisions is the maximum number of revisions that are returned of a post.
const maxRevisions = 100
