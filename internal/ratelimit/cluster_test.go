package ratelimit

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/redis/go-redis/v9"

	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/mission"
)

// On a cluster, too, processes share each allowance to the last request,
// whichever node has it; and while a node is gone, those of another go on that
// has lost the script.
func TestClusterShares(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test: left out of the inner loop, not of CI")
	}
	t.Parallel()
	cluster := testkit.RedisCluster(t, "--cluster-require-full-coverage", "no")
	o := redis.UniversalOptions{Addrs: cluster.Addrs(), IsClusterMode: true}
	one, two := newLimiterOn(t, o, await.Long(), time.Now), newLimiterOn(t, o, await.Long(), time.Now)
	const tenants, asked = 40, 3
	rate := mission.Rate{Limit: 100, Per: time.Hour}
	buckets := func(i, take int) []Bucket {
		key := fmt.Sprintf("rl:{tenant %d}", i)
		return []Bucket{{key, rate, take}, {key + ":missions.create", rate, take}}
	}
	for i := range tenants {
		for n := range asked {
			for j, v := range []*Limiter{one, two}[n%2].Take(context.Background(), buckets(i, 1)...) {
				if !v.OK || v.Remaining != 100-n-1 {
					t.Errorf("tenant %d's bucket %d after %d: %+v", i, j, n+1, v)
				}
			}
		}
	}
	kept, lost := cluster.Holder(t, buckets(0, 0)[0].Key), cluster.Nodes[0]
	if lost == kept {
		lost = cluster.Nodes[1]
	}
	client, err := cluster.Client.MasterForKey(context.Background(), buckets(0, 0)[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.ScriptFlush(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	lost.Kill()
	for j, v := range two.Take(context.Background(), buckets(0, 1)...) {
		if v.Remaining != 100-asked-1 {
			t.Errorf("with a node gone and the script lost, bucket %d says %+v", j, v)
		}
	}
	for _, l := range []*Limiter{one, two} {
		if n := testutil.ToFloat64(l.alone); n != 0 {
			t.Errorf("%v requests were limited by a process", n)
		}
	}
}
