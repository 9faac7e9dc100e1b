package acceptance

import (
	"testing"
	"time"

	"missiond/internal/testkit"
)

// A Redis that sentinels watch is lost while missions run: the API and the worker go on
// with the replica that is promoted, and every stage is done once.
func TestRedisFailsOver(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	redis := testkit.RedisSentinels(t)
	f := newFleet(t, redis.URL())
	api, worker := f.serve(), f.worker()
	missions := []string{api.start(1, 1), api.start(1, 1)}
	redis.Master.Kill()
	missions = append(missions, api.start(1, 1))
	api.await("a promoted replica", func() bool { return redis.Promoted(t.Context()) == nil })
	promoted := time.Now()
	api.await("Redis well again", func() bool { return api.redis() == "ok" })
	missions = append(missions, api.start(1, 1))
	f.finish(api, missions)
	t.Logf("the jobs are done %s after the promotion", time.Since(promoted))
	f.end(api, []*program{worker})
}
