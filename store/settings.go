package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/clock"
)

const clockSetting = "clock"

// DevClock is a development run's clock as its database stores it.
type DevClock struct {
	clock.Anchor
	// SeenReal is when a process last recorded that it uses the clock.
	SeenReal time.Time `json:"seen_real"`
}

// settingRow is a setting with a value of type T, stored as JSON.
type settingRow[T any] struct {
	bun.BaseModel `bun:"table:settings,alias:st"`

	Name  string `bun:",pk"`
	Value T      `bun:"type:jsonb"`
}

// DevClock returns the clock of the last development run, or nil if the
// database is on real time.
func (db *DB) DevClock(ctx context.Context) (*DevClock, error) {
	var row settingRow[DevClock]
	err := db.read.NewSelect().Model(&row).Where("name = ?", clockSetting).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &row.Value, nil
}

// SetDevClock stores a development run's clock.
func (tx Tx) SetDevClock(ctx context.Context, c DevClock) error {
	_, err := tx.insert().Model(&settingRow[DevClock]{Name: clockSetting, Value: c}).
		On("CONFLICT (name) DO UPDATE").Set("value = EXCLUDED.value").Exec(ctx)
	return err
}
