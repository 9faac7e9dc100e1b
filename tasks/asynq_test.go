package tasks

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"missiond/internal/clock"
	"missiond/internal/outbound"
	"missiond/internal/seal"
	"missiond/internal/service/accounts"
	"missiond/internal/service/missions"
	"missiond/internal/service/webhooks"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// No goroutine that a test starts may outlive it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryTaskHasAHandler(t *testing.T) {
	w := newWorld(t, testkit.SQLite(t, store.Options{Timing: timing}))
	for task := range mission.TaskTypes() {
		if w.worker.handlers[task] == nil {
			t.Errorf("%s has no handler", task)
		}
	}
}

// machine is the dispatcher, the sweeper and the workers in a process, on a real
// queue and in real time.
type machine struct {
	*world
	redis     redis.UniversalClient
	worker    *Worker
	publisher *press
	sender    *anySender
	cancel    context.CancelFunc
	all       sync.WaitGroup
}

// eachMachine runs a test on SQLite with the in-process Redis, and on Postgres
// with a real one.
func eachMachine(t *testing.T, w missions.Writer, test func(t *testing.T, m *machine)) {
	t.Helper()
	eachMachineOf(t, w, 0, test)
}

// eachMachineOf is eachMachine with a bound on the stages that write concurrently.
func eachMachineOf(t *testing.T, w missions.Writer, writers int, test func(t *testing.T, m *machine)) {
	t.Helper()
	for name, parts := range map[string]struct {
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
			m := start(t, parts.db(t, store.Options{Timing: Timing(clock.Real())}), parts.redis(t), w, writers)
			defer m.stop()
			test(t, m)
		})
	}
}

func start(t testing.TB, db *store.DB, url string, writer missions.Writer, writers int) *machine {
	t.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, db, redis.NewClient(o), writer, writers)
}

// startOn is start on a client's Redis, which stop closes.
func startOn(t testing.TB, db *store.DB, client redis.UniversalClient, writer missions.Writer, writers int) *machine {
	t.Helper()
	m := &machine{redis: client}
	c := clock.Real()
	svc, press := newVerbs(db, missions.Options{Clock: c, Writer: writer, Sandbox: true}), &press{newSandboxRouter(db, c)}
	p := Parts{
		DB: db, Pipeline: svc.Pipeline, Clock: c, Queue: NewQueue(m.redis, c, time.Hour),
		Publisher: press, Writers: writers,
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})), Metrics: NewMetrics(prometheus.NewRegistry()),
	}
	m.world, m.publisher = &world{t: t, db: db, service: svc}, press
	m.tenant = m.makeTenant("Test")
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel = cancel
	dispatcher, sweeper := NewDispatcher(p), NewSweeper(p)
	m.all.Go(func() { dispatcher.Run(ctx) })
	m.all.Go(func() { sweeper.Run(ctx) })
	ring, err := seal.Parse(seal.NewKey())
	m.must(err)
	m.sender = &anySender{}
	p.Accounts = accounts.New(db, accounts.Options{Clock: c, Real: c})
	p.Webhooks = webhooks.New(db, webhooks.Options{Clock: c, Secrets: ring, Rules: outbound.Rules{Local: true}, Sender: m.sender})
	m.worker = NewWorker(p)
	m.must(m.worker.Start())
	return m
}

// anySender is a sender that a test can replace.
type anySender struct{ webhooks.Sender }

// hooks returns the machine's endpoints, to which s sends from now on.
func (m *machine) hooks(s webhooks.Sender) *webhooks.Service {
	m.sender.Sender = s
	return m.worker.parts.Webhooks
}

func (m *machine) stop() {
	m.worker.Stop()
	m.cancel()
	m.all.Wait()
	_ = m.redis.Close()
}

// await waits for a condition, up to limit.
func await(t testing.TB, what string, limit time.Duration, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for !done() {
		if clock.Sleep(ctx, 5*time.Millisecond) != nil {
			t.Fatalf("after %s the condition isn't met: %s", limit, what)
		}
	}
}

func (m *machine) jobDone(id string) func() bool {
	return func() bool { return m.status(id).Pipeline.Status == mission.RunCompleted }
}

func oneDay(in *mission.CreateInput) {
	one := 1
	in.DurationDays, in.Constraints.PostsPerDay = &one, &one
}

// The dashboard shows six stages as done, distant tasks as scheduled, and every
// queue; no stale Asynq task is left.
func TestDashboardShowsTheStages(t *testing.T) {
	eachMachine(t, plainWriter{}, func(t *testing.T, m *machine) {
		created := m.create(func(in *mission.CreateInput) {
			oneDay(in)
			two := 2
			in.DurationDays = &two
		})
		await(t, "a job that is done", 20*time.Second, m.jobDone(created.ID))
		i := asynq.NewInspectorFromRedisClient(m.redis)
		want := []string{"stage:analytics", "stage:content", "stage:intake", "stage:optimize", "stage:publish", "stage:strategy"}
		await(t, "six completed stages on the dashboard", 5*time.Second, func() bool {
			var done []string
			for _, q := range []string{"pipeline"} {
				list, err := i.ListCompletedTasks(q)
				if err != nil {
					return false
				}
				for _, task := range list {
					done = append(done, task.Type)
				}
			}
			slices.Sort(done)
			return slices.Equal(done, want)
		})
		await(t, "every queue listed", 5*time.Second, func() bool {
			queues, err := i.Queues()
			return err == nil && len(queues) == 2*len(mission.AllQueues())
		})
	})
}

// A future task within the horizon is shown as scheduled, and runs at its time or
// slightly later, never earlier.
func TestScheduledTaskRunsAtItsTime(t *testing.T) {
	t.Parallel()
	eachMachine(t, plainWriter{}, func(t *testing.T, m *machine) {
		starts := mission.Millis(time.Now().Add(1700 * time.Millisecond))
		created := m.create(func(in *mission.CreateInput) {
			oneDay(in)
			in.StartImmediately, in.StartsAt = nil, &starts
		})
		i := asynq.NewInspectorFromRedisClient(m.redis)
		await(t, "a scheduled task", 5*time.Second, func() bool {
			list, err := i.ListScheduledTasks("pipeline")
			return err == nil && len(list) == 1 && list[0].Type == string(mission.TaskMissionStart)
		})
		await(t, "the start", 10*time.Second, func() bool { return m.mission(created.ID).Status == mission.StatusActive })
		if late := m.mission(created.ID).UpdatedAt.Sub(starts); late < 0 {
			t.Errorf("it started %s early", -late)
		}
	})
}

// Redis may lose everything at any moment: pending tasks are dispatched again, and
// the dashboard lists the queues again.
func TestRedisEmptied(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	gate := make(chan struct{})
	w := plainWriter{fail: func(mission.Assignment) error { <-gate; return nil }}
	eachMachine(t, w, func(t *testing.T, m *machine) {
		gate = make(chan struct{})
		starts := mission.Millis(time.Now().Add(2 * time.Second))
		running := m.create(oneDay)
		later := m.create(func(in *mission.CreateInput) {
			oneDay(in)
			in.StartImmediately, in.StartsAt = nil, &starts
		})
		await(t, "a stage under way", 10*time.Second, func() bool {
			return m.status(running.ID).Pipeline.Stages.Content.Status == mission.RunRunning
		})
		m.must(m.redis.FlushDB(context.Background()).Err())
		close(gate)
		for _, id := range []string{running.ID, later.ID} {
			await(t, "a job that is done", 30*time.Second, m.jobDone(id))
		}
		i := asynq.NewInspectorFromRedisClient(m.redis)
		await(t, "every queue listed", 5*time.Second, func() bool {
			queues, err := i.Queues()
			return err == nil && len(queues) == 2*len(mission.AllQueues())
		})
	})
}

// A worker that is terminated returns the tasks that it can't finish, and they
// spend no attempt.
func TestStopSpendsNoAttempt(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	var hang sync.Map
	w := hangingWriter{&hang}
	eachMachine(t, w, func(t *testing.T, m *machine) {
		hang.Store("on", true)
		created := m.create(oneDay)
		await(t, "a stage under way", 10*time.Second, func() bool {
			return m.status(created.ID).Pipeline.Stages.Content.Status == mission.RunRunning
		})
		began := time.Now()
		m.worker.Stop()
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("the drain took %s", took)
		}
		hang.Store("on", false)
		m.worker = NewWorker(m.worker.parts)
		m.must(m.worker.Start())
		await(t, "a job that is done", 20*time.Second, m.jobDone(created.ID))
		j, err := m.db.Job(context.Background(), m.tenant.TenantID, *created.PipelineJobID)
		m.must(err)
		if s := j.Stages[mission.StageContent.Index()]; s.Attempts != 1 {
			t.Errorf("the stage took %d attempts, want 1", s.Attempts)
		}
	})
}

// hangingWriter hangs while its switch is on.
type hangingWriter struct{ on *sync.Map }

func (hangingWriter) Price(mission.Assignment) mission.Micros { return 0 }

func (hangingWriter) Remark(mission.Brief) *mission.Failure { return nil }

func (w hangingWriter) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	if on, _ := w.on.Load("on"); on == true {
		<-ctx.Done()
		return mission.Draft{}, ctx.Err()
	}
	return plainWriter{}.Write(ctx, a)
}

// One tenant's flood leaves the normal lane to the others: while all its stages
// hang, another tenant's mission completes.
func TestFloodStarvesNobody(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	var gate chan struct{}
	held := plainWriter{fail: func(a mission.Assignment) error {
		if a.Brief.Description == "held" {
			<-gate
		}
		return nil
	}}
	eachMachine(t, held, func(t *testing.T, m *machine) {
		gate = make(chan struct{})
		flooder := m.tenant
		const flood = 60
		description := "held"
		var ids []string
		for range flood {
			ids = append(ids, m.create(func(in *mission.CreateInput) { oneDay(in); in.Description = &description }).ID)
		}
		m.tenant = m.makeTenant("Other")
		quiet := m.create(oneDay)
		await(t, "the quiet tenant's job", 30*time.Second, m.jobDone(quiet.ID))
		close(gate)
		m.tenant = flooder
		for _, id := range ids {
			await(t, "a job of the flood", 30*time.Second, m.jobDone(id))
		}
	})
}

// press is a machine's publisher, which tests can replace before its first post.
type press struct{ Publisher }

// slowPlatform blocks calls for Twitter until its gate is open, and counts the
// blocked calls.
type slowPlatform struct {
	Publisher

	gate    chan struct{}
	waiting atomic.Int64
	most    atomic.Int64
}

func (p *slowPlatform) Publish(ctx context.Context, via *mission.Integration, part mission.Part) (mission.Publication, error) {
	if part.Content.Platform == mission.Twitter {
		if n := p.waiting.Add(1); n > p.most.Load() {
			p.most.Store(n)
		}
		defer p.waiting.Add(-1)
		select {
		case <-p.gate:
		case <-ctx.Done():
			return mission.Publication{}, ctx.Err()
		}
	}
	return p.Publisher.Publish(ctx, via, part)
}

// A platform that doesn't respond delays only its own posts: however many wait for
// it, another platform's are published in the meantime.
func TestSlowPlatformDelaysItsOwnPosts(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	eachMachine(t, plainWriter{}, func(t *testing.T, m *machine) {
		platform := &slowPlatform{Publisher: m.publisher.Publisher, gate: make(chan struct{})}
		m.publisher.Publisher = platform
		on := func(p mission.Platform) mission.Mission {
			return m.create(func(in *mission.CreateInput) {
				one := 1
				in.Platforms, in.Constraints.PostsPerDay, in.DurationDays = []mission.Platform{p}, &one, &one
			})
		}
		var slow []mission.Mission
		for n := range 4 { // several tenants, to fill the normal lane
			m.tenant = m.makeTenant(fmt.Sprint("slow", n))
			for range 7 {
				slow = append(slow, on(mission.Twitter))
			}
		}
		flooder := m.tenant
		await(t, "a crowd at the slow platform", 30*time.Second, func() bool { return platform.waiting.Load() >= callsPerPlatform })
		m.tenant = m.makeTenant("quick")
		quick := on(mission.LinkedIn)
		await(t, "the other platform's post", 60*time.Second, func() bool { return m.mission(quick.ID).Counts.Published == 1 })
		if most := platform.most.Load(); most > callsPerPlatform {
			t.Errorf("got %d concurrent calls to one platform, want at most %d", most, callsPerPlatform)
		}
		close(platform.gate)
		m.tenant = flooder
		last := slow[len(slow)-1]
		await(t, "the slow platform's posts", 60*time.Second, func() bool { return m.mission(last.ID).Counts.Published == 1 })
	})
}

// Two Asynq tasks of one row that are processed concurrently, with their claims in
// one statement, run the row once.
func TestClaimedOnceTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(Parts{Clock: clock.NewManual(began), Metrics: NewMetrics(prometheus.NewRegistry())})
		defer w.stop()
		statements := 0
		w.claims.Lookup = func(_ context.Context, ids []string) (map[string]*claimed, error) {
			statements++
			<-time.After(time.Second)
			return map[string]*claimed{ids[0]: {Task: mission.Task{ID: ids[0]}}}, nil
		}
		var runs atomic.Int64
		var all sync.WaitGroup
		claim := func(id string) {
			all.Go(func() {
				if c, err := w.claim(t.Context(), id); err != nil {
					t.Error(err)
				} else if c != nil && c.ID == id {
					runs.Add(1)
				}
			})
		}
		claim("tsk_first")
		synctest.Wait()
		for range 8 {
			claim("tsk_twice")
		}
		all.Wait()
		if runs.Load() != 2 || statements != 2 {
			t.Errorf("got %d claims by %d statements, want 2 of each", runs.Load(), statements)
		}
	})
}
