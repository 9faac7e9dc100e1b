package store

import (
	"context"
	"time"

	"missiond/internal/database"
	"missiond/mission"
)

// LedgerLine is the state of the ledger's tasks of a type.
type LedgerLine struct {
	Type mission.TaskType `json:"type"`
	// Waiting tasks have their time ahead; Due ones wait for a worker; Running ones
	// are held by one; Parked ones wait for their missions to resume.
	Waiting int `json:"waiting"`
	Due     int `json:"due"`
	Running int `json:"running"`
	Parked  int `json:"parked"`
	// OldestDue is the time of the task that has been due for the longest time; nil
	// if none is.
	OldestDue *time.Time `json:"oldest_due,omitempty"`
}

// LedgerStatus returns the state of the ledger at now, by type. It reads the whole
// ledger; Backlog is for what is read often.
func (db *DB) LedgerStatus(ctx context.Context, now time.Time) (lines []LedgerLine, err error) {
	due := "t.state = 'waiting' AND t.run_at <= ?"
	err = database.Scan(ctx, db.read, db.NewSelect().Model((*taskRow)(nil)).ColumnExpr("t.type AS type").
		ColumnExpr("sum(CASE WHEN t.state = 'waiting' AND t.run_at > ? THEN 1 ELSE 0 END) AS waiting", now).
		ColumnExpr("sum(CASE WHEN "+due+" THEN 1 ELSE 0 END) AS due", now).
		ColumnExpr("sum(CASE WHEN t.state = 'running' THEN 1 ELSE 0 END) AS running").
		ColumnExpr("sum(CASE WHEN t.state = 'parked' THEN 1 ELSE 0 END) AS parked").
		ColumnExpr("min(CASE WHEN "+due+" THEN t.run_at END) AS oldest_due", now).
		GroupExpr("t.type").OrderExpr("t.type"), &lines)
	return lines, err
}

// Backlog is the part of the ledger that is due, and the deliveries that wait: what is
// measured often. Each count ends at MaxBacklog.
type Backlog struct {
	// Due is the number of due tasks, and OldestDue the earliest time of one, by type.
	Due       map[mission.TaskType]int
	OldestDue map[mission.TaskType]time.Time
	// Troubled is the number of tasks in trouble of the service's own, MaxBacklog at most, and TroubledSince since when the
	// first of them is, by what it is.
	Troubled      map[mission.Trouble]int
	TroubledSince map[mission.Trouble]time.Time
	// Deliveries is the number of webhook deliveries that wait for their next attempt.
	Deliveries int
	// Held reports whether publishing is held.
	Held bool
}

// MaxBacklog bounds the rows that Backlog reads of each kind.
const MaxBacklog = 10000

// Backlog returns the backlog at now. It reads at most MaxBacklog due tasks, those first
// that are dispatched next, and as many deliveries, from partial indexes.
func (db *DB) Backlog(ctx context.Context, now time.Time) (b Backlog, err error) {
	b = Backlog{
		Due: map[mission.TaskType]int{}, OldestDue: map[mission.TaskType]time.Time{},
		Troubled: map[mission.Trouble]int{}, TroubledSince: map[mission.Trouble]time.Time{},
	}
	var rows []struct {
		Type   mission.TaskType
		N      int
		Oldest time.Time
	}
	// A due task that was dispatched is dispatched again later: at most three times the
	// patience.
	due := db.NewSelect().Model((*taskRow)(nil)).Column("type", "run_at").Where("t.state = 'waiting'").
		Where("t.ring_at <= ?", now.Add(3*db.timing.Patience)).Where("t.run_at <= ?", now).
		OrderExpr("t.ring_at").Limit(MaxBacklog)
	err = database.Scan(ctx, db.read, db.NewSelect().TableExpr("(?) AS due", due).ColumnExpr("type, count(*) AS n, min(run_at) AS oldest").
		GroupExpr("type"), &rows)
	if err != nil {
		return b, err
	}
	for _, r := range rows {
		b.Due[r.Type], b.OldestDue[r.Type] = r.N, r.Oldest
	}
	if err := db.countTroubled(ctx, b); err != nil {
		return b, err
	}
	pending := db.NewSelect().TableExpr("deliveries").ColumnExpr("1 AS one").Where("status = 'pending'").Limit(MaxBacklog)
	if err := database.Scan(ctx, db.read, db.NewSelect().TableExpr("(?) AS pending", pending).ColumnExpr("count(*)"), &b.Deliveries); err != nil {
		return b, err
	}
	hold, err := db.PublishingHold(ctx)
	b.Held = hold != nil
	return b, err
}

// countTroubled counts the tasks in trouble into a backlog, from a partial index.
func (db *DB) countTroubled(ctx context.Context, b Backlog) error {
	var rows []struct {
		Trouble mission.Trouble
		N       int
		Since   time.Time
	}
	in := db.NewSelect().Model((*taskRow)(nil)).Column("trouble", "trouble_since").Where("t.trouble IS NOT NULL").Limit(MaxBacklog)
	err := database.Scan(ctx, db.read, db.NewSelect().TableExpr("(?) AS troubled", in).ColumnExpr("trouble, count(*) AS n, min(trouble_since) AS since").
		GroupExpr("trouble"), &rows)
	for _, r := range rows {
		b.Troubled[r.Trouble], b.TroubledSince[r.Trouble] = r.N, r.Since
	}
	return err
}

// PlatformPauses returns how many tenants' calls to each platform are stopped at now,
// because the platform asked for a pause.
func (db *DB) PlatformPauses(ctx context.Context, now time.Time) (map[mission.Platform]int, error) {
	var rows []struct {
		Platform mission.Platform
		N        int
	}
	err := database.Scan(ctx, db.read, db.NewSelect().Model((*holdRow)(nil)).Column("platform").ColumnExpr("count(*) AS n").
		Where("h.until > ?", now).GroupExpr("platform"), &rows)
	holds := map[mission.Platform]int{}
	for _, r := range rows {
		holds[r.Platform] = r.N
	}
	return holds, err
}
