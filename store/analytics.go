package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type missionDayRow struct {
	bun.BaseModel `bun:"table:mission_days,alias:md"`

	MissionID string           `bun:",pk"`
	Date      string           `bun:",pk"`
	Platform  mission.Platform `bun:",pk"`
	Metrics   mission.Metrics
}

// AddDays moves the figures of a mission's days. The caller holds the
// mission's lock.
func (tx Tx) AddDays(ctx context.Context, missionID string, changes []mission.DayFigures) error {
	if len(changes) == 0 {
		return nil
	}
	dates := make([]string, len(changes))
	for i, c := range changes {
		dates[i] = c.Date
	}
	var kept []missionDayRow
	err := tx.tx.NewSelect().Model(&kept).Where("md.mission_id = ?", missionID).Where("md.date IN (?)", bun.List(dates)).Scan(ctx)
	if err != nil {
		return err
	}
	before := map[missionDayKey]mission.Metrics{}
	for _, row := range kept {
		before[missionDayKey{row.Date, row.Platform}] = row.Metrics
	}
	rows := make([]missionDayRow, len(changes))
	for i, c := range changes {
		rows[i] = missionDayRow{
			MissionID: missionID, Date: c.Date, Platform: c.Platform, Metrics: before[missionDayKey{c.Date, c.Platform}].Plus(c.Metrics),
		}
	}
	_, err = tx.tx.NewInsert().Model(&rows).
		On("CONFLICT (mission_id, date, platform) DO UPDATE").Set("metrics = EXCLUDED.metrics").Exec(ctx)
	return err
}

type missionDayKey struct {
	date     string
	platform mission.Platform
}

// Days answers the figures of a mission's days: one row a day and platform.
func (db *DB) Days(ctx context.Context, missionID string) ([]mission.DayFigures, error) {
	var rows []missionDayRow
	err := db.read.NewSelect().Model(&rows).Where("md.mission_id = ?", missionID).OrderExpr("md.date, md.platform").Scan(ctx)
	days := make([]mission.DayFigures, len(rows))
	for i, r := range rows {
		days[i] = mission.DayFigures{Date: r.Date, Platform: r.Platform, Metrics: r.Metrics}
	}
	return days, err
}
