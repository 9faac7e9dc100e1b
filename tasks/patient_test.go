package tasks

import (
	"context"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/testkit"
	"missiond/store"
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

// waits reports whether all of a worker's servers wait for a notice.
func (w *Worker) waits() bool {
	w.notices.mu.Lock()
	defer w.notices.mu.Unlock()
	return w.notices.listening && w.waiting.Load() == int64(len(w.servers))
}

// An idle process with a worker asks Redis for little.
func TestIdleWorkerAsksLittle(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	server, client := testkit.OwnRedis(t)
	m := start(t, testkit.SQLite(t, store.Options{Timing: Timing(clock.Real())}), server.URL(), plainWriter{}, 0)
	defer m.stop()
	await(t, "a worker that waits", 20*time.Second, m.worker.waits)
	m.must(client.ConfigResetStat(t.Context()).Err())
	const seconds, most = 6, 25 // the heartbeats of 5 s may fall into it twice
	_ = clock.Sleep(t.Context(), seconds*time.Second)
	if n := commands(t, client); n > seconds*most {
		t.Errorf("got %d commands in %d s, want at most %d a second", n, seconds, most)
	}
}

// apart is a machine whose worker gets notices through Redis alone, and never looks
// for tasks without one.
func apart(t *testing.T, url string) *machine {
	t.Helper()
	m := start(t, testkit.SQLite(t, store.Options{Timing: Timing(clock.Real())}), url, plainWriter{}, 0)
	m.worker.Stop()
	own := m.worker.parts
	own.Queue = NewQueue(m.redis, own.Clock, time.Hour)
	m.worker = NewWorker(own)
	for _, c := range m.worker.clients {
		c.backstop = time.Hour
	}
	m.must(m.worker.Start())
	return m
}

// A worker that waits handles what another process enqueues, and a worker that waits
// ends at once.
func TestNoticesOfOtherProcesses(t *testing.T) {
	for name, url := range map[string]func(testing.TB) string{"embedded": testkit.Miniredis, "server": testkit.Redis} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := apart(t, url(t))
			defer m.stop()
			for range 3 {
				await(t, "a worker that waits", 20*time.Second, m.worker.waits)
				created := m.create(oneDay)
				await(t, "a job that is done", 20*time.Second, m.jobDone(created.ID))
			}
			await(t, "a worker that waits", 20*time.Second, m.worker.waits)
		})
	}
}

// A worker whose subscription is lost polls, and listens again once it can.
func TestPollsWithoutNotices(t *testing.T) {
	t.Parallel()
	server, client := testkit.OwnRedis(t)
	m := apart(t, server.URL())
	defer m.stop()
	await(t, "a worker that waits", 20*time.Second, m.worker.waits)
	forbid := func(rule string) {
		m.must(client.Do(t.Context(), "ACL", "SETUSER", "default", rule).Err())
	}
	forbid("-subscribe")
	m.must(client.Do(t.Context(), "CLIENT", "KILL", "TYPE", "pubsub").Err())
	await(t, "a worker without notices", 20*time.Second, func() bool { return !m.worker.notices.complete() })
	created := m.create(oneDay)
	await(t, "a job that is done", 20*time.Second, m.jobDone(created.ID))
	forbid("+subscribe")
	await(t, "a worker that waits", 20*time.Second, m.worker.waits)
}

// A notice that comes while a queue is asked isn't lost: the queue is asked again.
func TestNoticeWhileAsking(t *testing.T) {
	n := newNotices()
	n.setListening(true)
	p := &patient{queues: []string{"q"}, notices: n, backstop: time.Hour, found: map[string]emptiness{}, waiting: &atomic.Int64{}}
	asked := 0
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // a lost notice is waited for
	defer cancel()
	ask := func(meanwhile func()) {
		p.dequeue(ctx, "q", func() *redis.Cmd {
			asked++
			meanwhile()
			cmd := redis.NewCmd(t.Context())
			cmd.SetErr(redis.Nil)
			return cmd
		})
	}
	ask(func() { n.add("q") })
	ask(func() { n.setListening(false); n.setListening(true) })
	ask(func() {})
	if asked != 3 {
		t.Errorf("asked %d times, want 3", asked)
	}
	cancel()
	p.dequeue(ctx, "q", func() *redis.Cmd { t.Error("an empty queue was asked"); return redis.NewCmd(ctx) })
}
