package servers

import (
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// A Redis that sentinels watch is lost while missions run: the API and the worker go on
// with the replica that is promoted, and every stage is done once.
func TestRedisFailsOver(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	redis := testkit.RedisSentinels(t)
	f := missiond.NewFleet(t, redis.URL())
	api, worker := f.Serve(), f.Worker()
	missions := []string{api.StartMission(1, 1), api.StartMission(1, 1)}
	redis.Master.Kill()
	missions = append(missions, api.StartMission(1, 1))
	api.Await("a promoted replica", func() bool { return redis.Promoted(t.Context()) == nil })
	promoted := time.Now()
	api.Await("Redis well again", func() bool { return redisState(api) == "ok" })
	missions = append(missions, api.StartMission(1, 1))
	f.Finish(api, missions)
	t.Logf("the jobs are done %s after the promotion", time.Since(promoted))
	f.End(api, []*missiond.Process{worker})
}
