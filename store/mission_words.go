package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type missionWordRow struct {
	bun.BaseModel `bun:"table:mission_words,alias:mw"`

	TenantID  string `bun:",pk"`
	Word      []byte `bun:",pk"`
	MissionID string `bun:",pk"`
}

// addWords indexes the words of a mission's name for searches.
func (tx Tx) addWords(ctx context.Context, m mission.Mission) error {
	rows := wordsOf(m.TenantID, m.ID, m.Name)
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.insert().Model(&rows).Exec(ctx)
	return err
}

func wordsOf(tenantID, missionID, name string) []missionWordRow {
	words := mission.Words(name)
	rows := make([]missionWordRow, len(words))
	for i, w := range words {
		rows[i] = missionWordRow{TenantID: tenantID, Word: []byte(w), MissionID: missionID}
	}
	return rows
}

// following returns the upper bound, in bytes, of the words that begin with
// word: UTF-8 has no byte 0xff.
func following(word string) []byte { return append([]byte(word), 0xff) }
