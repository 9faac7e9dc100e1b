package testkit

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"missiond/internal/servers"
	"missiond/internal/testkit/await"
)

// OwnRedis starts a Redis that is the test's alone, which it may harm, with further
// settings (as in "--maxmemory", "1gb"), and returns a client of it. Where Redis isn't
// installed the test fails in CI, and is skipped loudly elsewhere.
func OwnRedis(t testing.TB, settings ...string) (*servers.Redis, *redis.Client) {
	t.Helper()
	ctx, cancel := await.Context()
	defer cancel()
	server, err := servers.StartRedis(ctx, t.TempDir(), settings...)
	if err != nil {
		NotStarted(t, "a Redis of its own", err)
	}
	Cleanup(t, server.Kill)
	client := redis.NewClient(&redis.Options{Addr: server.Addr})
	Cleanup(t, func() { _ = client.Close() })
	return server, client
}

// RedisSentinels starts a Redis with a replica and sentinels. Where Redis Sentinel isn't
// installed the test fails in CI, and is skipped loudly elsewhere.
func RedisSentinels(t testing.TB) *servers.RedisSentinels {
	t.Helper()
	ctx, cancel := await.Context()
	defer cancel()
	s, err := servers.StartRedisSentinels(ctx, t.TempDir())
	if err != nil {
		NotStarted(t, "Redis Sentinel", err)
	}
	Cleanup(t, s.Kill)
	return s
}
