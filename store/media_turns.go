package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// mediaTurnRow is from when on a tenant's files are examined while others' wait.
type mediaTurnRow struct {
	bun.BaseModel `bun:"table:media_turns,alias:mt"`

	TenantID string `bun:",pk"`
	NextAt   time.Time
}

// addMediaTask adds the task of a file that is to be examined or removed, in the place of those that wait.
// An examination that is under way settles its task itself.
func (tx Tx) addMediaTask(ctx context.Context, m mission.Media) error {
	err := tx.write(ctx, tx.NewDelete().Model((*taskRow)(nil)).Where("tenant_id = ?", m.TenantID).Where("subject = ?", m.ID).
		Where("type IN ('media:process', 'media:examine')").Where("(type = 'media:process' OR state = 'waiting')"))
	if err != nil {
		return err
	}
	next := mission.TaskMedia
	if m.Status == mission.MediaProcessing {
		next = mission.TaskMediaExamine
	}
	return tx.AddTasks(ctx, m.UpdatedAt, mission.NewTenantTask(m.TenantID, next, m.ID, m.UpdatedAt))
}

// ClaimExamining is Claim for the examination of a file that is next, in one statement: of those that are due, the
// first of the tenant that has the fewest under way, and among these the earliest turn. ok is false if none waits that
// others don't claim just now.
func (db *DB) ClaimExamining(ctx context.Context, now time.Time, lease time.Duration) (t mission.Task, ok bool, err error) {
	var row taskRow
	err = database.Scan(ctx, db.write, db.NewRaw(`
WITH ranked AS (
    SELECT w.id AS ranked_id, CASE WHEN mt.next_at > w.run_at THEN mt.next_at ELSE w.run_at END AS turn,
        row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.run_at, w.id)
        + (SELECT count(*) FROM tasks r WHERE r.tenant_id = w.tenant_id AND r.type = 'media:examine' AND r.state = 'running') AS place
    FROM tasks w LEFT JOIN media_turns mt ON mt.tenant_id = w.tenant_id
    WHERE w.type = 'media:examine' AND w.state = 'waiting' AND ?
), free AS `+db.words.materialized+` (
    SELECT tasks.id AS task_id FROM tasks JOIN ranked ON ranked_id = tasks.id WHERE tasks.state = 'waiting'
    ORDER BY place, turn, ranked_id LIMIT 1`+db.words.skipLocked+`
)
UPDATE tasks SET state = 'running', fence = fence + 1, attempt = attempt + 1, lease_until = ?
FROM free WHERE task_id = tasks.id
RETURNING `+dispatchColumns, bun.SafeQuery(db.due(now)), db.leaseEnd(lease)), &row)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Task{}, false, nil
	}
	return row.task(), err == nil, err
}

// ChargeExamining puts off a tenant's next turn by what an examination that has ended took of the processor, in
// domain time; debt bounds it (see mission.NextTurn).
func (db *DB) ChargeExamining(ctx context.Context, tenantID string, now time.Time, cost, debt time.Duration) error {
	return db.Tx(ctx, func(tx Tx) error {
		turn, _, err := findOne(ctx, tx.on, tx.locking().Where("mt.tenant_id = ?", tenantID), func(r mediaTurnRow) time.Time { return r.NextAt })
		if err != nil {
			return err
		}
		row := mediaTurnRow{TenantID: tenantID, NextAt: mission.Millis(mission.NextTurn(turn, now, cost, debt))}
		return tx.write(ctx, tx.NewInsert().Model(&row).On("CONFLICT (tenant_id) DO UPDATE").Set("next_at = EXCLUDED.next_at"))
	})
}

// MediaExamining returns how many of a tenant's files wait to be examined, or are.
func (db *DB) MediaExamining(ctx context.Context, tenantID string) (int, error) {
	return mediaExamining(ctx, db.read, db.NewSelect(), tenantID)
}

// MediaExamining is DB.MediaExamining in the transaction, with what it has written.
func (tx Tx) MediaExamining(ctx context.Context, tenantID string) (int, error) {
	return mediaExamining(ctx, tx.on, tx.NewSelect(), tenantID)
}

func mediaExamining(ctx context.Context, on database.Reader, q *bun.SelectQuery, tenantID string) (n int, err error) {
	var names []string
	for _, k := range append(mission.AllMediaKinds(), "") {
		names = append(names, mediaCounter(k, mission.MediaProcessing))
	}
	err = database.Scan(ctx, on, sumOf(q, tenantID, names), &n)
	return n, err
}
