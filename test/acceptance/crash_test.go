package acceptance

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
	"missiond/store"
)

// seeded returns a random source and logs its seed, so that a run can be repeated.
func seeded(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// pause waits for a random real duration of up to most.
func pause(r *rand.Rand, most time.Duration) {
	_ = clock.Sleep(context.Background(), time.Duration(r.Int64N(int64(most))))
}

// audit fails the test if a post is on the platform twice, if a mission's count of
// published posts differs from the platform's, if a mission is lost whose creation
// succeeded, or if nothing at all was posted. A slow machine misses short days, so
// that some missions post nothing there.
func audit(t *testing.T, db *store.DB, p *program, missions []string) {
	t.Helper()
	posted := 0
	for _, id := range missions {
		v := p.status(id)
		posts, err := db.SandboxPosts(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, post := range posts {
			if seen[post.ContentID] {
				t.Errorf("%s is on the platform twice", post.ContentID)
			}
			seen[post.ContentID] = true
		}
		if n := at(v, "content", "published"); n != float64(len(posts)) {
			t.Errorf("%s counts %v published posts, the platform has %d", id, n, len(posts))
		}
		posted += len(posts)
	}
	if posted == 0 {
		t.Errorf("none of %d missions published anything", len(missions))
	}
}

// After kill -9 at any moment and a restart every mission whose creation succeeded
// completes, and no post is published twice.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	r, folder := seeded(t), t.TempDir()
	var missions []string
	const rounds = 12
	for range rounds {
		p := dev(t, folder, "--clock-speed", "8640")
		for range 3 {
			status, m, ok := p.try("POST", "/v1/missions", missionBody(1, 2))
			if ok && status == http.StatusCreated {
				missions = append(missions, m["id"].(string))
			}
			pause(r, 150*time.Millisecond)
		}
		pause(r, time.Second)
		p.kill()
	}
	p := dev(t, folder, "--clock-speed", "8640")
	for _, id := range missions {
		p.await("the end of "+id, func() bool {
			v := p.status(id)
			return v["status"] == "completed" && at(v, "pipeline", "status") != "running"
		})
	}
	p.terminate()
	p = dev(t, folder)
	db, err := store.OpenSQLite(embedded.DatabaseIn(folder), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	audit(t, db, p, missions)
}

// fleet is the common part of APIs and workers that run concurrently on one
// Postgres and Redis.
type fleet struct {
	t                       *testing.T
	database, tenantID, key string
	flags                   []string
}

func newFleet(t *testing.T, redisURL string) *fleet {
	t.Helper()
	return newFleetOn(t, testkit.PostgresURL(t), redisURL)
}

// newFleetOn is newFleet on an empty database.
func newFleetOn(t *testing.T, databaseURL, redisURL string) *fleet {
	t.Helper()
	f := &fleet{t: t, database: databaseURL}
	output(t, "migrate", "up", "--database-url", f.database)
	f.tenantID, f.key = f.tenant("--plan", "pro", "--limit", unlimited, "--limit", "missions.create=1000/h")
	f.flags = []string{"--database-url", f.database, "--redis-url", redisURL, "--data-dir", t.TempDir()} // they share its secret key
	return f
}

// tenant creates a tenant and returns its id and its first key.
func (f *fleet) tenant(flags ...string) (id, key string) {
	f.t.Helper()
	made := output(f.t, append([]string{"tenant", "create", "--name", "Scaled", "--database-url", f.database}, flags...)...)
	return between(made, `"tenant_id":"`, `"`), between(made, `"api_key":"`, `"`)
}

// serve starts an API and waits until it is ready.
func (f *fleet) serve(flags ...string) *program {
	f.t.Helper()
	return f.serveOn(freeAddr(f.t), flags...)
}

// serveOn is serve on an address.
func (f *fleet) serveOn(addr string, flags ...string) *program {
	f.t.Helper()
	api := launch(f.t, slices.Concat([]string{"serve", "--addr", addr, "--ops-addr", "127.0.0.1:0"}, f.flags, flags)...)
	api.url, api.key = "http://"+addr, f.key
	api.await("ready", func() bool { return api.ready(api.url) })
	return api
}

func (f *fleet) worker() *program {
	f.t.Helper()
	return launch(f.t, append([]string{"worker", "--sandbox", "--ops-addr", "127.0.0.1:0"}, f.flags...)...)
}

// finish waits for the jobs of missions with one cycle, and fails the test if a
// post was published twice or a stage wasn't completed exactly once.
func (f *fleet) finish(api *program, missions []string) {
	f.t.Helper()
	for _, id := range missions {
		api.await("the job of "+id, func() bool { return at(api.status(id), "pipeline", "status") == "completed" })
	}
	db, err := store.OpenPostgres(f.database, store.Options{})
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	audit(f.t, db, api, missions)
	for _, id := range missions {
		events, err := db.MissionEvents(context.Background(), f.tenantID, id, "", 1000)
		if err != nil {
			f.t.Fatal(err)
		}
		stages := 0
		for _, e := range events {
			if e.Type == "pipeline.stage_completed" {
				stages++
			}
		}
		if stages != 6 {
			f.t.Errorf("%s has %d completed stages in its log, want 6", id, stages)
		}
	}
}

// end terminates all processes, the API last.
func (f *fleet) end(api *program, workers []*program) {
	f.t.Helper()
	for _, w := range workers {
		w.terminate()
	}
	api.terminate()
}

// One API and two workers run on Postgres and Redis: workers are killed, Redis is
// emptied, and every stage is done once.
func TestScaledOut(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	r, redisURL := seeded(t), testkit.Redis(t)
	f := newFleet(t, redisURL)
	api := f.serve()
	workers := []*program{f.worker(), f.worker()}
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
			missions = append(missions, api.start(1, 1))
			pause(r, 60*time.Millisecond)
		}
		if round == rounds/2 {
			if err := control.FlushDB(context.Background()).Err(); err != nil {
				t.Fatal(err)
			}
		}
		victim := r.IntN(len(workers))
		workers[victim].kill()
		workers[victim] = f.worker()
	}
	f.finish(api, missions)
	api.await("every queue on the dashboard", func() bool {
		n, err := control.SCard(context.Background(), "asynq:queues").Result()
		return err == nil && n == 8
	})
	f.end(api, workers)
}

func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// TestCommandsRefuse checks that the commands' error messages say what is wrong.
func TestCommandsRefuse(t *testing.T) {
	t.Parallel()
	database, redisURL, migrated := testkit.PostgresURL(t), testkit.Miniredis(t), t.TempDir()
	output(t, "migrate", "up", "--data-dir", migrated)
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
			p := launch(t, tt.args...)
			select {
			case err := <-p.done:
				p.done <- err
				if err == nil || !strings.Contains(p.log.String(), tt.says) {
					t.Errorf("the command ended with %v and printed %q, want %q", err, p.log.String(), tt.says)
				}
				if strings.Contains(p.log.String(), "secret@") || strings.Contains(p.log.String(), "two words") {
					t.Errorf("the output contains a secret: %q", p.log.String())
				}
			case <-time.After(patience):
				t.Error("the command keeps running")
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
	p := launch(t, "migrate", "up", "--data-dir", folder)
	p.await("the database", func() bool { _, err := os.Stat(database); return err == nil })
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := <-p.done
	p.done <- err
	if err == nil || !strings.Contains(p.log.String(), "context canceled") {
		t.Errorf("it ended with %v and printed %q", err, p.log.String())
	}
}

func TestCommandOutput(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	// Go gives a program of a clean clone the version of its commit.
	if got := output(t, "version"); !regexp.MustCompile(`^missiond (dev|v\d+\.\d+\.\d+\S*)\ncommit `).MatchString(got) || !strings.Contains(got, "\nschema ") {
		t.Errorf("version printed %q", got)
	}
	facts := decode(t, "version --json", output(t, "version", "--json"))
	if want := []string{".commit", ".commit_time", ".go", ".platform", ".schema_version", ".version"}; !slices.Equal(fields(facts), want) {
		t.Errorf("version --json printed %v, want the fields %q", facts, want)
	}
	if got := output(t, "migrate", "status", "--data-dir", folder); !strings.Contains(got, "pending") {
		t.Errorf("migrate status printed %q", got)
	}
	if got := output(t, "migrate", "up", "--data-dir", folder); !strings.Contains(got, "applied") || strings.Contains(got, "pending") {
		t.Errorf("migrate up printed %q", got)
	}
	made := output(t, "tenant", "create", "--name", "Acme, Inc.", "--plan", "pro", "--limit", "missions.create=1000/h", "--data-dir", folder)
	id := between(made, `"tenant_id":"`, `"`)
	if !strings.HasPrefix(between(made, `"api_key":"`, `"`), "cms_live_") || !strings.Contains(made, `"slug":"acme-inc-`) {
		t.Errorf("tenant create printed %q", made)
	}
	if got := output(t, "tenant", "list", "--data-dir", folder); !strings.Contains(got, fmt.Sprintf("%q", id)) {
		t.Errorf("tenant list printed %q", got)
	}
	if got := output(t, "ledger", "status", "--data-dir", folder); !strings.Contains(got, "OLDEST DUE") || strings.Contains(got, "HELD") {
		t.Errorf("ledger status printed %q", got)
	}
	output(t, "publishing", "hold", "--reason", "a restore", "--data-dir", folder)
	if got := output(t, "ledger", "status", "--data-dir", folder); !strings.Contains(got, "PUBLISHING IS HELD since ") || !strings.Contains(got, "a restore") {
		t.Errorf("while publishing is held ledger status printed %q", got)
	}
	if got := output(t, "publishing", "reconcile", "--since", "2h", "--data-dir", folder); got != `{"failed":0,"in_review":0,"looked_up":0,"sandbox":0}`+"\n" {
		t.Errorf("publishing reconcile printed %q", got)
	}
	output(t, "publishing", "release", "--data-dir", folder)
	if got := output(t, "ledger", "status", "--json", "--data-dir", folder); !strings.Contains(got, `"publishing_held":null`) {
		t.Errorf("after the release ledger status printed %q", got)
	}
	if got := output(t, "jobs", "retry", "--failed-since", "2026-11-22T08:00:00Z", "--data-dir", folder); got != `{"retried":0,"skipped":0}`+"\n" {
		t.Errorf("jobs retry printed %q", got)
	}
}
