package tasks_test

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/store"
	"missiond/tasks"
)

// commands returns how many commands a Redis has run since its statistics were reset,
// those of scripts included.
func commands(t *testing.T, client *redis.Client) (n int) {
	t.Helper()
	stats, err := client.Info(t.Context(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, calls := range regexp.MustCompile(`:calls=(\d+)`).FindAllStringSubmatch(stats, -1) {
		count, err := strconv.Atoi(calls[1])
		if err != nil {
			t.Fatal(err)
		}
		n += count
	}
	return n
}

// An idle process with a worker asks Redis for little.
func TestIdleWorkerAsksLittle(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	server, client := testkit.OwnRedis(t)
	p := start(t, testkit.SQLite(t, store.Options{Timing: tasks.Timing(clock.Real())}), server.URL(), world.PlainWriter{}, 0)
	defer p.stop()
	await.Until(t, "a worker that waits", p.worker.Waits)
	p.Must(client.ConfigResetStat(t.Context()).Err())
	const seconds, most = 6, 25 // the heartbeats of 5 s may fall into it twice
	_ = clock.Sleep(t.Context(), seconds*time.Second)
	if n := commands(t, client); n > seconds*most {
		t.Errorf("got %d commands in %d s, want at most %d a second", n, seconds, most)
	}
}

// apart is a process whose worker gets notices through Redis alone, and never looks
// for tasks without one.
func apart(t *testing.T, url string) *process {
	t.Helper()
	p := start(t, testkit.SQLite(t, store.Options{Timing: tasks.Timing(clock.Real())}), url, world.PlainWriter{}, 0)
	p.worker.Stop()
	own := p.Parts
	own.Queue = tasks.NewQueue(p.redis, own.Clock, time.Hour)
	p.worker = tasks.NewWorker(own)
	p.worker.OnlyNotices()
	p.Must(p.worker.Start())
	return p
}

// A worker that waits handles what another process enqueues, and a worker that waits
// ends at once.
func TestNoticesOfOtherProcesses(t *testing.T) {
	for name, url := range map[string]func(testing.TB) string{"embedded": testkit.Miniredis, "server": testkit.Redis} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apart(t, url(t))
			defer p.stop()
			for range 3 {
				await.Until(t, "a worker that waits", p.worker.Waits)
				created := p.Create(world.OneDay)
				await.Until(t, "a job that is done", p.jobDone(created.ID))
			}
			await.Until(t, "a worker that waits", p.worker.Waits)
		})
	}
}

// A worker whose subscription is lost polls, and listens again once it can.
func TestPollsWithoutNotices(t *testing.T) {
	t.Parallel()
	server, client := testkit.OwnRedis(t)
	p := apart(t, server.URL())
	defer p.stop()
	await.Until(t, "a worker that waits", p.worker.Waits)
	forbid := func(rule string) {
		p.Must(client.Do(t.Context(), "ACL", "SETUSER", "default", rule).Err())
	}
	forbid("-subscribe")
	p.Must(client.Do(t.Context(), "CLIENT", "KILL", "TYPE", "pubsub").Err())
	await.Until(t, "a worker without notices", func() bool { return !p.worker.Listens() })
	created := p.Create(world.OneDay)
	await.Until(t, "a job that is done", p.jobDone(created.ID))
	forbid("+subscribe")
	await.Until(t, "a worker that waits", p.worker.Waits)
}
