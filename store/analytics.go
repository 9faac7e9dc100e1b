package store

import (
	"context"
	"time"

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

// AddMeasurement keeps what was measured at a time, and what it makes of the
// mission, with its events. The caller holds the mission's lock.
func (tx Tx) AddMeasurement(ctx context.Context, m mission.Mission, r mission.Measurement, at time.Time) error {
	if err := tx.setMetrics(ctx, r, at); err != nil {
		return err
	}
	if err := tx.addDays(ctx, m.ID, r.Days); err != nil {
		return err
	}
	_, err := tx.tx.NewUpdate().Model(&missionRow{ID: m.ID, Totals: r.Totals, EarlierTotals: m.Totals, Achieved: r.Achieved}).
		Column("totals", "earlier_totals", "achieved").WherePK().Exec(ctx)
	if err != nil {
		return err
	}
	return tx.addEvents(ctx, r.Events)
}

// setMetrics keeps the latest figures of posts, in one statement, and which of
// them are unusual.
func (tx Tx) setMetrics(ctx context.Context, r mission.Measurement, at time.Time) error {
	if len(r.Metrics) == 0 {
		return nil
	}
	rows := make([]contentRow, 0, len(r.Metrics))
	for id, m := range r.Metrics {
		rows = append(rows, contentRow{ID: id, Metrics: m, MeasuredAt: &at})
	}
	if _, err := tx.tx.NewUpdate().Model(&rows).Column("metrics", "measured_at").Bulk().Exec(ctx); err != nil || len(r.Unusual) == 0 {
		return err
	}
	_, err := tx.tx.NewUpdate().Model((*contentRow)(nil)).Set("unusual = ?", true).Where("id IN (?)", bun.List(r.Unusual)).Exec(ctx)
	return err
}

// addDays moves the figures of a mission's days.
func (tx Tx) addDays(ctx context.Context, missionID string, changes []mission.DayFigures) error {
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
