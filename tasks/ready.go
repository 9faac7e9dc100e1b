package tasks

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// Bounds of TryWrite: how long a key lives if it can't be deleted, and how many random
// keys are tried to find one on each master of a cluster.
const (
	trialLife = 10 * time.Second
	maxTrials = 10_000
)

// TryWrite sets and deletes a key on Redis, on a cluster on each of its masters.
// Errors: Redis's, such as those of a server that is out of memory, is read-only or
// whose cluster isn't formed.
func (q *Queue) TryWrite(ctx context.Context) error {
	cluster, ok := q.redis.(*redis.ClusterClient)
	if !ok {
		return tryKey(ctx, q.redis, trialKey())
	}
	var masters atomic.Int64
	err := cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		masters.Add(1)
		return node.Ping(ctx).Err()
	})
	if err != nil {
		return err
	}
	tried := map[string]bool{} // masters, by their addresses
	for trial := 0; trial == 0 || int64(len(tried)) < masters.Load() && trial < maxTrials; trial++ {
		key := trialKey()
		node, err := cluster.MasterForKey(ctx, key)
		if err != nil {
			return err
		}
		if tried[node.Options().Addr] {
			continue
		}
		tried[node.Options().Addr] = true
		if err := tryKey(ctx, cluster, key); err != nil {
			return err
		}
	}
	return nil // a master without slots has no keys
}

func trialKey() string { return "missiond:trial:" + rand.Text() }

func tryKey(ctx context.Context, r redis.Cmdable, key string) error {
	if err := r.Set(ctx, key, "", trialLife).Err(); err != nil {
		return fmt.Errorf("write to Redis: %w", err)
	}
	return r.Del(ctx, key).Err()
}

// Cause names the trouble of Redis that err is of in a word or two, for people who run the
// service: "out of memory", "read-only", "access denied", "starting", "not saving",
// "cluster down", "no such database", or "unreachable" where it says nothing of itself.
func Cause(err error) string {
	var said redis.Error
	if !errors.As(err, &said) {
		return "unreachable"
	}
	for prefix, cause := range causes {
		if strings.HasPrefix(said.Error(), prefix) {
			return cause
		}
	}
	return "unreachable"
}

// causes are the beginnings of Redis's errors that Cause knows.
var causes = map[string]string{
	"OOM ":                         "out of memory",
	"READONLY ":                    "read-only",
	"NOAUTH ":                      "access denied",
	"WRONGPASS ":                   "access denied",
	"NOPERM ":                      "access denied",
	"LOADING ":                     "starting",
	"MISCONF ":                     "not saving",
	"CLUSTERDOWN ":                 "cluster down",
	"ERR DB index is out of range": "no such database",
}
