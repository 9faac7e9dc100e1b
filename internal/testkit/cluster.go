package testkit

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"missiond/internal/servers"
	"missiond/internal/testkit/await"
)

// Cluster is a Redis Cluster of a test's own, which it may harm.
type Cluster struct {
	*servers.RedisCluster

	// Client is for what befalls the cluster behind the back of what is tested.
	Client *redis.ClusterClient
}

// RedisCluster starts a cluster of three masters on loopback, each with the
// settings (as in "--maxmemory", "1gb"). Where Redis isn't installed the test
// fails in CI, and is skipped loudly elsewhere.
func RedisCluster(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	ctx, cancel := await.Context()
	defer cancel()
	const masters = 3
	nodes, err := servers.StartRedisCluster(ctx, t.TempDir(), masters, settings...)
	if err != nil {
		NotStarted(t, "a Redis Cluster", err)
	}
	Cleanup(t, nodes.Kill)
	c := &Cluster{RedisCluster: nodes, Client: redis.NewClusterClient(&redis.ClusterOptions{Addrs: nodes.Addrs()})}
	Cleanup(t, func() { _ = c.Client.Close() })
	return c
}

// Holder returns the node that has a key.
func (c *Cluster) Holder(t testing.TB, key string) *servers.Redis {
	t.Helper()
	ctx, cancel := await.Context()
	defer cancel()
	client, err := c.Client.MasterForKey(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range c.Nodes {
		if node.Addr == client.Options().Addr {
			return node
		}
	}
	t.Fatalf("no node on %s", client.Options().Addr)
	return nil
}

// Empty takes all that the cluster holds.
func (c *Cluster) Empty(t testing.TB) {
	t.Helper()
	ctx, cancel := await.Context()
	defer cancel()
	if err := c.Client.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		return node.FlushAll(ctx).Err()
	}); err != nil {
		t.Fatal(err)
	}
}
