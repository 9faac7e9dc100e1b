package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"missiond/bench/limit"
)

// bare is Asynq alone, in this process, whose handlers send one batch each: what
// the ledger and the pipeline are measured against. It has a logical database
// of its own in the same Redis.
type bare struct {
	redis  asynq.RedisClientOpt
	client *asynq.Client
	db     *pgxpool.Pool
}

// bareWorkers are as many as a worker has for the pipeline: both lanes'.
const bareWorkers = 24

func (b *bench) openBare(ctx context.Context) (*bare, error) {
	db, err := limit.Open(ctx, b.url())
	if err != nil {
		return nil, err
	}
	o := asynq.RedisClientOpt{Addr: b.redis.Addr, DB: 1}
	return &bare{redis: o, client: asynq.NewClient(o), db: db}, nil
}

func (a *bare) close() {
	_ = a.client.Close()
	a.db.Close()
}

// run runs a handler until it has returned done n times, and returns how many of them
// it did in a second. enqueue gives it the first tasks.
func (a *bare) run(ctx context.Context, n int, enqueue func() error, handle func(ctx context.Context, t *asynq.Task) (done bool, err error)) (float64, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, roundLimit, errStuck)
	defer cancel()
	server := asynq.NewServer(a.redis, asynq.Config{Concurrency: bareWorkers, TaskCheckInterval: 20 * time.Millisecond, LogLevel: asynq.ErrorLevel})
	var count atomic.Int64
	ended, failed := make(chan struct{}), make(chan error, 1)
	err := server.Start(asynq.HandlerFunc(func(_ context.Context, t *asynq.Task) error {
		done, err := handle(ctx, t)
		switch {
		case err != nil:
			select {
			case failed <- err:
			default:
			}
		case done && count.Add(1) == int64(n):
			close(ended)
		}
		return err
	}))
	if err != nil {
		return 0, err
	}
	defer server.Shutdown()
	began := time.Now()
	if err := enqueue(); err != nil {
		return 0, err
	}
	select {
	case <-ended:
		return float64(n) / time.Since(began).Seconds(), nil
	case err := <-failed:
		return 0, err
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// batch sends statements in one round trip, which is one transaction.
func (a *bare) batch(ctx context.Context, batch *pgx.Batch) error {
	return a.db.SendBatch(ctx, batch).Close()
}

// tasks runs the parked tasks: each is claimed, its mission locked, and
// settled, in one batch.
func (a *bare) tasks(ctx context.Context) (float64, error) {
	rows, err := a.db.Query(ctx, "SELECT id, mission_id FROM tasks WHERE "+taskRange)
	if err != nil {
		return 0, err
	}
	type task struct{ ID, MissionID string }
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[task])
	if err != nil {
		return 0, err
	}
	missions := map[string]string{}
	for _, t := range list {
		missions[t.ID] = t.MissionID
	}
	enqueue := func() error {
		for _, t := range list {
			if _, err := a.client.EnqueueContext(ctx, asynq.NewTask("task", []byte(t.ID)), asynq.MaxRetry(0)); err != nil {
				return err
			}
		}
		return nil
	}
	return a.run(ctx, len(list), enqueue, func(ctx context.Context, t *asynq.Task) (bool, error) {
		id := string(t.Payload())
		batch := &pgx.Batch{}
		batch.Queue(`UPDATE tasks SET state = 'running', fence = fence + 1, attempt = attempt + 1, lease_until = $2 WHERE id = $1 AND state = 'parked'`, id, time.Now().Add(15*time.Second))
		batch.Queue(`SELECT id FROM missions WHERE id = $1 FOR NO KEY UPDATE`, missions[id])
		batch.Queue(`DELETE FROM tasks WHERE id = $1`, id)
		return true, a.batch(ctx, batch)
	})
}
