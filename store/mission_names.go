package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// missionNameRow is a key under which searches find a mission, with all words of its
// name: mission.SearchKeys.
type missionNameRow struct {
	bun.BaseModel `bun:"table:mission_names,alias:mn"`

	TenantID  string `bun:",pk"`
	Key       []byte `bun:",pk"`
	MissionID string `bun:",pk"`
	Shared    int
	Words     string
}

func nameRows(tenantID, missionID, name string) []missionNameRow {
	keys, words := mission.SearchKeys(name)
	rows := make([]missionNameRow, len(keys))
	for i, k := range keys {
		rows[i] = missionNameRow{TenantID: tenantID, Key: k.Key, MissionID: missionID, Shared: k.Shared, Words: words}
	}
	return rows
}

// addName has searches find a mission by its name.
func (tx Tx) addName(ctx context.Context, m mission.Mission) error {
	rows := nameRows(m.TenantID, m.ID, m.Name)
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}

// dropName has searches no longer find a mission by a name.
func (tx Tx) dropName(ctx context.Context, m mission.Mission, name string) error {
	var keys [][]byte
	for _, r := range nameRows(m.TenantID, m.ID, name) {
		keys = append(keys, r.Key)
	}
	return tx.write(ctx, tx.NewDelete().Model((*missionNameRow)(nil)).Where("tenant_id = ?", m.TenantID).
		Where("key IN (?)", bun.List(keys)).Where("mission_id = ?", m.ID))
}

// fillNames has searches find the missions that are there by their names. It
// commits often, and completes what an earlier call began.
func (db *DB) fillNames(ctx context.Context) error {
	const some = 500
	for last := ""; ; {
		var missions []missionRow
		err := database.Scan(ctx, db.write, db.NewSelect().Model(&missions).Column("id", "tenant_id", "name").
			Where("m.id > ?", last).OrderExpr("m.id").Limit(some), &missions)
		if err != nil || len(missions) == 0 {
			return err
		}
		var rows []missionNameRow
		for _, m := range missions {
			rows = append(rows, nameRows(m.TenantID, m.ID, m.Name)...)
		}
		if _, err := db.write.Exec(ctx, db.NewInsert().Model(&rows).On("CONFLICT DO NOTHING")); err != nil {
			return err
		}
		last = missions[len(missions)-1].ID
	}
}
