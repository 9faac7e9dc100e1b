package tasks_test

import (
	"context"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/service/missions"
	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// process is a world in real time, with the dispatcher, the sweeper and the workers of a
// process on a real queue.
type process struct {
	*world.World
	redis     redis.UniversalClient
	worker    *tasks.Worker
	publisher *press
	cancel    context.CancelFunc
	running   sync.WaitGroup
}

// press is a process's publisher, which tests can replace before its first post.
type press struct{ world.Publisher }

// eachProcess runs a test on SQLite with the in-process Redis, and on Postgres
// with a real one.
func eachProcess(t *testing.T, w missions.Writer, test func(t *testing.T, p *process)) {
	t.Helper()
	eachProcessOf(t, w, 0, test)
}

// eachProcessOf is eachProcess with a bound on the stages that write concurrently.
func eachProcessOf(t *testing.T, w missions.Writer, writers int, test func(t *testing.T, p *process)) {
	t.Helper()
	for name, servers := range map[string]struct {
		db    func(testing.TB, store.Options) *store.DB
		redis func(testing.TB) string
	}{"embedded": {testkit.SQLite, testkit.Miniredis}, "servers": {testkit.Postgres, testkit.Redis}} {
		t.Run(name, func(t *testing.T) {
			if name == "servers" && testing.Short() {
				t.Skip("short runs use SQLite and the in-process Redis only")
			}
			if name == "embedded" {
				t.Parallel() // each has its own database; those on servers run in turn
			}
			p := start(t, servers.db(t, store.Options{Timing: tasks.Timing(clock.Real())}), servers.redis(t), w, writers)
			defer p.stop()
			test(t, p)
		})
	}
}

func start(t testing.TB, db *store.DB, url string, writer missions.Writer, writers int) *process {
	t.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, db, redis.NewClient(o), writer, writers)
}

// startOn is start on a client's Redis, which stop closes.
func startOn(t testing.TB, db *store.DB, client redis.UniversalClient, writer missions.Writer, writers int) *process {
	t.Helper()
	p := &process{World: world.InRealTime(t, db), redis: client}
	p.Writer, p.publisher = writer, &press{p.Parts.Publisher}
	p.Parts.Queue, p.Parts.Publisher, p.Parts.Writers = tasks.NewQueue(client, p.Parts.Clock, time.Hour), p.publisher, writers
	p.Parts.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	dispatcher, sweeper := tasks.NewDispatcher(p.Parts), tasks.NewSweeper(p.Parts)
	p.running.Go(func() { dispatcher.Run(ctx) })
	p.running.Go(func() { sweeper.Run(ctx) })
	p.worker = tasks.NewWorker(p.Parts)
	p.Must(p.worker.Start())
	return p
}

func (p *process) stop() {
	p.worker.Stop()
	p.cancel()
	p.running.Wait()
	_ = p.redis.Close()
}

func (p *process) jobDone(id string) func() bool {
	return func() bool { return p.Status(id).Pipeline.Status == mission.RunCompleted }
}
