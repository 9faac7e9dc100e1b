package tasks_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// startOnCluster starts a process on a Redis Cluster.
func startOnCluster(t *testing.T, c *testkit.Cluster) *process {
	t.Helper()
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs(), DialTimeout: time.Second, DialerRetries: 1, ReadTimeout: time.Second})
	return startOn(t, testkit.SQLite(t, store.Options{Timing: tasks.Timing(clock.Real())}), client, world.PlainWriter{}, 0)
}

// Each node of a cluster that is emptied is noticed: the tasks of its queues are
// dispatched again, and the dashboard lists all queues again.
func TestEmptiedNodeIsNoticed(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	cluster := testkit.RedisCluster(t)
	p := startOnCluster(t, cluster)
	defer p.stop()
	i := asynq.NewInspectorFromRedisClient(p.redis)
	listed := func() bool {
		queues, err := i.Queues()
		return err == nil && len(queues) == 2*len(mission.AllQueues())
	}
	await.Until(t, "every queue listed", listed)
	starts := mission.Millis(time.Now().Add(30 * time.Minute))
	p.Create(func(in *mission.CreateInput) {
		world.OneDay(in)
		in.StartImmediately, in.StartsAt = nil, &starts
	})
	scheduled := func() bool {
		list, err := i.ListScheduledTasks("pipeline")
		// One dispatch and the sweeper's first run may enqueue it twice: the first claim
		// runs it.
		return err == nil && len(list) > 0 && list[0].Type == string(mission.TaskMissionStart)
	}
	await.Until(t, "a scheduled task", scheduled)
	for _, key := range []string{tasks.EpochKey("pipeline"), tasks.EpochKey("pipeline_bulk"), tasks.EpochKey("publish")} {
		node, err := cluster.Client.MasterForKey(context.Background(), key)
		p.Must(err)
		p.Must(node.FlushAll(context.Background()).Err())
		await.Until(t, "the node of "+key+" noticed", func() bool { return cluster.Client.Exists(context.Background(), key).Val() == 1 })
		await.Until(t, "every queue listed", listed)
		await.Until(t, "the scheduled task", scheduled)
	}
}

// A lost node delays only its own queues: stages run while nothing can be published,
// and once it is back, empty, the posts are published.
func TestLostNodeDelaysItsOwnQueues(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	cluster := testkit.RedisCluster(t, "--cluster-require-full-coverage", "no")
	p := startOnCluster(t, cluster)
	defer p.stop()
	warm := p.Create(world.OneDay)
	await.Until(t, "a job that is done", p.jobDone(warm.ID))
	lost := cluster.Holder(t, tasks.EpochKey("publish"))
	if lost == cluster.Holder(t, tasks.EpochKey("pipeline")) {
		t.Fatal("bug: all queues are on one node")
	}
	alone := redis.NewClient(&redis.Options{Addr: lost.Addr})
	defer func() { _ = alone.Close() }()
	if err := tasks.NewQueue(alone, clock.Real(), time.Hour).KeepRegistered(context.Background()); err == nil || !strings.Contains(err.Error(), "cluster=true") {
		t.Errorf("with a node as a single Redis got %v", err)
	}
	lost.Kill()
	if p.Parts.Queue.TryWrite(context.Background()) == nil {
		t.Error("a cluster without one of its nodes is reported as reachable")
	}
	first := p.Create(world.OneDay)
	await.Until(t, "a post that waits for its queue", func() bool { return p.Mission(first.ID).Counts.Scheduled == 1 })
	second := p.Create(world.OneDay)
	await.Until(t, "another, behind it", func() bool { return p.Mission(second.ID).Counts.Scheduled == 1 })
	p.Must(lost.Start(context.Background()))
	for _, id := range []string{first.ID, second.ID} {
		await.Until(t, "a job that is done", p.jobDone(id))
	}
}
