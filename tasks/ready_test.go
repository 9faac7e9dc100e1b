package tasks

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/servers"
	"missiond/internal/testkit"
)

// TryWrite returns an error if Redis responds to pings but accepts no writes.
func TestTryWrite(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	for name, tt := range map[string]struct {
		start   func(ctx context.Context, dir string, settings ...string) (*servers.Redis, error)
		cluster bool
		spoil   func(r *redis.Client) error
		cause   string
	}{
		"out of memory":       {start: servers.StartRedis, spoil: func(r *redis.Client) error { return r.ConfigSet(t.Context(), "maxmemory", "1").Err() }, cause: "out of memory"},
		"read-only":           {start: servers.StartRedis, spoil: func(r *redis.Client) error { return r.ReplicaOf(t.Context(), "127.0.0.1", "1").Err() }, cause: "read-only"},
		"an unformed cluster": {start: servers.StartClusterNode, cluster: true, cause: "cluster down"},
	} {
		t.Run(name, func(t *testing.T) {
			server, err := tt.start(t.Context(), t.TempDir())
			if err != nil {
				testkit.Missing(t, "Redis", "PATH", err)
			}
			defer server.Stop()
			client := redis.NewUniversalClient(&redis.UniversalOptions{Addrs: []string{server.Addr}, IsClusterMode: tt.cluster})
			defer func() { _ = client.Close() }()
			queue := NewQueue(client, clock.Real(), time.Hour)
			if tt.spoil != nil {
				if err := queue.TryWrite(t.Context()); err != nil {
					t.Fatalf("on a sound Redis: %v", err)
				}
				alone := redis.NewClient(&redis.Options{Addr: server.Addr})
				defer func() { _ = alone.Close() }()
				if err := tt.spoil(alone); err != nil {
					t.Fatal(err)
				}
			}
			if err := queue.TryWrite(t.Context()); err == nil || Cause(err) != tt.cause {
				t.Errorf("got %v, whose cause is %q; want %q", err, Cause(err), tt.cause)
			}
		})
	}
}

// On a cluster each master is tried: the keys of one aren't those of another.
func TestTryWriteOnEachMaster(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	cluster := testkit.RedisCluster(t)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: cluster.Addrs()})
	defer func() { _ = client.Close() }()
	queue := NewQueue(client, clock.Real(), time.Hour)
	for _, node := range cluster.Nodes {
		alone := redis.NewClient(&redis.Options{Addr: node.Addr})
		defer func() { _ = alone.Close() }()
		if err := queue.TryWrite(t.Context()); err != nil {
			t.Fatalf("on a sound cluster: %v", err)
		}
		if err := alone.ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
			t.Fatal(err)
		}
		if queue.TryWrite(t.Context()) == nil {
			t.Error("with a master that is out of memory, the cluster is said to take writes")
		}
		if err := alone.ConfigSet(t.Context(), "maxmemory", "0").Err(); err != nil {
			t.Fatal(err)
		}
	}
}
