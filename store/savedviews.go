package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// viewsRow is what a user has saved.
type viewsRow struct {
	bun.BaseModel `bun:"table:users,alias:u"`

	Views []mission.SavedView `bun:"type:jsonb"`
}

func (r viewsRow) views() []mission.SavedView { return r.Views }

// Views returns the lists of posts that a tenant's user has saved. Errors: not_found.
func (db *DB) Views(ctx context.Context, tenantID, id string) ([]mission.SavedView, error) {
	return readViews(ctx, db.read, db.NewSelect(), tenantID, id)
}

// LockViews is Views, and locks the user.
func (tx Tx) LockViews(ctx context.Context, tenantID, id string) ([]mission.SavedView, error) {
	return readViews(ctx, tx.on, tx.locking(), tenantID, id)
}

func readViews(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID, id string) ([]mission.SavedView, error) {
	return readOne(ctx, on, q.Where("u.id = ?", id).Where("u.tenant_id = ?", tenantID), viewsRow.views, "member", id)
}

// SetViews writes the lists of posts that a tenant's user has saved.
func (tx Tx) SetViews(ctx context.Context, tenantID, id string, views []mission.SavedView) error {
	row := viewsRow{Views: views}
	q := tx.NewUpdate().Model(&row).Column("views").Where("id = ?", id).Where("tenant_id = ?", tenantID)
	return tx.must(ctx, q, 1, mission.NotFound("member", id))
}
