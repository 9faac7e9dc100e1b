package store

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type revisionRow struct {
	bun.BaseModel `bun:"table:content_revisions,alias:r"`
	mission.Revision
}

func (r revisionRow) revision() mission.Revision { return r.Revision }

// ReviseContent writes a post's new text and keeps the text that it replaces, and at most 100 of those before.
// The caller holds its mission's lock. Errors: conflict.
func (tx Tx) ReviseContent(ctx context.Context, ch mission.ContentChange) error {
	old, row := revisionRow{Revision: *ch.Superseded}, newContentRow(ch.To)
	before := mission.Content{Media: ch.Superseded.Media}.MediaIDs()
	if err := tx.useMedia(ctx, []mission.Content{ch.To}, map[string][]string{ch.To.ID: before}); err != nil {
		return err
	}
	if err := tx.write(ctx, tx.NewInsert().Model(&old)); err != nil {
		return err
	}
	if err := tx.dropRevisions(ctx, *ch.Superseded); err != nil {
		return err
	}
	tx.countTexts(ch.To.TenantID, ch.To.MissionID, ch.To.TextBytes())
	update := tx.NewUpdate().Model(&row).
		Column("format", "body", "parts", "media", "revision", "author_id", "instructions", "writer", "verdict", "facts", "disclosed", "outgoing").
		WherePK().Where("c.revision = ?", database.Int(ch.Superseded.Revision))
	if err := tx.must(ctx, update, 1, mission.Conflict("The post's text has changed in the meantime.")); err != nil {
		return err
	}
	if err := tx.write(ctx, tx.setTexts(ch.To)); err != nil {
		return err
	}
	return tx.ChangeContent(ctx, ch)
}

// dropRevisions deletes the texts of a post that no longer can be read, once it has another.
func (tx Tx) dropRevisions(ctx context.Context, superseded mission.Revision) error {
	last := superseded.Revision - maxRevisions
	if last <= 0 {
		return nil
	}
	return tx.write(ctx, tx.NewDelete().Model((*revisionRow)(nil)).
		Where("content_id = ?", superseded.ContentID).Where("revision <= ?", database.Int(last)))
}

// maxRevisions is the maximum number of replaced texts that are kept of a post.
const maxRevisions = 100

// TextPage selects earlier texts of a post: at most Most of them, the latest before the text with the number Before; 0 is
// the most that there are, and before the post's own.
type TextPage struct{ Most, Before int }

// Of returns those of a post's texts, the current one first, that are on the page.
func (p TextPage) Of(texts []mission.Revision) []mission.Revision {
	if p.Before > 0 {
		texts = slices.DeleteFunc(texts, func(r mission.Revision) bool { return r.Revision >= p.Before })
	}
	if p.Most > 0 && p.Most < len(texts) {
		return texts[:p.Most]
	}
	return texts
}

// RevisionsOf returns the replaced texts of each of a tenant's posts, latest
// first, by the posts' ids: at most 100 of each.
func (db *DB) RevisionsOf(ctx context.Context, tenantID string, contentIDs []string, page TextPage) (map[string][]mission.Revision, error) {
	rows, err := readPerParent[revisionRow](ctx, db, contentIDs, func(id any) *bun.SelectQuery {
		return revisionsOf(db.NewSelect(), tenantID, page).Where("r.content_id = ?", id)
	})
	return byPost(rows), err
}

func revisionsOf(q *bun.SelectQuery, tenantID string, page TextPage) *bun.SelectQuery {
	q = q.Model((*revisionRow)(nil)).Where("r.tenant_id = ?", tenantID).OrderExpr("r.revision DESC")
	if page.Before > 0 {
		q = q.Where("r.revision < ?", page.Before)
	}
	if page.Most == 0 || page.Most > maxRevisions {
		page.Most = maxRevisions
	}
	return q.Limit(int64(page.Most))
}

// byPost returns revisions by their posts' ids, latest first.
func byPost(rows []*revisionRow) map[string][]mission.Revision {
	slices.SortStableFunc(rows, func(a, b *revisionRow) int { return b.Revision.Revision - a.Revision.Revision })
	revisions := map[string][]mission.Revision{}
	for _, r := range rows {
		revisions[r.ContentID] = append(revisions[r.ContentID], r.revision())
	}
	return revisions
}
