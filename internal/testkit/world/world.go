// Package world gives tests the whole service below its APIs, on a clock that is
// stopped while tasks run: a test moves the clock, and runs the tasks that are due. So
// missions of many days take no time, and go the same way each time.
package world

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"missiond/internal/blobs"
	"missiond/internal/clock"
	"missiond/internal/database"
	"missiond/internal/outbound"
	"missiond/internal/publisher/router"
	"missiond/internal/publisher/sandbox"
	"missiond/internal/seal"
	"missiond/internal/service/accounts"
	"missiond/internal/service/media"
	"missiond/internal/service/missions"
	"missiond/internal/service/webhooks"
	"missiond/internal/testkit"
	"missiond/internal/writer/own"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// World is the service's verbs over a database, with a tenant. Its fields may be
// replaced between two calls.
type World struct {
	T  testing.TB
	DB *store.DB
	// Clock is the time, which only the test moves; nil in real time.
	Clock *clock.Manual
	// Missions are the verbs of missions. Those of the other packages are in Parts.
	Missions Missions
	// Tenant is who calls the verbs: an admin.
	Tenant mission.Principal
	// Files is the store of files.
	Files *blobs.Store
	// Secrets seals what the database keeps secret.
	Secrets *seal.Keyring
	// Writer writes the posts, and Sender sends the webhooks.
	Writer missions.Writer
	Sender webhooks.Sender
	// Parts are what runs the tasks. Posts are published to the sandbox.
	Parts tasks.Parts
	// NewRunner returns what runs tasks with the parts, as a process that has just
	// started; tasks.NewRunner unless a test replaces it.
	NewRunner func(tasks.Parts) *tasks.Runner
	// Outcomes counts the runs of tasks by their outcomes.
	Outcomes map[string]int

	crashed bool // the function of Crashes
}

// Missions are the verbs of callers and of tasks.
type Missions struct {
	*missions.API
	*missions.Pipeline
}

// Publisher publishes the posts of a world's tasks.
type Publisher = tasks.Publisher

// Began is the time at which each world begins.
var Began = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// Timing is the ledger's timing in a world.
var Timing = store.LedgerTiming{Horizon: tasks.Horizon, Patience: tasks.Patience}

// New returns a world over a database, which may have others.
func New(t testing.TB, db *store.DB) *World {
	t.Helper()
	c := clock.NewManual(Began)
	w := on(t, db, c)
	w.Clock = c
	return w
}

// InRealTime returns a world whose clock isn't stopped. Run its tasks with a worker.
func InRealTime(t testing.TB, db *store.DB) *World {
	t.Helper()
	return on(t, db, clock.Real())
}

func on(t testing.TB, db *store.DB, c tasks.Clock) *World {
	t.Helper()
	w := &World{T: t, DB: db, Writer: PlainWriter{}, NewRunner: tasks.NewRunner, Outcomes: map[string]int{}}
	ring, err := seal.Parse(seal.NewKey())
	w.Must(err)
	w.Secrets = ring
	w.Files, err = blobs.Open(context.Background(), "file://"+filepath.ToSlash(t.TempDir()))
	w.Must(err)
	w.Parts = tasks.Parts{
		DB: db, Clock: c, Log: slog.New(slog.DiscardHandler), Metrics: tasks.NewMetrics(prometheus.NewRegistry()),
		Accounts:  accounts.New(db, accounts.Options{Clock: c, Real: c}),
		Webhooks:  webhooks.New(db, webhooks.Options{Clock: c, Secrets: ring, Rules: outbound.Rules{Local: true}, Sender: sender{w}}),
		Media:     media.New(db, media.Options{Clock: c, Real: c, Files: w.Files, Secrets: ring}),
		Publisher: router.New(nil, nil, sandbox.New(db, c, sandbox.Audience{Seed: 1}), slog.New(slog.DiscardHandler)),
	}
	w.serve(missions.Options{Clock: c, Writer: pen{w}, Sandbox: true, LinkURL: LinkURL})
	w.Tenant = w.NewTenant("Test")
	return w
}

// LinkURL is what tracked links begin with.
const LinkURL = "https://go.acme.com"

func (w *World) serve(o missions.Options) {
	tenants := own.New(w.Secrets, outbound.Rules{Local: true}, w.Parts.Log)
	w.T.Cleanup(tenants.Close)
	o.OpenOwn = func(of mission.TenantWriter) (missions.Writer, error) { return tenants.Open(of) }
	w.Missions = Missions{missions.New(w.DB, o), missions.NewPipeline(w.DB, o)}
	w.Parts.Pipeline = w.Missions.Pipeline
}

// WithoutSandbox makes posts fail whose platform isn't connected, as in production.
func (w *World) WithoutSandbox() {
	w.serve(missions.Options{Clock: w.Parts.Clock, Writer: pen{w}, LinkURL: LinkURL})
}

// NewTenant creates a tenant and returns its admin.
func (w *World) NewTenant(name string) mission.Principal {
	w.T.Helper()
	all := accounts.New(w.DB, accounts.Options{Clock: clock.Real(), Real: clock.Real()})
	_, key, err := all.CreateTenant(context.Background(), accounts.NewTenant{Name: name, Plan: mission.PlanFree})
	w.Must(err)
	admin, err := all.Authenticate(context.Background(), key)
	w.Must(err)
	return admin
}

// Must ends the test with an error that isn't nil.
func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

// WantCode ends the test unless err is a mission.Error of the code.
func WantCode(t testing.TB, err error, code mission.Code) {
	t.Helper()
	var m *mission.Error
	if !errors.As(err, &m) || m.Code != code {
		t.Fatalf("got the error %v, want %s", err, code)
	}
}

// Each runs a test in a world on SQLite, and in the full suite in one on Postgres too, which takes twice as long; they run
// beside each other and other tests. What SQL does is the store's tests', which use both, and those of the APIs use Postgres.
func Each(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	EachFaulty(t, func(t *testing.T, w *World, _ *database.Faults) { test(t, w) })
}

// EachFaulty is Each with a hook on the database's statements.
func EachFaulty(t *testing.T, test func(t *testing.T, w *World, faults *database.Faults)) {
	t.Helper()
	t.Parallel()
	on := testkit.Both()
	if !testkit.InFull() {
		delete(on, "postgres")
	}
	testkit.EachOf(t, on, store.Options{Timing: Timing}, func(t *testing.T, db *store.DB, faults *database.Faults) {
		test(t, New(t, db), faults)
	})
}
