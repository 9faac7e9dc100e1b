package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"missiond/internal/clock"
	"missiond/internal/publisher/router"
	"missiond/internal/publisher/sandbox"
	"missiond/internal/service/accounts"
	"missiond/internal/service/missions"
	"missiond/mission"
	"missiond/store"
)

// verbs are the operations on missions of callers and of tasks.
type verbs struct {
	*missions.API
	*missions.Pipeline
}

func newVerbs(db *store.DB, o missions.Options) verbs {
	return verbs{missions.New(db, o), missions.NewPipeline(db, o)}
}

// world is a service whose tasks a test runs itself, in the order of their times, on
// a clock that is stopped in between: whole missions without waiting, and the same
// each time.
type world struct {
	t       testing.TB
	db      *store.DB
	clock   *clock.Manual
	service verbs
	worker  *Worker
	writer  *pen
	tenant  mission.Principal
	// outcomes counts the runs by outcome.
	outcomes map[string]int
}

// pen is the world's writer, which tests can replace.
type pen struct{ missions.Writer }

// began is the start time of every world.
var began = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// plainWriter writes a text that names its input.
type plainWriter struct {
	fail func(mission.Assignment) error
}

func (plainWriter) Price(mission.Assignment) mission.Micros { return 0 }

func (plainWriter) Remark(mission.Brief) *mission.Failure { return nil }

func (w plainWriter) Write(_ context.Context, a mission.Assignment) (mission.Draft, error) {
	if w.fail != nil {
		if err := w.fail(a); err != nil {
			return mission.Draft{}, err
		}
	}
	d := mission.Draft{Format: a.Slot.Format, Text: fmt.Sprintf("%s, as a %s: %s (%d, %d)", a.Slot.Objective, a.Slot.Format, a.Slot.Angle, a.Seed, a.Revision)}
	if d.Format == mission.FormatThread {
		d.Parts = []string{d.Text, "More of it."}
	}
	return d, nil
}

var timing = store.LedgerTiming{Horizon: Horizon, Patience: Patience}

func newWorld(t testing.TB, db *store.DB) *world {
	t.Helper()
	c := clock.NewManual(began)
	w := &world{t: t, db: db, clock: c, writer: &pen{plainWriter{}}, outcomes: map[string]int{}}
	w.service = newVerbs(db, missions.Options{Clock: c, Writer: w.writer, Sandbox: true})
	w.worker = newWorker(Parts{
		DB: db, Pipeline: w.service.Pipeline, Clock: c, Accounts: accounts.New(db, accounts.Options{Clock: c, Real: c}),
		Publisher: newSandboxRouter(db, c),
		Log:       slog.New(slog.NewTextHandler(io.Discard, nil)), Metrics: NewMetrics(prometheus.NewRegistry()),
	})
	t.Cleanup(w.worker.stop)
	w.tenant = w.makeTenant("Test")
	return w
}

// newSandboxRouter returns a publisher that has only the sandbox.
func newSandboxRouter(db *store.DB, c sandbox.Clock) Publisher {
	return router.New(nil, nil, sandbox.New(db, c, sandbox.Audience{Seed: 1}), slog.New(slog.DiscardHandler))
}

// makeTenant creates a tenant and returns its admin.
func (w *world) makeTenant(name string) mission.Principal {
	w.t.Helper()
	all := accounts.New(w.db, accounts.Options{Clock: clock.Real(), Real: clock.Real()})
	_, key, err := all.CreateTenant(context.Background(), accounts.NewTenant{Name: name, Plan: mission.PlanFree})
	w.must(err)
	admin, err := all.Authenticate(context.Background(), key)
	w.must(err)
	return admin
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// create creates a mission that starts at once: two platforms, two posts a day, two
// days, and the changes of change.
func (w *world) create(change func(in *mission.CreateInput)) mission.Mission {
	w.t.Helper()
	days, posts, start := 2, 2, true
	in := mission.CreateInput{
		Name: "Test mission", Objectives: []string{"Show what we make"},
		Platforms:    []mission.Platform{mission.Twitter, mission.LinkedIn},
		Constraints:  &mission.ConstraintsInput{PostsPerDay: &posts},
		DurationDays: &days, StartImmediately: &start,
	}
	if change != nil {
		change(&in)
	}
	m, err := w.service.CreateMission(context.Background(), w.tenant, in)
	w.must(err)
	return m
}

// due returns the tasks that are due now, in the dispatcher's order.
func (w *world) due() []mission.Task {
	w.t.Helper()
	var tasks []mission.Task
	for {
		dispatched, err := w.db.Dispatch(context.Background(), w.clock.Now(), 100)
		w.must(err)
		for _, d := range dispatched {
			if d.Lane != "" {
				tasks = append(tasks, d.Task)
			}
		}
		if len(dispatched) < 100 {
			return tasks
		}
	}
}

// step runs the tasks that are due now, and those that they add for now, and reports
// whether there were any.
func (w *world) step() bool {
	w.t.Helper()
	ran := false
	for tasks := w.due(); len(tasks) > 0; tasks = w.due() {
		for _, t := range tasks {
			w.run(t.ID)
			ran = true
		}
	}
	return ran
}

// run claims a task and runs it as the worker would.
func (w *world) run(id string) {
	w.t.Helper()
	c, err := w.worker.claim(context.Background(), id)
	w.must(err)
	if c == nil {
		return
	}
	defer w.worker.letGo(c)
	outcome, _ := w.worker.execute(context.Background(), c)
	w.outcomes[outcome]++
}

// until runs tasks until done returns true, moving the clock to the time of the next task
// whenever nothing is due.
func (w *world) until(what string, done func() bool) {
	w.t.Helper()
	for range 10_000 {
		w.step()
		if done() {
			return
		}
		next, ok, err := w.db.NextDispatch(context.Background())
		w.must(err)
		if !ok {
			w.t.Fatalf("no task is left, and the condition isn't met: %s", what)
		}
		if wait := next.Sub(w.clock.Now()); wait > 0 {
			w.clock.Advance(wait)
		}
	}
	w.t.Fatalf("the condition is never met: %s", what)
}

// over runs tasks until a mission is completed.
func (w *world) over(id string) {
	w.t.Helper()
	w.until("the mission's end", func() bool { return w.mission(id).Status == mission.StatusCompleted })
}

// idle runs tasks until none is left, that is, until the last post's last
// measurement.
func (w *world) idle() {
	w.t.Helper()
	w.until("an empty ledger", func() bool {
		_, waiting, err := w.db.NextDispatch(context.Background())
		w.must(err)
		return !waiting
	})
}

func (w *world) mission(id string) mission.Mission {
	w.t.Helper()
	m, err := w.service.Mission(context.Background(), w.tenant, id)
	w.must(err)
	return m
}

func (w *world) status(id string) mission.StatusView {
	w.t.Helper()
	v, err := w.service.Status(context.Background(), w.tenant, id)
	w.must(err)
	return v
}

// events returns the types of a mission's events, in order.
func (w *world) events(id string) []mission.EventType {
	w.t.Helper()
	list, err := w.db.MissionEvents(context.Background(), w.tenant.TenantID, id, "", 1000)
	w.must(err)
	types := make([]mission.EventType, len(list))
	for i, e := range list {
		types[i] = e.Type
	}
	return types
}

// posts returns a mission's published posts, first published first.
func (w *world) posts(id string) []mission.Content {
	w.t.Helper()
	filter := store.ContentFilter{MissionID: id, Status: mission.ContentPublished}
	posts, err := w.db.Contents(context.Background(), w.tenant.TenantID, filter, store.Page{Limit: 1000})
	w.must(err)
	slices.SortFunc(posts.List, func(a, b mission.Content) int { return a.PublishedAt.Compare(*b.PublishedAt) })
	return posts.List
}

// wantCode fails the test unless err is a mission.Error of the code.
func wantCode(t *testing.T, err error, code mission.Code) {
	t.Helper()
	var m *mission.Error
	if !errors.As(err, &m) || m.Code != code {
		t.Fatalf("got the error %v, want %s", err, code)
	}
}
