package store

import (
	"context"

	"missiond/internal/database"
	"missiond/mission"
)

// LatestTexts returns the texts of a tenant's latest posts on a platform; a
// thread has one text for each part.
func (db *DB) LatestTexts(ctx context.Context, tenantID string, p mission.Platform, posts int) ([]string, error) {
	var rows []contentRow
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&rows).Column("body", "parts").Where("c.tenant_id = ?", tenantID).Where("c.platform = ?", p).
		OrderExpr("c.created_at DESC, c.id DESC").Limit(int64(posts)), &rows)
	var texts []string
	for _, r := range rows {
		texts = append(texts, r.Texts()...)
	}
	return texts, err
}

// Beginnings returns the first characters of the texts of a mission's posts.
func (db *DB) Beginnings(ctx context.Context, missionID string, characters int) (texts []string, err error) {
	err = database.Scan(ctx, db.read, db.NewSelect().Model((*contentRow)(nil)).ColumnExpr("substr(c.body, 1, ?)", database.Int(characters)).
		Where("c.mission_id = ?", missionID), &texts)
	return texts, err
}
