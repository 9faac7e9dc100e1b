package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type measurementRow struct {
	bun.BaseModel `bun:"table:measurements,alias:ms"`

	ContentID   string `bun:",pk"`
	Step        int    `bun:",pk"`
	MissionID   string
	Platform    mission.Platform
	PublishedAt time.Time
	MeasuredAt  time.Time
	Metrics     mission.Metrics
}

func (r measurementRow) measurement() mission.Measurement {
	return mission.Measurement{
		ContentID: r.ContentID, MissionID: r.MissionID, Platform: r.Platform, Step: r.Step,
		PublishedAt: mission.Millis(r.PublishedAt), At: mission.Millis(r.MeasuredAt), Metrics: r.Metrics,
	}
}

// PostsToMeasure returns up to limit of a mission's posts that are to be
// measured by a time, the longest due first, without their texts.
func (db *DB) PostsToMeasure(ctx context.Context, tenantID, missionID string, by time.Time, limit int) ([]mission.Content, error) {
	var rows []contentRow
	b := db.bound()
	err := b.NewSelect().Model(&rows).ExcludeColumn("body", "parts").
		Where("c.mission_id = ?", b.bind(missionID)).Where("c.tenant_id = ?", b.bind(tenantID)).Where("c.measure_at IS NOT NULL").
		Where("c.measure_at <= ?", b.bind(by)).OrderExpr("c.measure_at").Limit(int64(limit)).Scan(ctx)
	return contentsOf(rows, err)
}

// LockMetrics returns the platforms, publication times and current metrics of a
// mission's posts, and locks them.
func (tx Tx) LockMetrics(ctx context.Context, missionID string, ids []string) ([]mission.Content, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []contentRow
	b := tx.bound()
	err := tx.lock(b.NewSelect()).Model(&rows).Column("id", "mission_id", "platform", "metrics", "unusual", "published_at").
		Where(b.among("c.id", ids)).Where("c.mission_id = ?", b.bind(missionID)).OrderExpr("c.id").Scan(ctx)
	return contentsOf(rows, err)
}

// AddMeasurements inserts points of posts' series. An existing point of the
// same step is overwritten.
func (tx Tx) AddMeasurements(ctx context.Context, points []mission.Measurement) error {
	if len(points) == 0 {
		return nil
	}
	rows := make([]measurementRow, len(points))
	for i, p := range points {
		rows[i] = measurementRow{
			ContentID: p.ContentID, Step: p.Step, MissionID: p.MissionID, Platform: p.Platform,
			PublishedAt: p.PublishedAt, MeasuredAt: p.At, Metrics: p.Metrics,
		}
	}
	_, err := tx.insert().Model(&rows).On("CONFLICT (content_id, step) DO UPDATE").
		Set("measured_at = EXCLUDED.measured_at").Set("metrics = EXCLUDED.metrics").Exec(ctx)
	return err
}

// peerPosts is the maximum number of posts that others are compared with.
const peerPosts = 100

// Peers returns a mission's measurements at the given keys, those of the latest
// posts first, at most 100 each.
func (tx Tx) Peers(ctx context.Context, missionID string, keys []mission.PeerKey) (mission.Peers, error) {
	named, names := map[string]mission.PeerKey{}, make([]string, len(keys))
	for i, k := range keys {
		names[i] = strconv.Itoa(i)
		named[names[i]] = k
	}
	var rows []measurementRow
	err := perParent(ctx, tx.tx, &rows, names, func(name string) *bun.SelectQuery {
		return tx.tx.NewSelect().Model((*measurementRow)(nil)).Where("ms.mission_id = ?", missionID).
			Where("ms.step = ?", named[name].Step).Where("ms.platform = ?", named[name].Platform).
			OrderExpr("ms.published_at DESC, ms.content_id DESC").Limit(peerPosts)
	})
	peers := mission.Peers{}
	for _, r := range rows {
		k := mission.PeerKey{Platform: r.Platform, Step: r.Step}
		peers[k] = append(peers[k], r.measurement())
	}
	return peers, err
}

// KeepAssessment writes the result of measuring a mission, with its events. The
// caller holds the mission's lock and has added the points.
func (tx Tx) KeepAssessment(ctx context.Context, m mission.Mission, a mission.Assessment) error {
	if err := tx.setMetrics(ctx, a); err != nil {
		return err
	}
	_, err := tx.tx.NewUpdate().Model(&missionRow{ID: m.ID, Totals: a.Totals, Achieved: a.Achieved, Trends: a.Trends}).
		Column("totals", "achieved", "trends").WherePK().Exec(ctx)
	if err != nil {
		return err
	}
	if err := tx.addEvents(ctx, a.Events); err != nil {
		return err
	}
	return tx.addDays(ctx, m, a.Days)
}

// setMetrics writes the latest figures of posts, in one statement, and which
// posts are unusual.
func (tx Tx) setMetrics(ctx context.Context, a mission.Assessment) error {
	if len(a.Points) == 0 {
		return nil
	}
	rows := make([]contentRow, len(a.Points))
	for i, p := range a.Points {
		rows[i] = contentRow{ID: p.ContentID, Metrics: p.Metrics, MeasuredAt: &p.At}
	}
	if _, err := tx.tx.NewUpdate().Model(&rows).Column("metrics", "measured_at").Bulk().Exec(ctx); err != nil || len(a.Unusual) == 0 {
		return err
	}
	_, err := tx.tx.NewUpdate().Model((*contentRow)(nil)).Set("unusual = ?", true).Where("id IN (?)", bun.List(a.Unusual)).Exec(ctx)
	return err
}

// SetMeasureAt writes when posts are measured next, by id; nil is never again.
func (tx Tx) SetMeasureAt(ctx context.Context, next map[string]*time.Time) error {
	if len(next) == 0 {
		return nil
	}
	rows := make([]contentRow, 0, len(next))
	for id, at := range next {
		rows = append(rows, contentRow{ID: id, MeasureAt: at})
	}
	_, err := tx.tx.NewUpdate().Model(&rows).Column("measure_at").Bulk().Exec(ctx)
	return err
}

// NextMeasure returns when a mission's next post is to be measured; ok is false
// if there is none.
func (tx Tx) NextMeasure(ctx context.Context, missionID string) (at time.Time, ok bool, err error) {
	var row contentRow
	b := tx.bound()
	err = b.NewSelect().Model(&row).Column("measure_at").Where("c.mission_id = ?", b.bind(missionID)).
		Where("c.measure_at IS NOT NULL").OrderExpr("c.measure_at").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return at, false, nil
	}
	if err != nil {
		return at, false, err
	}
	return *utc(row.MeasureAt), true, nil
}

// MeasureBy schedules measuring a mission's posts at a time, unless its task is
// due earlier.
func (tx Tx) MeasureBy(ctx context.Context, m mission.Mission, at, now time.Time) error {
	return tx.wroteTasks(tx.db.insertMeasure(ctx, tx.insert(), m, at, now))
}

func (db *DB) insertMeasure(ctx context.Context, insert *bun.InsertQuery, m mission.Mission, at, now time.Time) (sql.Result, error) {
	t := mission.NewTask(m, mission.TaskMissionMeasure, m.ID, at)
	row := taskRow{
		ID: db.NewID(mission.PrefixTask, now), TenantID: t.TenantID, MissionID: t.MissionID, Type: t.Type, Queue: t.Queue,
		Subject: t.Subject, RunAt: t.RunAt, DispatchAt: db.dispatchAt(t.RunAt, now), State: t.State, CreatedAt: now,
	}
	return insert.Model(&row).On("CONFLICT (mission_id) WHERE type = 'mission:measure' DO UPDATE").
		Set("run_at = EXCLUDED.run_at").Set("ring_at = EXCLUDED.ring_at").
		Where("t.run_at > EXCLUDED.run_at").Exec(ctx)
}

// Learned returns what a mission has learned; the zero value if it hasn't yet.
func (tx Tx) Learned(ctx context.Context, missionID string) (mission.Learning, error) {
	var row learningRow
	b := tx.bound()
	err := b.NewSelect().Model(&row).Where("ml.mission_id = ?", b.bind(missionID)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return row.Learned, err
}

// SetLearned stores what a mission learned.
func (tx Tx) SetLearned(ctx context.Context, missionID string, l mission.Learning, now time.Time) error {
	row := learningRow{MissionID: missionID, Learned: l, LearnedAt: now}
	_, err := tx.insert().Model(&row).On("CONFLICT (mission_id) DO UPDATE").
		Set("learned = EXCLUDED.learned").Set("learned_at = EXCLUDED.learned_at").Exec(ctx)
	return err
}

type learningRow struct {
	bun.BaseModel `bun:"table:mission_learning,alias:ml"`

	MissionID string `bun:",pk"`
	Learned   mission.Learning
	LearnedAt time.Time
}

// RipePosts returns a mission's latest posts that were measured at
// mission.RipeAge, latest first, with the figures that they had then.
func (tx Tx) RipePosts(ctx context.Context, missionID string, platforms []mission.Platform, limit int) ([]mission.Content, error) {
	var rows []contentRow
	names := make([]string, len(platforms))
	for i, p := range platforms {
		names[i] = string(p)
	}
	err := tx.db.perParent(ctx, tx.bound(), &rows, names, func(b *binding, platform any) *bun.SelectQuery {
		return b.NewSelect().Model((*measurementRow)(nil)).
			ColumnExpr("c.id, c.mission_id, c.platform, c.format, c.angle, c.published_at, ms.metrics").
			Join("JOIN contents AS c ON c.id = ms.content_id").
			Where("ms.mission_id = ?", b.bind(missionID)).Where("ms.step = ?", mission.RipeStep).Where("ms.platform = ?", platform).
			OrderExpr("ms.published_at DESC, ms.content_id DESC").Limit(int64(limit / max(len(platforms), 1)))
	})
	return contentsOf(rows, err)
}
