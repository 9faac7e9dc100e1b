package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// Standing returns how far a mission has come with earning its autonomy, for what w writes, and
// its latest posts by its writer that this is told by. The caller holds the mission's lock.
func (tx Tx) Standing(ctx context.Context, m mission.Mission, w mission.WrittenBy) (mission.Standing, []mission.Content, error) {
	return standing(ctx, tx.on, tx.NewSelect, m, w)
}

// Standing returns how far a mission has come with earning its autonomy.
func (db *DB) Standing(ctx context.Context, m mission.Mission) (mission.Standing, error) {
	s, _, err := standing(ctx, db.read, db.NewSelect, m, mission.WrittenBy{})
	return s, err
}

func standing(
	ctx context.Context, on database.Reader, query func() *bun.SelectQuery, m mission.Mission, w mission.WrittenBy,
) (s mission.Standing, posts []mission.Content, err error) {
	if m.Autonomy == nil {
		return m.Standing(nil, nil, w), nil, nil
	}
	posts, err = findAll(ctx, on, query().Column("id", "origin", "platform", "integration_id", "status", "format", "body", "parts", "media", "first_comment",
		"objective", "repeats", "revision", "writer", "error", "facts", "rests_on", "reviewed_by", "reviewed_at", "created_at", "updated_at").Where("c.mission_id = ?", m.ID).Where("c.origin = 'writer'").
		OrderExpr("c.created_at DESC, c.id DESC").Limit(mission.AutonomyPosts), contentRow.content)
	if err != nil {
		return s, nil, err
	}
	t, err := readOne(ctx, on, query().Column("autonomy_ended").Where("t.id = ?", m.TenantID), tenantRow.tenant, "tenant", m.TenantID)
	return m.Standing(posts, t.AutonomyEnded, w), posts, err
}

// Unreviewed returns the posts of a mission that are to go out without review, locked. The caller
// holds the mission's lock.
func (tx Tx) Unreviewed(ctx context.Context, missionID string) ([]mission.Content, error) {
	q := tx.lock(tx.NewSelect()).Where("c.status IN ('approved', 'scheduled')").Where("c.rests_on IS NOT NULL")
	return findAll(ctx, tx.on, q.Where("c.mission_id = ?", missionID).OrderExpr("c.scheduled_at, c.id"), contentRow.content)
}
