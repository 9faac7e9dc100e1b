package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type reviewLinkRow struct {
	bun.BaseModel `bun:"table:review_links,alias:l"`
	makerRow
	mission.ReviewLink

	Hash string
	// CompletedAt is when its mission was completed.
	CompletedAt *time.Time `bun:",scanonly"`
}

func (r reviewLinkRow) link() mission.ReviewLink { return r.Under(r.maker(), r.CompletedAt) }

// linksAsTheyAre has a query of links read their makers and missions too, which reviewLinkRow.link needs. A mission that is completed
// doesn't change any more.
func linksAsTheyAre(q *bun.SelectQuery) *bun.SelectQuery {
	return withMaker(q.ColumnExpr("l.*"), "l.created_by").Join("JOIN missions AS m ON m.id = l.mission_id").
		ColumnExpr("CASE WHEN m.status = ? THEN m.updated_at END AS completed_at", mission.StatusCompleted)
}

var reviewLinksNewest = keyset{table: "review_links", noun: "review link", id: "l.id"}

// AddReviewLink inserts a link with an audit log entry. Only its token's hash (SHA-256, hex) is
// stored.
func (tx Tx) AddReviewLink(ctx context.Context, l mission.ReviewLink, hash string, e mission.AuditEntry) error {
	row := reviewLinkRow{ReviewLink: l, Hash: hash}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// WorkingReviewLinks returns how many links work at a time of a mission that isn't completed. The caller holds the
// mission's lock.
func (tx Tx) WorkingReviewLinks(ctx context.Context, missionID string, now time.Time) (int, error) {
	q := joinMaker(tx.NewSelect().Model((*reviewLinkRow)(nil)), "l.created_by").Where("l.mission_id = ?", missionID)
	for _, end := range []string{"l.revoked_at", "l.expires_at", "mk.expires_at", "mk.grace_until"} { // other ends revoke links
		q.Where("(? IS NULL OR ? > ?)", bun.Safe(end), bun.Safe(end), now)
	}
	return database.Count(ctx, tx.on, q)
}

// LockReviewLink returns a tenant's link and locks it. Errors: not_found.
func (tx Tx) LockReviewLink(ctx context.Context, tenantID, id string) (mission.ReviewLink, error) {
	return readOne(ctx, tx.on, tx.lockOf("l", linksAsTheyAre(tx.NewSelect())).Where("l.id = ?", id).Where("l.tenant_id = ?", tenantID), reviewLinkRow.link, "review link", id)
}

// RevokeReviewLink writes the revocation of a link, with an audit log entry.
func (tx Tx) RevokeReviewLink(ctx context.Context, l mission.ReviewLink, e mission.AuditEntry) error {
	if err := tx.write(ctx, tx.NewUpdate().Model((*reviewLinkRow)(nil)).Set("revoked_at = ?", l.RevokedAt).Where("l.id = ?", l.ID)); err != nil {
		return err
	}
	return tx.addAudit(ctx, e)
}

// EndReviewLinksOf revokes a tenant's links that users or API keys made.
func (tx Tx) EndReviewLinksOf(ctx context.Context, tenantID string, makers []string, now time.Time) error {
	if len(makers) == 0 {
		return nil
	}
	return tx.write(ctx, tx.NewUpdate().Model((*reviewLinkRow)(nil)).Set("revoked_at = ?", now).Where("l.tenant_id = ?", tenantID).
		Where("?", database.In("l.created_by", makers)).Where("l.revoked_at IS NULL").Where("l.expires_at > ?", now))
}

// UseReviewLink records that somebody decides or comments with a link.
func (tx Tx) UseReviewLink(ctx context.Context, id string, now time.Time) error {
	return tx.write(ctx, tx.NewUpdate().Model((*reviewLinkRow)(nil)).Set("last_used_at = ?", now).Where("l.id = ?", id))
}

// ReviewLinkHashed returns the link whose token has a hash, with the hash as it is stored; ok is
// false if there is none, or its tenant is to be deleted.
func (db *DB) ReviewLinkHashed(ctx context.Context, hash string) (l mission.ReviewLink, stored string, ok bool, err error) {
	row, ok, err := findOne(ctx, db.read, linksAsTheyAre(db.NewSelect()).Where("l.hash = ?", hash).
		Where("EXISTS (SELECT 1 FROM tenants AS t WHERE t.id = l.tenant_id AND t.deletes_at IS NULL)"),
		func(r reviewLinkRow) reviewLinkRow { return r })
	return row.link(), row.Hash, ok, err
}

// ReviewLink returns a tenant's link. Errors: not_found.
func (db *DB) ReviewLink(ctx context.Context, tenantID, id string) (mission.ReviewLink, error) {
	return readOne(ctx, db.read, linksAsTheyAre(db.NewSelect()).Where("l.id = ?", id).Where("l.tenant_id = ?", tenantID), reviewLinkRow.link, "review link", id)
}

// ReviewLinksByID returns those of a tenant's links that exist, by id.
func (db *DB) ReviewLinksByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.ReviewLink, error) {
	return findMap(ctx, db.read, linksAsTheyAre(db.NewSelect()).Where("l.tenant_id = ?", tenantID).Where("?", database.In("l.id", ids)),
		func(r reviewLinkRow) (string, mission.ReviewLink) { return r.ID, r.link() })
}

// ReviewLinksOf returns the same page of the links of each of a tenant's missions, newest first,
// by the missions' ids. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) ReviewLinksOf(ctx context.Context, tenantID string, missionIDs []string, p Page) (map[string]Listed[mission.ReviewLink], error) {
	return partsOf(ctx, db, reviewLinksNewest, tenantID, p, missionIDs,
		func(id any) *bun.SelectQuery {
			return linksAsTheyAre(db.NewSelect().Model((*reviewLinkRow)(nil))).Where("l.mission_id = ?", id).Where("l.tenant_id = ?", tenantID)
		},
		func(r reviewLinkRow) position { return position{r.MissionID, r.CreatedAt, r.ID} }, reviewLinkRow.link)
}

// CountReviewLinksOf returns how many links each of a tenant's missions has, by the missions' ids.
func (db *DB) CountReviewLinksOf(ctx context.Context, tenantID string, missionIDs []string) (map[string]int, error) {
	return countOf(ctx, db, "review_links", "mission_id", tenantID, missionIDs)
}
