package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type postDraftRow struct {
	bun.BaseModel `bun:"table:post_drafts,alias:pd"`
	mission.PostDraft
}

func (r postDraftRow) draft() mission.PostDraft { return r.PostDraft }

// PostDrafts returns a user's drafts, the one that was saved last first.
func (db *DB) PostDrafts(ctx context.Context, tenantID, userID string) ([]mission.PostDraft, error) {
	q := db.NewSelect().Where("pd.tenant_id = ?", tenantID).Where("pd.user_id = ?", userID).
		OrderExpr("pd.updated_at DESC, pd.id DESC").Limit(mission.MaxPostDrafts)
	return findAll(ctx, db.read, q, postDraftRow.draft)
}

// CountPostDrafts returns how many drafts a user has, and how many all of the tenant's. The caller holds the user's lock;
// others may add some meanwhile.
func (tx Tx) CountPostDrafts(ctx context.Context, tenantID, userID string) (own, all int, err error) {
	var n struct{ Own, Everyone int }
	q := tx.NewSelect().Model((*postDraftRow)(nil)).ColumnExpr("count(*) AS everyone").
		ColumnExpr("count(*) FILTER (WHERE pd.user_id = ?) AS own", userID).Where("pd.tenant_id = ?", tenantID)
	err = database.Scan(ctx, tx.on, q, &n)
	return n.Own, n.Everyone, err
}

// LockPostDraft returns a user's draft and locks it. Errors: not_found.
func (tx Tx) LockPostDraft(ctx context.Context, tenantID, userID, id string) (mission.PostDraft, error) {
	q := tx.locking().Where("pd.id = ?", id).Where("pd.tenant_id = ?", tenantID).Where("pd.user_id = ?", userID)
	return readOne(ctx, tx.on, q, postDraftRow.draft, "draft", id)
}

// StorePostDraft writes a draft: a new one, or one that the caller has locked.
func (tx Tx) StorePostDraft(ctx context.Context, d mission.PostDraft) error {
	row := postDraftRow{PostDraft: d}
	return tx.write(ctx, tx.NewInsert().Model(&row).On("CONFLICT (id) DO UPDATE").Set("mission_id = EXCLUDED.mission_id").
		Set("body = EXCLUDED.body").Set("version = EXCLUDED.version").Set("updated_at = EXCLUDED.updated_at"))
}

// DropPostDraft deletes a user's draft. Errors: not_found.
func (tx Tx) DropPostDraft(ctx context.Context, tenantID, userID, id string) error {
	q := tx.NewDelete().Model((*postDraftRow)(nil)).Where("id = ?", id).Where("tenant_id = ?", tenantID).Where("user_id = ?", userID)
	return tx.must(ctx, q, 1, mission.NotFound("draft", id))
}

// dropPostDrafts deletes a user's drafts.
func (tx Tx) dropPostDrafts(ctx context.Context, u mission.User) error {
	return tx.write(ctx, tx.NewDelete().Model((*postDraftRow)(nil)).Where("tenant_id = ?", u.TenantID).Where("user_id = ?", u.ID))
}
