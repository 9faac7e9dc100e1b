package program

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gofrs/flock"
	"github.com/redis/go-redis/v9"

	"missiond/internal/clock"
	"missiond/internal/embedded"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
)

// seeded returns a random source and logs its seed, so that a run can be repeated.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(testkit.Seed(t), 0))
}

// pause waits for a random real duration of up to most.
func pause(r *rand.Rand, most time.Duration) {
	_ = clock.Sleep(context.Background(), time.Duration(r.Int64N(int64(most))))
}

// After kill -9 at any moment and a restart every mission whose creation succeeded
// completes, and no post is published twice.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	r, folder := seeded(t), t.TempDir()
	var missions []string
	rounds := testkit.Size(0, 4, 12, 12)
	for range rounds {
		p := missiond.Dev(t, folder, "--clock-speed", "8640")
		for range 3 {
			status, m, ok := p.Try("POST", "/v1/missions", missiond.MissionBody(1, 2))
			if ok && status == http.StatusCreated {
				missions = append(missions, m["id"].(string))
			}
			pause(r, 150*time.Millisecond)
		}
		pause(r, time.Second)
		p.Kill()
	}
	p := missiond.Dev(t, folder, "--clock-speed", "8640")
	for _, id := range missions {
		p.Await("the end of "+id, func() bool {
			v := p.Status(id)
			return v["status"] == "completed" && output.At(v, "pipeline", "status") != "running"
		})
	}
	p.Terminate()
	p = missiond.Dev(t, folder)
	db, err := store.OpenSQLite(embedded.DatabaseIn(folder), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	missiond.Audit(t, db, p, missions)
}

// One API and two workers run on Postgres and Redis: workers are killed, Redis is
// emptied, and every stage is done once.
func TestScaledOut(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	r, redisURL := seeded(t), testkit.Redis(t)
	f := missiond.NewFleet(t, redisURL)
	api := f.Serve()
	workers := []*missiond.Process{f.Worker(), f.Worker()}
	o, err := redis.ParseURL(redisURL)
	if err != nil {
		t.Fatal(err)
	}
	control := redis.NewClient(o)
	defer func() { _ = control.Close() }()
	var missions []string
	const rounds = 6
	for round := range rounds {
		for range 4 {
			missions = append(missions, api.StartMission(1, 1))
			pause(r, 60*time.Millisecond)
		}
		if round == rounds/2 {
			if err := control.FlushDB(context.Background()).Err(); err != nil {
				t.Fatal(err)
			}
		}
		victim := r.IntN(len(workers))
		workers[victim].Kill()
		workers[victim] = f.Worker()
	}
	f.Finish(api, missions)
	api.Await("every queue on the dashboard", func() bool {
		n, err := control.SCard(context.Background(), "asynq:queues").Result()
		return err == nil && n == int64(2*len(mission.AllQueues())) // each has two lanes
	})
	f.End(api, workers)
}

// TestCommandsRefuse checks that the commands' error messages say what is wrong.
func TestCommandsRefuse(t *testing.T) {
	t.Parallel()
	database, redisURL, migrated := testkit.PostgresURL(t), testkit.Miniredis(t), t.TempDir()
	missiond.Output(t, "migrate", "up", "--data-dir", migrated)
	claimed := miniredis.RunT(t)
	if err := claimed.Set("missiond:installation", "another"); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"serve on an empty database":            {[]string{"serve", "--database-url", database, "--redis-url", redisURL}, "run missiond migrate up"},
		"tenant create on an empty database":    {[]string{"tenant", "create", "--name", "x", "--database-url", database}, "no schema yet: run missiond migrate up"},
		"tenant list on an empty database":      {[]string{"tenant", "list", "--database-url", database}, "no schema yet: run missiond migrate up"},
		"operators' pages without a password":   {[]string{"worker", "--ops-addr", "0.0.0.0:0", "--database-url", database, "--redis-url", redisURL}, "--ops-password is required"},
		"dev off loopback":                      {[]string{"dev", "--addr", "0.0.0.0:0", "--data-dir", t.TempDir()}, "must listen on loopback"},
		"a clock slower than real time":         {[]string{"dev", "--addr", "127.0.0.1:0", "--clock-speed", "0.5", "--data-dir", t.TempDir()}, "speed must be between 1 and"},
		"a limit of an unknown operation":       {[]string{"tenant", "create", "--name", "x", "--limit", "a.b=1/h", "--data-dir", t.TempDir()}, "unknown operation"},
		"a malformed limit":                     {[]string{"tenant", "create", "--name", "x", "--limit", "missions.create=lots", "--data-dir", t.TempDir()}, "not of the form"},
		"a language model without a name":       {[]string{"dev", "--llm-url", "http://127.0.0.1:1", "--data-dir", t.TempDir()}, "--llm-model: the model's name is missing"},
		"a language model without a URL":        {[]string{"dev", "--llm-model", "m", "--data-dir", t.TempDir()}, "require --llm-url"},
		"a language model at a malformed URL":   {[]string{"serve", "--llm-url", "localhost:11434/v1", "--llm-model", "m", "--database-url", database, "--redis-url", redisURL}, "--llm-url: must be an http"},
		"a language model's user in its URL":    {[]string{"dev", "--llm-url", "http://me:secret@host/v1", "--llm-model", "m", "--data-dir", t.TempDir()}, "--llm-url: must not have a user"},
		"a negative input price":                {[]string{"worker", "--llm-url", "http://127.0.0.1:1", "--llm-model", "m", "--llm-input-price=-1", "--database-url", database, "--redis-url", redisURL}, "--llm-input-price: -1 must be between"},
		"an output price that isn't a number":   {[]string{"dev", "--llm-url", "http://127.0.0.1:1", "--llm-model", "m", "--llm-output-price=NaN", "--data-dir", t.TempDir()}, "--llm-output-price: NaN must be between"},
		"a language model with a malformed key": {[]string{"dev", "--llm-url", "http://127.0.0.1:1", "--llm-model", "m", "--llm-api-key", "two words", "--data-dir", t.TempDir()}, "--llm-api-key: the key contains characters"},
		"a language model without any tokens":   {[]string{"dev", "--llm-url", "http://127.0.0.1:1", "--llm-model", "m", "--llm-max-tokens=-5", "--data-dir", t.TempDir()}, "--llm-max-tokens: -5"},
		"an unknown plan":                       {[]string{"tenant", "create", "--name", "x", "--plan", "gold", "--data-dir", t.TempDir()}, "--plan"},
		"serve without a database":              {[]string{"serve", "--redis-url", redisURL}, "--database-url"},
		"a malformed Redis URL":                 {[]string{"dev", "--addr", "127.0.0.1:0", "--redis-url", "nonsense", "--data-dir", t.TempDir()}, "--redis-url: must be redis://"},
		"a Redis Cluster's second database":     {[]string{"serve", "--database-url", database, "--redis-url", "redis://me:secret@127.0.0.1:1/1?addr=127.0.0.1:2"}, "--redis-url: a Redis Cluster has database 0 only"},
		"a reconciliation without a hold":       {[]string{"publishing", "reconcile", "--since", "1h", "--data-dir", migrated}, "publishing isn't held"},
		"a retry since no time":                 {[]string{"jobs", "retry", "--failed-since", "yesterday", "--data-dir", migrated}, "--failed-since: must be a duration"},
		"another installation's Redis":          {[]string{"dev", "--addr", "127.0.0.1:0", "--data-dir", t.TempDir(), "--redis-url", "redis://" + claimed.Addr()}, "--redis-url: this Redis database is used by another installation"},
		"a data folder that isn't there":        {[]string{"tenant", "create", "--name", "x", "--data-dir", migrated + "/typo"}, "--data-dir: stat " + migrated + "/typo"},
		"a migration of no data folder":         {[]string{"migrate", "up", "--data-dir", migrated + "/typo"}, "--data-dir: stat " + migrated + "/typo"},
		"a token of no data folder":             {[]string{"token", "--email", "a@b.example", "--data-dir", migrated + "/typo"}, "--data-dir: stat " + migrated + "/typo"},
		"an origin with a path":                 {[]string{"dev", "--addr", "127.0.0.1:0", "--cors-origin", "https://app.example.com/x", "--data-dir", t.TempDir()}, `--cors-origin: "https://app.example.com/x" must be a scheme and a host`},
		"a token of an unknown role":            {[]string{"token", "--email", "a@b.example", "--org", "org_1", "--org-role", "king", "--data-dir", migrated}, "--org-role must be one of"},
		"an unreachable Postgres":               {[]string{"migrate", "status", "--database-url", "postgres://x@127.0.0.1:1/x?sslmode=disable"}, "127.0.0.1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			p := missiond.Launch(t, tt.args...)
			if err := p.Wait(); err == nil || !strings.Contains(p.Log.String(), tt.says) {
				t.Errorf("the command ended with %v and printed %q, want %q", err, p.Log.String(), tt.says)
			}
			if strings.Contains(p.Log.String(), "secret@") || strings.Contains(p.Log.String(), "two words") {
				t.Errorf("the output contains a secret: %q", p.Log.String())
			}
		})
	}
}

// A command that a signal cuts off fails: what comes after it mustn't rely on it.
func TestCommandsThatAreCutOff(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	database := embedded.DatabaseIn(folder)
	other := flock.New(database + ".migrate.lock") // another migration's
	if ok, err := other.TryLock(); err != nil || !ok {
		t.Fatalf("the lock is %t, %v", ok, err)
	}
	defer func() { _ = other.Unlock() }()
	p := missiond.Launch(t, "migrate", "up", "--data-dir", folder)
	p.Await("the database", func() bool { _, err := os.Stat(database); return err == nil })
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err == nil || !strings.Contains(p.Log.String(), "context canceled") {
		t.Errorf("it ended with %v and printed %q", err, p.Log.String())
	}
}

func TestCommandOutput(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	// Go gives a program of a clean clone the version of its commit.
	if got := missiond.Output(t, "version"); !regexp.MustCompile(`^missiond (dev|v\d+\.\d+\.\d+\S*)\ncommit `).MatchString(got) || !strings.Contains(got, "\nschema ") {
		t.Errorf("version printed %q", got)
	}
	facts := output.Decode(t, "version --json", missiond.Output(t, "version", "--json"))
	if want := []string{".commit", ".commit_time", ".go", ".platform", ".schema_version", ".version"}; !slices.Equal(output.Fields(facts), want) {
		t.Errorf("version --json printed %v, want the fields %q", facts, want)
	}
	if got := missiond.Output(t, "migrate", "status", "--data-dir", folder); !strings.Contains(got, "pending") {
		t.Errorf("migrate status printed %q", got)
	}
	if got := missiond.Output(t, "migrate", "up", "--data-dir", folder); !strings.Contains(got, "applied") || strings.Contains(got, "pending") {
		t.Errorf("migrate up printed %q", got)
	}
	made := missiond.Output(t, "tenant", "create", "--name", "Acme, Inc.", "--plan", "pro", "--limit", "missions.create=1000/h", "--data-dir", folder)
	id := output.Between(made, `"tenant_id":"`, `"`)
	if !strings.HasPrefix(output.Between(made, `"api_key":"`, `"`), "cms_live_") || !strings.Contains(made, `"slug":"acme-inc-`) {
		t.Errorf("tenant create printed %q", made)
	}
	if got := missiond.Output(t, "tenant", "list", "--data-dir", folder); !strings.Contains(got, fmt.Sprintf("%q", id)) {
		t.Errorf("tenant list printed %q", got)
	}
	if got := missiond.Output(t, "ledger", "status", "--data-dir", folder); !strings.Contains(got, "OLDEST DUE") || strings.Contains(got, "HELD") {
		t.Errorf("ledger status printed %q", got)
	}
	missiond.Output(t, "publishing", "hold", "--reason", "a restore", "--data-dir", folder)
	if got := missiond.Output(t, "ledger", "status", "--data-dir", folder); !strings.Contains(got, "PUBLISHING IS HELD since ") || !strings.Contains(got, "a restore") {
		t.Errorf("while publishing is held ledger status printed %q", got)
	}
	if got := missiond.Output(t, "publishing", "reconcile", "--since", "2h", "--data-dir", folder); got != `{"failed":0,"in_review":0,"looked_up":0,"sandbox":0}`+"\n" {
		t.Errorf("publishing reconcile printed %q", got)
	}
	missiond.Output(t, "publishing", "release", "--data-dir", folder)
	if got := missiond.Output(t, "ledger", "status", "--json", "--data-dir", folder); !strings.Contains(got, `"publishing_held":null`) {
		t.Errorf("after the release ledger status printed %q", got)
	}
	if got := missiond.Output(t, "jobs", "retry", "--failed-since", "2026-11-22T08:00:00Z", "--data-dir", folder); got != `{"retried":0,"skipped":0}`+"\n" {
		t.Errorf("jobs retry printed %q", got)
	}
}
