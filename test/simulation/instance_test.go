package simulation

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"missiond/internal/app"
	"missiond/internal/database"
	"missiond/internal/gateway"
	"missiond/internal/id"
	"missiond/internal/outbound"
	"missiond/internal/publisher"
	"missiond/internal/ratelimit"
	"missiond/internal/tracing"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// instances is how many processes there are: each is an API and a worker.
const instances = 2

// maxRuns is how many tasks an instance runs at once.
const maxRuns = 6

// renewEvery is how often an instance renews its leases (tasks.renewEvery).
const renewEvery = 4 * time.Second

// instance is a process of the service.
type instance struct {
	sim *sim
	n   int
	// generation is how often it has been started.
	generation int
	live       bool
	// dying is that it has crashed in a statement, which the loop hasn't noticed yet.
	dying bool
	// ahead is how far its clock is ahead of the database's.
	ahead time.Duration

	db      *store.DB
	app     *app.App
	handler http.Handler
	runner  *tasks.Runner
	conns   map[*conn]bool

	back    time.Time // when it starts again
	frozen  time.Time // nothing of it goes on until then
	renewed time.Time
	runs    int // tasks that it runs
}

func (i *instance) alive() bool { return i.live && !i.dying }

// clock is an instance's.
type instanceClock struct{ *instance }

// Now implements tasks.Clock.
func (c instanceClock) Now() time.Time { return mission.Millis(time.Now().Add(c.ahead)) }

// Until implements tasks.Clock.
func (c instanceClock) Until(domain time.Time) time.Duration { return domain.Sub(c.Now()) }

// Domain implements tasks.Clock.
func (c instanceClock) Domain(real time.Duration) time.Duration { return real }

// template is a database without tenants, made once.
var template = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "missiond-simulation-template-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := folder + "/missiond.db"
	db, err := store.OpenSQLite(path, store.Options{Database: database.Options{Unsynced: true}})
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(context.Background()); err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil { // which writes the log back
		return nil, err
	}
	return os.ReadFile(path)
})

// migrate writes the database's file.
func (s *sim) migrate() {
	content, err := template()
	if err == nil {
		err = os.WriteFile(s.path(), content, 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if s.reader, err = newReader(s.path()); err != nil {
		s.t.Fatal(err)
	}
}

// start starts the instance.
func (i *instance) start() {
	s := i.sim
	i.live, i.dying, i.conns, i.runs, i.renewed = true, false, map[*conn]bool{}, 0, time.Now()
	i.ahead = s.drift(i)
	driven.Lock()
	driven.instances[i.n] = i
	driven.Unlock()
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], s.plan.seed)
	seed[8], seed[9] = byte(i.n), byte(i.generation)
	timing := tasks.Timing(instanceClock{i})
	timing.Production = true
	db, err := store.OpenSQLite(s.path(), store.Options{
		IDs: id.NewSource(rand.NewChaCha8(seed)), Timing: timing, Database: database.Options{Driver: driverName(i.n), Unsynced: true},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	i.db = db
	generation := i.generation
	rules := outbound.Rules{Local: true, Transport: &way{s, i, generation}}
	calls := publisher.NewClient(rules.Client(outbound.Options{
		Call: 16 * time.Second, Connect: 8 * time.Second, Wait: 8 * time.Second, Header: 16 << 10, Body: publisher.MaxResponse,
	}), time.Now)
	i.app = app.New(app.Config{
		Tracer:  tracing.New(naming{}, false),
		Backend: &app.Backend{DB: db, Clock: instanceClock{i}}, Version: "simulation", Writer: &writing{s.writer, i, generation}, Writers: 4, Sandbox: true,
		Secrets: s.secrets, Provider: provider{}, Rules: rules, DisableCredentialCache: true, PublicURL: "http://127.0.0.1", LinkURL: "https://go.example.com", MediaPublicURL: filesURL,
		Limits:   gateway.NewLimits(gateway.LimitsOptions{Limiter: generous{}, Address: mission.Rate{Limit: 1000, Per: time.Minute}, Now: time.Now}),
		Adapters: adapters(calls),
	})
	if err := i.app.Accounts.MaintainKeys(context.Background()); err != nil { // which reads alone: the keys are new
		s.t.Fatal(err)
	}
	i.handler = i.app.Handler(app.Pages{})
	i.runner = i.app.Runner()
	s.count("instance started")
}

// generous is a limiter that allows everything.
type generous struct{}

// Take implements gateway.Limiter.
func (generous) Take(_ context.Context, buckets ...ratelimit.Bucket) []ratelimit.Verdict {
	verdicts := make([]ratelimit.Verdict, len(buckets))
	for i, b := range buckets {
		verdicts[i] = ratelimit.Verdict{OK: true, Remaining: b.Rate.Limit}
	}
	return verdicts
}

// kill ends the instance between two statements: nothing of it goes on.
func (i *instance) kill() { i.dying = true }

// crash ends an instance that has been killed, and has it start again some time later.
func (s *sim) crash(i *instance) {
	i.kill()
	s.bury()
}

// bury clears up after instances that were killed.
func (s *sim) bury() {
	for _, i := range s.instances {
		if i.live && i.dying {
			s.buryOne(i)
		}
	}
}

func (s *sim) buryOne(i *instance) {
	i.live, i.dying = false, false
	i.generation++
	s.mu.Lock()
	var kept, dead []*point
	s.number()
	for _, p := range s.parked {
		if p.of == i {
			dead = append(dead, p)
		} else {
			kept = append(kept, p)
		}
	}
	s.parked = kept
	s.mu.Unlock()
	for _, p := range dead {
		p.goOn <- crashed
		synctest.Wait()
	}
	synctest.Wait()
	s.mu.Lock()
	var open []*conn
	for c := range i.conns {
		open = append(open, c)
	}
	s.mu.Unlock()
	for _, c := range open {
		_ = c.Close() // SQLite rolls back what wasn't committed
	}
	i.runner.Stop()
	_ = i.app.Close()
	_ = i.db.Close()
	synctest.Wait()
	i.runs = 0
	i.back = time.Now().Add(s.downtime(i))
	s.trace.line("%s instance %d is dead until %s", s.now(), i.n, i.back.Sub(s.began))
	s.count("instance crashed")
}

// take has an instance run the task that is ready first. Redis may hand a task over again, which then is another step: of two
// runs that began in one, either might be the one that claims the task.
func (s *sim) take(i *instance, task string) {
	if !s.handsTwice() {
		s.mu.Lock()
		s.ready = s.ready[1:]
		s.mu.Unlock()
	}
	s.runTask(i, task)
}

// runTask has an instance run a task.
func (s *sim) runTask(i *instance, task string) {
	i.runs++
	generation := i.generation
	var outcome string
	s.spawn(func() {
		ctx := context.WithValue(context.Background(), runKey{}, &taskRun{task: task, of: i})
		ctx, cancel := context.WithTimeout(ctx, 10*time.Minute) // Cut off: a worker's limit, in the simulated time.
		defer cancel()
		outcome, _ = i.runner.Run(ctx, task)
	}, func() {
		if i.generation == generation && i.live {
			i.runs--
			s.trace.line("%s task %s: %s", s.now(), task, outcome)
			s.count("task " + outcome)
		}
	})
}

// taskRun is one run of a task, in the context of its statements.
type taskRun struct {
	task string
	of   *instance
	// over is that another run has held the task since.
	over bool
}

type runKey struct{}

// held records that a run has changed its task's row as the one who holds it: once another has
// done so, none that held it before may (design, "The task ledger": claim, lease, fence).
func (s *sim) held(ctx context.Context, text string, args []driver.NamedValue, changed int64) {
	r, _ := ctx.Value(runKey{}).(*taskRun)
	if r == nil || changed == 0 || !strings.Contains(text, `"tasks"`) || !strings.Contains(text, "(state = 'running')") ||
		!slices.ContainsFunc(args, func(a driver.NamedValue) bool { return a.Value == r.task }) {
		return
	}
	s.mu.Lock()
	last := s.holders[r.task]
	s.holders[r.task] = r
	s.mu.Unlock()
	if last != nil && last != r {
		last.over = true
	}
	if r.over {
		s.found("a task is its holder's alone", r.task, "no change by a run whose lease is over", fmt.Sprintf("instance %d: %s", r.of.n, text))
	}
}

// dispatch has an instance look for due tasks.
func (s *sim) dispatch(i *instance) {
	s.dispatching = true
	generation := i.generation
	var due []mission.Task
	s.spawn(func() { due, _ = i.runner.Due(context.Background()) }, func() {
		s.dispatching = false
		if i.generation != generation || !i.live {
			return
		}
		for _, t := range due {
			s.ready = append(s.ready, t.ID)
		}
		if len(s.ready) > 0 && s.forgets() {
			s.ready = nil // Redis was emptied
		}
	})
}

// sweep has an instance expire leases.
func (s *sim) sweep(i *instance) {
	s.swept = time.Now()
	s.spawn(func() { _ = i.runner.Sweep(context.Background()) }, func() {})
}

// renew has an instance renew its leases.
func (s *sim) renew(i *instance) {
	i.renewed = time.Now()
	s.spawn(i.runner.Renew, func() {})
}
