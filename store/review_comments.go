package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type reviewCommentRow struct {
	bun.BaseModel `bun:"table:review_comments,alias:rc"`
	mission.ReviewComment
}

func (r reviewCommentRow) comment() mission.ReviewComment { return r.ReviewComment }

var reviewCommentsNewest = keyset{table: "review_comments", noun: "comment", id: "rc.id"}

// AddReviewComment inserts a comment with its event.
func (tx Tx) AddReviewComment(ctx context.Context, c mission.ReviewComment, e mission.Event) error {
	row := reviewCommentRow{ReviewComment: c}
	if err := tx.write(ctx, tx.NewInsert().Model(&row)); err != nil {
		return err
	}
	tx.countTexts(c.TenantID, e.MissionID, c.TextBytes())
	return tx.addEvents(ctx, []mission.Event{e})
}

// CountReviewComments returns how many comments a post has. The caller holds the post's lock.
func (tx Tx) CountReviewComments(ctx context.Context, contentID string) (int, error) {
	return database.Count(ctx, tx.on, tx.NewSelect().Model((*reviewCommentRow)(nil)).Where("rc.content_id = ?", contentID))
}

// LatestReviewComment returns a post's latest comment; ok is false if it has none. The caller holds the
// post's lock.
func (tx Tx) LatestReviewComment(ctx context.Context, contentID string) (c mission.ReviewComment, ok bool, err error) {
	q := named(tx.NewSelect()).Where("rc.content_id = ?", contentID).OrderExpr("rc.created_at DESC, rc.id DESC").Limit(1)
	return findOne(ctx, tx.on, q, reviewCommentRow.comment)
}

// named has a query of comments read their authors' names too.
func named(q *bun.SelectQuery) *bun.SelectQuery {
	return q.ColumnExpr("rc.*").ColumnExpr("COALESCE(u.name, k.name, l.name, '') AS author_name").
		Join("LEFT JOIN users AS u ON u.id = rc.author_id").Join("LEFT JOIN api_keys AS k ON k.id = rc.author_id").
		Join("LEFT JOIN review_links AS l ON l.id = rc.author_id")
}

// ReviewComment returns a comment as it was written in the transaction. Errors: not_found.
func (tx Tx) ReviewComment(ctx context.Context, tenantID, id string) (mission.ReviewComment, error) {
	return readOne(ctx, tx.on, named(tx.NewSelect()).Where("rc.id = ?", id).Where("rc.tenant_id = ?", tenantID), reviewCommentRow.comment, "comment", id)
}

// ReviewCommentsByID returns those of a tenant's comments that exist, by id.
func (db *DB) ReviewCommentsByID(ctx context.Context, tenantID string, ids []string) (map[string]mission.ReviewComment, error) {
	return findMap(ctx, db.read, named(db.NewSelect()).Where("rc.tenant_id = ?", tenantID).Where("?", database.In("rc.id", ids)),
		func(r reviewCommentRow) (string, mission.ReviewComment) { return r.ID, r.comment() })
}

// ReviewCommentsOf returns the same page of the comments of each of a tenant's posts, newest
// first, by the posts' ids. Errors: invalid_request without a param for a foreign cursor.
func (db *DB) ReviewCommentsOf(ctx context.Context, tenantID string, contentIDs []string, p Page) (map[string]Listed[mission.ReviewComment], error) {
	return partsOf(ctx, db, reviewCommentsNewest, tenantID, p, contentIDs,
		func(id any) *bun.SelectQuery {
			return named(db.NewSelect().Model((*reviewCommentRow)(nil))).Where("rc.content_id = ?", id).Where("rc.tenant_id = ?", tenantID)
		},
		func(r reviewCommentRow) position { return position{r.ContentID, r.CreatedAt, r.ID} }, reviewCommentRow.comment)
}

// CountReviewCommentsOf returns how many comments each of a tenant's posts has, by the posts' ids.
func (db *DB) CountReviewCommentsOf(ctx context.Context, tenantID string, contentIDs []string) (map[string]int, error) {
	return countOf(ctx, db, "review_comments", "content_id", tenantID, contentIDs)
}
