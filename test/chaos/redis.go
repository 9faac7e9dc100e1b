package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// queue is one of Asynq's queues in Redis: the ids of its tasks, by state.
type queue struct {
	Name string
	// Pending and Active are lists, Lease has the leases of the active tasks.
	Pending, Active, Lease []string
	// Scheduled has the time at which each is due.
	Scheduled map[string]time.Time
	// Past are completed, and shown for a while.
	Past []string
	// Held are the tasks themselves.
	Held map[string]bool
}

// redisState is the content of Redis: the queues, and the other keys with their
// time to live; a negative time is no expiry.
type redisState struct {
	Queues []queue
	Other  map[string]time.Duration
	At     time.Time
}

// readRedis reads the whole content of Redis.
func readRedis(ctx context.Context, r *redis.Client) (redisState, error) {
	s := redisState{Other: map[string]time.Duration{}, At: time.Now()}
	var err error
	if s.Queues, err = readQueues(ctx, r); err != nil {
		return s, err
	}
	keys := r.Scan(ctx, 0, "*", 1000).Iterator()
	for keys.Next(ctx) {
		key := keys.Val()
		name, id, isTask := strings.Cut(strings.TrimPrefix(key, "asynq:{"), "}:t:")
		if i := slices.IndexFunc(s.Queues, func(q queue) bool { return q.Name == name }); isTask && i >= 0 {
			s.Queues[i].Held[id] = true
			continue
		}
		if s.Other[key], err = r.TTL(ctx, key).Result(); err != nil {
			return s, err
		}
	}
	return s, keys.Err()
}

// readQueues reads the queues, without the tasks themselves.
func readQueues(ctx context.Context, r *redis.Client) ([]queue, error) {
	names, err := r.SMembers(ctx, "asynq:queues").Result()
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	queues := make([]queue, 0, len(names))
	for _, name := range names {
		q, err := readQueue(ctx, r, name)
		if err != nil {
			return nil, fmt.Errorf("read the queue %s: %w", name, err)
		}
		queues = append(queues, q)
	}
	return queues, nil
}

// readQueue reads one queue atomically, so that no task moves meanwhile.
func readQueue(ctx context.Context, r *redis.Client, name string) (queue, error) {
	q := queue{Name: name, Scheduled: map[string]time.Time{}, Held: map[string]bool{}}
	key := func(part string) string { return "asynq:{" + name + "}:" + part }
	pipe := r.TxPipeline()
	pending, active := pipe.LRange(ctx, key("pending"), 0, -1), pipe.LRange(ctx, key("active"), 0, -1)
	lease := pipe.ZRange(ctx, key("lease"), 0, -1)
	scheduled := pipe.ZRangeWithScores(ctx, key("scheduled"), 0, -1)
	retry := pipe.ZRangeWithScores(ctx, key("retry"), 0, -1)
	archived, completed := pipe.ZRange(ctx, key("archived"), 0, -1), pipe.ZRange(ctx, key("completed"), 0, -1)
	if _, err := pipe.Exec(ctx); err != nil {
		return q, err
	}
	q.Pending, q.Active, q.Lease = pending.Val(), active.Val(), lease.Val()
	for _, z := range append(scheduled.Val(), retry.Val()...) {
		q.Scheduled[fmt.Sprint(z.Member)] = time.Unix(int64(z.Score), 0)
	}
	q.Past = append(archived.Val(), completed.Val()...)
	return q, nil
}

// rowOf returns the row of the ledger that a queue entry names: the entry's id
// begins with the row's.
func rowOf(bell string) string {
	row, _, _ := strings.Cut(bell, ":")
	return row
}
