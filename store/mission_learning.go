package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission/learning"
)

type learningRow struct {
	bun.BaseModel `bun:"table:mission_learning,alias:ml"`

	MissionID string `bun:",pk"`
	Learned   learning.Model
	LearnedAt time.Time
}

// Learned returns what a mission has learned; the zero value if it hasn't yet.
func (tx Tx) Learned(ctx context.Context, missionID string) (learning.Model, error) {
	var row learningRow
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model(&row).Where("ml.mission_id = ?", missionID), &row)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return row.Learned, err
}

// SetLearned stores what a mission learned.
func (tx Tx) SetLearned(ctx context.Context, missionID string, l learning.Model, now time.Time) error {
	row := learningRow{MissionID: missionID, Learned: l, LearnedAt: now}
	return tx.write(ctx, tx.NewInsert().Model(&row).On("CONFLICT (mission_id) DO UPDATE").
		Set("learned = EXCLUDED.learned").Set("learned_at = EXCLUDED.learned_at"))
}

// LearnedBy returns what each of a tenant's missions has learned, by mission id.
// Missions that have learned nothing yet are absent.
func (db *DB) LearnedBy(ctx context.Context, tenantID string, missionIDs []string) (map[string]learning.Learned, error) {
	var rows []learningRow
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&rows).Join("JOIN missions AS m ON m.id = ml.mission_id").
		Where("m.tenant_id = ?", tenantID).Where("?", database.In("ml.mission_id", missionIDs)), &rows)
	learned := make(map[string]learning.Learned, len(rows))
	for _, row := range rows {
		learned[row.MissionID] = learning.Learned{Model: row.Learned, At: row.LearnedAt}
	}
	return learned, err
}
