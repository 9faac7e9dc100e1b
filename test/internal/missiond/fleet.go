package missiond

import (
	"context"
	"slices"
	"testing"

	"missiond/internal/testkit"
	"missiond/store"
	"missiond/test/internal/output"
)

// Fleet is the common part of APIs and workers that run concurrently on one
// Postgres and Redis.
type Fleet struct {
	T        *testing.T
	Database string // its URL
	// TenantID and Key are those of the tenant whose missions run.
	TenantID, Key string
	// Flags are those of every process: the servers and the data folder.
	Flags []string
}

// NewFleet returns a fleet on a Redis and an empty database of the test's own.
func NewFleet(t *testing.T, redisURL string) *Fleet {
	t.Helper()
	return NewFleetOn(t, testkit.PostgresURL(t), redisURL)
}

// NewFleetOn is NewFleet on a database, which is empty.
func NewFleetOn(t *testing.T, databaseURL, redisURL string) *Fleet {
	t.Helper()
	f := &Fleet{T: t, Database: databaseURL}
	Output(t, "migrate", "up", "--database-url", f.Database)
	f.TenantID, f.Key = f.Tenant("--plan", "pro", "--limit", Unlimited, "--limit", "missions.create=1000/h")
	f.Flags = []string{"--database-url", f.Database, "--redis-url", redisURL, "--data-dir", t.TempDir()} // they share its secret key
	return f
}

// Tenant creates a tenant and returns its id and its first key.
func (f *Fleet) Tenant(flags ...string) (id, key string) {
	f.T.Helper()
	made := Output(f.T, append([]string{"tenant", "create", "--name", "Scaled", "--database-url", f.Database}, flags...)...)
	return output.Between(made, `"tenant_id":"`, `"`), output.Between(made, `"api_key":"`, `"`)
}

// Serve starts an API and waits until it is ready.
func (f *Fleet) Serve(flags ...string) *Process {
	f.T.Helper()
	return f.ServeOn(FreeAddr(f.T), flags...)
}

// ServeOn is Serve on an address.
func (f *Fleet) ServeOn(addr string, flags ...string) *Process {
	f.T.Helper()
	api := Launch(f.T, slices.Concat([]string{"serve", "--addr", addr, "--ops-addr", "127.0.0.1:0"}, f.Flags, flags)...)
	api.URL, api.Key = "http://"+addr, f.Key
	api.Await("ready", func() bool { return api.Ready(api.URL) })
	return api
}

// Worker starts a worker that publishes to the sandbox, and doesn't wait for it.
func (f *Fleet) Worker() *Process {
	f.T.Helper()
	return Launch(f.T, append([]string{"worker", "--sandbox", "--ops-addr", "127.0.0.1:0"}, f.Flags...)...)
}

// Finish waits for the jobs of missions with one cycle, and fails the test if a
// post was published twice or a stage wasn't completed exactly once.
func (f *Fleet) Finish(api *Process, missions []string) {
	f.T.Helper()
	for _, id := range missions {
		api.Await("the job of "+id, func() bool { return output.At(api.Status(id), "pipeline", "status") == "completed" })
	}
	db, err := store.OpenPostgres(f.Database, store.Options{})
	if err != nil {
		f.T.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	Audit(f.T, db, api, missions)
	for _, id := range missions {
		events, err := db.MissionEvents(context.Background(), f.TenantID, id, "", 1000)
		if err != nil {
			f.T.Fatal(err)
		}
		stages := 0
		for _, e := range events {
			if e.Type == "pipeline.stage_completed" {
				stages++
			}
		}
		if stages != 6 {
			f.T.Errorf("%s has %d completed stages in its log, want 6", id, stages)
		}
	}
}

// End terminates all processes, the API last.
func (f *Fleet) End(api *Process, workers []*Process) {
	f.T.Helper()
	for _, w := range workers {
		w.Terminate()
	}
	api.Terminate()
}

// Audit fails the test if a post is on the platform twice, if a mission's count of
// published posts differs from the platform's, if a mission is lost whose creation
// succeeded, or if nothing at all was posted. A slow machine misses short days, so
// that some missions post nothing there.
func Audit(t *testing.T, db *store.DB, p *Process, missions []string) {
	t.Helper()
	posted := 0
	for _, id := range missions {
		v := p.Status(id)
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
		if n := output.At(v, "content", "published"); n != float64(len(posts)) {
			t.Errorf("%s counts %v published posts, the platform has %d", id, n, len(posts))
		}
		posted += len(posts)
	}
	if posted == 0 {
		t.Errorf("none of %d missions published anything", len(missions))
	}
}
