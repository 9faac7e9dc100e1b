package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/internal/tracing"
	"missiond/mission"
)

// Lane is the part of a queue that a due task goes through.
type Lane string

// The lanes. A tenant's first MaxNormal tasks of a queue go through the normal
// lane and the rest through the bulk lane, so that nobody waits behind another
// tenant's flood.
const (
	LaneNormal Lane = "normal"
	LaneBulk   Lane = "bulk"
)

// MaxNormal is how many tasks of a queue a tenant may have in the normal lane.
const MaxNormal = 8

type taskRow struct {
	bun.BaseModel `bun:"table:tasks,alias:t"`
	mission.Task

	DispatchAt time.Time `bun:"ring_at"`
	Lane       Lane
	LeaseUntil *time.Time
}

// newTaskRow returns the row of a task that is created at now, in a span.
func (db *DB) newTaskRow(t mission.Task, span string, now time.Time) taskRow {
	t.ID, t.CreatedAt, t.Traceparent = db.NewID(mission.PrefixTask, now), now, span
	return taskRow{Task: t, DispatchAt: db.dispatchAt(t.RunAt, now)}
}

func (r taskRow) task() mission.Task { return r.Task }

// AddTasks inserts tasks, created at now. The dispatcher is woken after the
// commit.
func (tx Tx) AddTasks(ctx context.Context, now time.Time, tasks ...mission.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	rows := tx.taskRows(ctx, now, tasks)
	tx.done.tasks = true
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}

// taskRows returns the rows of tasks that are created at now.
func (tx Tx) taskRows(ctx context.Context, now time.Time, tasks []mission.Task) []taskRow {
	rows, span := make([]taskRow, len(tasks)), tracing.Traceparent(ctx)
	for i, t := range tasks {
		rows[i] = tx.db.newTaskRow(t, span, now)
	}
	return rows
}

// AddRecheck adds the task that checks a tenant's posts again, from its first mission on,
// unless one waits: it will see what the transaction writes.
func (tx Tx) AddRecheck(ctx context.Context, tenantID string, now time.Time) error {
	waits, err := tx.RecheckWaits(ctx, tenantID)
	if err != nil || waits {
		return err
	}
	return tx.AddTasks(ctx, now, mission.NewTenantTask(tenantID, mission.TaskTenantRecheck, "", now))
}

// RecheckWaits reports whether a task waits that checks a tenant's posts again from its first
// mission on. The task isn't claimed before the transaction ends.
func (tx Tx) RecheckWaits(ctx context.Context, tenantID string) (bool, error) {
	var ids []string
	err := database.Scan(ctx, tx.on, tx.lock(tx.NewSelect()).Model((*taskRow)(nil)).Column("id").Where("tenant_id = ?", tenantID).
		Where("type = 'tenant:recheck'").Where("subject = ''").Where("state = 'waiting'"), &ids)
	return len(ids) > 0, err
}

// dispatchAt returns when a task with the given run time is dispatched: a
// horizon before that time, or now if that has passed.
func (db *DB) dispatchAt(runAt, now time.Time) time.Time {
	if early := runAt.Add(-db.timing.Horizon); early.After(now) {
		return early
	}
	return now
}

// ParkTasks parks a mission's waiting tasks until it resumes. They leave their
// lane, which makes room for the tenant's other tasks.
func (tx Tx) ParkTasks(ctx context.Context, missionID string) error {
	return tx.write(ctx, tx.NewUpdate().Model((*taskRow)(nil)).Set("state = 'parked'").Set("lane = ''").
		Where("mission_id = ?", missionID).Where("state = 'waiting'"))
}

// ParkedTasks returns a mission's parked tasks: a handful, and one for each
// scheduled post.
func (tx Tx) ParkedTasks(ctx context.Context, missionID string) ([]mission.Task, error) {
	return findAll(ctx, tx.on, tx.NewSelect().Where("t.mission_id = ?", missionID).Where("t.state = 'parked'").
		OrderExpr("t.id"), taskRow.task)
}

// SubjectTasks returns those of a tenant's tasks of some types that are about subjects of some
// missions, by subject: one subject has one task of them at most.
func (db *DB) SubjectTasks(
	ctx context.Context, tenantID string, missionIDs, subjects []string, types []mission.TaskType,
) (map[string]mission.Task, error) {
	q := db.NewSelect().Where("t.tenant_id = ?", tenantID).Where("?", database.In("t.mission_id", missionIDs)).
		Where("?", database.In("t.subject", subjects)).Where("?", database.In("t.type", types))
	return findMap(ctx, db.read, q, func(r taskRow) (string, mission.Task) { return r.Subject, r.task() })
}

// Unpark makes parked tasks wait for their RunAt again, in one statement.
func (tx Tx) Unpark(ctx context.Context, tasks []mission.Task, now time.Time) error {
	if len(tasks) == 0 {
		return nil
	}
	rows := make([]taskRow, len(tasks))
	for i, t := range tasks {
		rows[i] = taskRow{Task: mission.Task{ID: t.ID, State: mission.TaskWaiting, RunAt: t.RunAt}, DispatchAt: tx.db.dispatchAt(t.RunAt, now)}
	}
	tx.done.tasks = true
	return tx.write(ctx, tx.NewUpdate().Model(&rows).Column("state", "run_at", "ring_at", "lane").Bulk())
}

// DropSubjects deletes the tasks of one type of a mission's subjects, in one statement, which
// looks at each of the mission's tasks.
func (tx Tx) DropSubjects(ctx context.Context, missionID string, t mission.TaskType, subjects ...string) error {
	if len(subjects) == 0 {
		return nil
	}
	return tx.write(ctx, tx.NewDelete().Model((*taskRow)(nil)).Where("mission_id = ?", missionID).
		Where("type = ?", t).Where("?", database.In("subject", subjects)))
}

// DropTasks deletes a mission's tasks of the given types, except the one with
// the id but, which the caller holds.
func (tx Tx) DropTasks(ctx context.Context, missionID string, types []mission.TaskType, but string) error {
	return tx.write(ctx, tx.NewDelete().Model((*taskRow)(nil)).Where("mission_id = ?", missionID).
		Where("?", database.In("type", types)).Where("id <> ?", but))
}

// Claim gives the task to the caller under a lease, in one statement. ok is
// false if the task isn't waiting or isn't due at now, or by the database's clock.
func (db *DB) Claim(ctx context.Context, id string, now time.Time, lease time.Duration) (t mission.Task, ok bool, err error) {
	var row taskRow
	err = database.Scan(ctx, db.write, db.NewUpdate().Model(&row).Set("state = 'running'").Set("fence = fence + 1").
		Set("attempt = attempt + 1").Set("lease_until = ?", db.leaseEnd(lease)).
		Where("id = ?", id).Where("state = 'waiting'").Where(db.due(now)).
		Returning(dispatchColumns), &row)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Task{}, false, nil
	}
	return row.task(), err == nil, err
}

// ClaimFree claims several tasks in one statement and skips rows that others
// have locked. It returns the claimed tasks by id.
func (db *DB) ClaimFree(ctx context.Context, ids []string, now time.Time, lease time.Duration) (map[string]mission.Task, error) {
	var rows []taskRow
	err := database.Scan(ctx, db.write, db.NewRaw(`
WITH free AS `+db.words.materialized+` (
    SELECT id AS task_id FROM tasks WHERE ? AND state = 'waiting' AND ?`+db.words.skipLocked+`
)
UPDATE tasks SET state = 'running', fence = fence + 1, attempt = attempt + 1, lease_until = ?
FROM free WHERE task_id = tasks.id
RETURNING `+dispatchColumns, database.In("id", ids), bun.SafeQuery(db.due(now)), db.leaseEnd(lease)), &rows)
	claimed := make(map[string]mission.Task, len(rows))
	for _, r := range rows {
		claimed[r.ID] = r.task()
	}
	return claimed, err
}

// dispatchColumns are the columns that are read of a task that is dispatched or
// claimed.
const dispatchColumns = "id, tenant_id, mission_id, type, queue, subject, day, run_at, lane, state, attempt, fence, lost, hands, created_at, traceparent, trouble, trouble_since"

// Renew restarts the leases of tasks that their holders still work on.
func (db *DB) Renew(ctx context.Context, held []mission.Task, lease time.Duration) error {
	if len(held) == 0 {
		return nil
	}
	ids, fences := make([]string, len(held)), map[string]int64{}
	for i, t := range held {
		ids[i], fences[t.ID] = t.ID, t.Fence
	}
	return db.Tx(ctx, func(tx Tx) error {
		// Rows that others have locked are being settled or dispatched. Waiting
		// for several of them could deadlock.
		var rows []taskRow
		q := tx.NewSelect().Model(&rows).Column("id", "fence").Where("?", database.In("t.id", ids)).Where("t.state = 'running'")
		if tx.db.words.rowLocks {
			q.For("NO KEY UPDATE SKIP LOCKED")
		}
		if err := database.Scan(ctx, tx.on, q, &rows); err != nil {
			return err
		}
		rows = slices.DeleteFunc(rows, func(r taskRow) bool { return r.Fence != fences[r.ID] })
		if len(rows) == 0 {
			return nil
		}
		mine := make([]string, len(rows))
		for i, r := range rows {
			mine[i] = r.ID
		}
		return tx.write(ctx, tx.NewUpdate().Model((*taskRow)(nil)).Set("lease_until = ?", db.leaseEnd(lease)).Where("?", database.In("id", mine)))
	})
}

// Dispatch is a task to be put into its queue.
type Dispatch struct {
	Task mission.Task
	Lane Lane // "" if the task isn't due yet: the queue shows it as scheduled
}

// RunAt returns when a waiting task is due; ok is false if it isn't waiting.
func (db *DB) RunAt(ctx context.Context, id string) (at time.Time, ok bool, err error) {
	return findOne(ctx, db.write, db.NewSelect().Column("run_at").Where("t.id = ?", id).Where("t.state = 'waiting'"), func(r taskRow) time.Time { return r.RunAt })
}

// Dispatch returns up to limit waiting tasks whose time to be dispatched has
// come, and counts the dispatch. The next dispatch of each is at its run_at, or
// when the timing's patience is over. It is one statement, and concurrent
// callers get different tasks. If a crash of the database undoes a dispatch, it
// is repeated: only the claim has to be exact. The limit is in the text: SQLite
// plans for a bound one, and so prepares the statement anew each time.
func (db *DB) Dispatch(ctx context.Context, now time.Time, limit int) ([]Dispatch, error) {
	var rows []taskRow
	err := database.Scan(ctx, db.write, db.NewRaw(`
WITH due AS `+db.words.materialized+` (
    SELECT id, tenant_id, queue, run_at, ring_at, lane, hands FROM tasks
    WHERE state = 'waiting' AND ring_at <= ?now ORDER BY ring_at LIMIT `+strconv.Itoa(limit)+db.words.skipLocked+`
), ranked AS (
    SELECT id AS task_id, run_at <= ?now AS now_due,
        row_number() OVER (PARTITION BY tenant_id, queue, run_at <= ?now ORDER BY ring_at, id)
        + (SELECT count(*) FROM tasks x WHERE x.lane = 'normal' AND x.tenant_id = due.tenant_id AND x.queue = due.queue) AS lane_rank
    FROM due
)
UPDATE tasks SET hands = tasks.hands + 1,
    ring_at = CASE
        WHEN NOT ranked.now_due THEN tasks.run_at
        WHEN tasks.lane = '' THEN ?soon ELSE ?later END,
    lane = CASE
        WHEN NOT ranked.now_due THEN '' WHEN tasks.lane = 'normal' OR ranked.lane_rank <= ?normal THEN 'normal' ELSE 'bulk' END
FROM ranked WHERE task_id = tasks.id`+db.words.unsynced+`
RETURNING `+dispatchColumns, ledgerArgs{
		Now: now, Normal: MaxNormal,
		Soon: now.Add(db.timing.Patience), Later: now.Add(3 * db.timing.Patience),
	}), &rows)
	if err != nil {
		return nil, err
	}
	dispatched := make([]Dispatch, len(rows))
	for i, r := range rows {
		dispatched[i] = Dispatch{Task: r.task(), Lane: r.Lane}
	}
	return dispatched, nil
}

type ledgerArgs struct {
	Now         any
	Normal      int
	Soon, Later any
}

// NextDispatch returns when the next task is to be dispatched; ok is false if
// none is waiting.
func (db *DB) NextDispatch(ctx context.Context) (at time.Time, ok bool, err error) {
	return findOne(ctx, db.read, db.NewSelect().Column("ring_at").Where("t.state = 'waiting'").OrderExpr("t.ring_at").Limit(1), func(r taskRow) time.Time { return r.DispatchAt })
}

// RedispatchAt dispatches tasks again at a time, because their queue didn't
// take them.
func (db *DB) RedispatchAt(ctx context.Context, ids []string, at time.Time) error {
	_, err := db.write.Exec(ctx, db.NewUpdate().Model((*taskRow)(nil)).Set("ring_at = ?", at).
		Where("?", database.In("id", ids)).Where("state = 'waiting'"))
	return err
}

// RedispatchLane dispatches every task again that was dispatched to a lane of a
// queue, because the lane lost them. Tasks that aren't due count as being in
// the normal lane; those that were put off beyond the horizon are dispatched
// when their time comes.
func (db *DB) RedispatchLane(ctx context.Context, queue mission.Queue, lane Lane, now time.Time) error {
	_, err := db.write.Exec(ctx, db.NewUpdate().Model((*taskRow)(nil)).Set("ring_at = ?", now).
		Where("state = 'waiting'").Where("queue = ?", queue).
		Where("(lane = 'bulk') = ?", lane == LaneBulk).Where("hands > 0").
		Where("run_at <= ?", now.Add(db.timing.Horizon)))
	db.onTasks()
	return err
}

// maxLost is how many leases in a row may expire before each further one counts
// as an attempt. A crash of the process isn't the task's failure, but a task
// that crashes its process every time must end.
const maxLost = 10

// ExpireLeases makes tasks wait for a worker again whose lease ends within a
// duration, usually 0. It returns their number.
func (db *DB) ExpireLeases(ctx context.Context, within time.Duration, now time.Time) (int, error) {
	n, err := db.write.Exec(ctx, db.NewUpdate().Model((*taskRow)(nil)).
		Set("state = 'waiting'").Set("lease_until = NULL").Set("lane = ''").
		Set("attempt = CASE WHEN lost < ? THEN attempt - 1 ELSE attempt END", maxLost).Set("lost = lost + 1").
		Set("ring_at = ?", now).Set("hands = 0").
		Where("state = 'running'").Where(db.lapsed("lease_until", within)))
	if n > 0 {
		db.onTasks()
	}
	return n, err
}

// MeasureBy schedules measuring a mission's posts at a time, unless its task is
// due earlier.
func (tx Tx) MeasureBy(ctx context.Context, m mission.Mission, at, now time.Time) error {
	return tx.upsertsTasks(ctx, tx.db.insertMeasure(ctx, tx.NewInsert(), m, at, now))
}

func (db *DB) insertMeasure(ctx context.Context, insert *bun.InsertQuery, m mission.Mission, at, now time.Time) *bun.InsertQuery {
	t := mission.NewTask(m, mission.TaskMissionMeasure, m.ID, at)
	row := db.newTaskRow(t, tracing.Traceparent(ctx), now)
	return insert.Model(&row).On("CONFLICT (mission_id) WHERE type = 'mission:measure' DO UPDATE").
		Set("run_at = EXCLUDED.run_at").Set("ring_at = EXCLUDED.ring_at").
		Where("t.run_at > EXCLUDED.run_at")
}
