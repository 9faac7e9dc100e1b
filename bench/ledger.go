package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"missiond/bench/report"
	"missiond/internal/clock"
)

// Tasks of a round: the end of missions that are completed, so that a task's
// effect is none, and what is measured is what the ledger takes itself.
const (
	ledgerTasks = 4000
	// warmTasks are run before the first round.
	warmTasks = 500
	// ledgerMissions are how many of a tenant's missions they are of.
	ledgerMissions = 100
)

// The ids of the tasks of these cases.
const taskRange = `id >= 'tsk_0bench' AND id < 'tsk_0bencj'`

// addTasks adds n tasks that are due, spread over the tenants. No two ever have
// one id: Redis keeps those that are done for a while.
func (b *bench) addTasks(ctx context.Context, n int, state string) error {
	b.added++
	tag, err := b.db.Exec(ctx, `WITH placed AS (
			SELECT id, tenant_id, row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS place FROM missions
			WHERE status = 'completed' AND tenant_id = ANY($4)
		), m AS MATERIALIZED (SELECT id, tenant_id, row_number() OVER (ORDER BY place, tenant_id) - 1 AS n FROM placed WHERE place <= $5)
		INSERT INTO tasks (id, tenant_id, mission_id, type, queue, subject, day, run_at, ring_at, state, lane, attempt, fence, lost, hands, created_at)
		SELECT 'tsk_0bench' || lpad($3, 6, '0') || lpad(i::text, 14, '0'), m.tenant_id, m.id, 'mission:end', 'pipeline', m.id, 0, t.at, t.at, $2, '', 0, 0, 0, 0, t.at
		FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) t, generate_series(1, $1) i
		JOIN m ON m.n = i % (SELECT count(*) FROM m)`, n, state, strconv.Itoa(b.added), idsOf(b.readers), ledgerMissions)
	if err == nil && tag.RowsAffected() != int64(n) {
		err = fmt.Errorf("%d of %d tasks were added", tag.RowsAffected(), n)
	}
	return err
}

// roundLimit bounds how long a round of tasks may take.
const roundLimit = 5 * time.Minute

// soon is how often until asks what costs little.
const soon = 10 * time.Millisecond

var errStuck = errors.New("the work isn't done in time")

// until asks every so often whether something is done, until it is.
func until(ctx context.Context, every time.Duration, done func(ctx context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, roundLimit, errStuck)
	defer cancel()
	for {
		if ok, err := done(ctx); ok || err != nil {
			return err
		}
		if clock.Sleep(ctx, every) != nil {
			return context.Cause(ctx)
		}
	}
}

// untilNone waits until a query of the ids of tenants finds nothing.
func (b *bench) untilNone(ctx context.Context, query string, tenants []tenant) error {
	return until(ctx, soon, func(ctx context.Context) (none bool, err error) {
		err = b.db.QueryRow(ctx, "SELECT NOT EXISTS ("+query+")", idsOf(tenants)).Scan(&none)
		return none, err
	})
}

// runTasks adds n tasks, and returns how many of them are done in a second.
func (b *bench) runTasks(ctx context.Context, n int) (float64, error) {
	if err := b.addTasks(ctx, n, "waiting"); err != nil {
		return 0, err
	}
	left, began := n, time.Now()
	err := until(ctx, soon, func(ctx context.Context) (bool, error) {
		if left == n {
			began = time.Now() // nobody has taken any yet
		}
		err := b.db.QueryRow(ctx, "SELECT count(*) FROM tasks WHERE "+taskRange).Scan(&left)
		return left == 0, err
	})
	return float64(n) / time.Since(began).Seconds(), err
}

// ledger is tasks through dispatcher, Asynq, claim and settle.
func (b *bench) ledger(ctx context.Context) ([]report.Row, error) {
	if _, err := b.work(ctx); err != nil {
		return nil, err
	}
	bare, err := b.openBare(ctx)
	if err != nil {
		return nil, err
	}
	defer bare.close()
	if _, err := b.runTasks(ctx, b.scaled(warmTasks)); err != nil {
		return nil, err
	}
	n := b.scaled(ledgerTasks)
	r, err := b.inTurns("Ledger: tasks through dispatcher, Asynq, claim, settle", report.AtLeast(0.45),
		func() (float64, error) { return b.runTasks(ctx, n) },
		func() (float64, error) {
			if err := b.addTasks(ctx, n, "parked"); err != nil {
				return 0, err
			}
			return bare.tasks(ctx)
		})
	return []report.Row{r}, err
}
