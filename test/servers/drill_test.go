package servers

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/writer/builtin/builtintest"
	"missiond/test/internal/missiond"
)

// envDrill is the environment variable that has TestBackupDrill run outside the nightly
// tests (scripts/backup-drill.sh); with envReckless it doesn't reconcile, to show what
// happens then.
const (
	envDrill    = "MISSIOND_TEST_DRILL"
	envReckless = "MISSIOND_DRILL_RECKLESS"
)

// fediverse is a Mastodon server that survives the restore and forgets every
// Idempotency-Key: it takes a post as often as it is sent, and counts.
type fediverse struct {
	*httptest.Server

	mu   sync.Mutex
	sent map[string]int // by the key, which is a part of a post
}

func newFediverse(t *testing.T) (f *fediverse, token string) {
	t.Helper()
	stub := mastodontest.New(t)
	f = &fediverse{sent: map[string]int{}}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key := r.Header.Get("Idempotency-Key"); r.Method == http.MethodPost && key != "" {
			f.mu.Lock()
			f.sent[key]++
			f.mu.Unlock()
			r.Header.Del("Idempotency-Key")
		}
		stub.ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
	return f, stub.Credentials(f.URL).AccessToken
}

// out returns how many parts of posts the server has, and how many of them more than once.
func (f *fediverse) out() (posts, twice int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range f.sent {
		if n > 1 {
			twice++
		}
	}
	return len(f.sent), twice
}

// drill is a fleet on a database and the accounts that it publishes to.
type drill struct {
	*missiond.Fleet

	path     string
	accounts []*fediverse
	keys     []string
	workers  []*missiond.Process
	api      *missiond.Process
}

func (d *drill) out() (posts, twice int) {
	for _, f := range d.accounts {
		p, t := f.out()
		posts, twice = posts+p, twice+t
	}
	return posts, twice
}

// run starts two workers and an API.
func (d *drill) run() {
	addr := missiond.FreeAddr(d.T)
	start := func(args ...string) *missiond.Process {
		return missiond.LaunchBuild(d.T, d.path, append(args, d.Flags...)...)
	}
	d.api = start("serve", "--addr", addr, "--ops-addr", "127.0.0.1:0")
	d.api.URL = "http://" + addr
	d.workers = []*missiond.Process{start("worker", "--ops-addr", "127.0.0.1:0"), start("worker", "--ops-addr", "127.0.0.1:0")}
	d.api.Await("ready", func() bool { return d.api.Ready(d.api.URL) })
}

// command runs a command on the drill's database.
func (d *drill) command(args ...string) string {
	d.T.Helper()
	return missiond.Output(d.T, append(args, "--database-url", d.Database)...)
}

// connect adds a tenant with an account of its own.
func (d *drill) connect() {
	d.T.Helper()
	f, token := newFediverse(d.T)
	_, key := d.Tenant("--plan", "pro", "--limit", missiond.Unlimited, "--limit", "missions.create=100000/h")
	d.accounts, d.keys = append(d.accounts, f), append(d.keys, key)
	d.api.Key = key
	d.api.Call("POST", "/v1/integrations", map[string]any{"platform": "mastodon", "server": f.URL, "access_token": token}, http.StatusCreated)
}

// create creates a mission of the n-th tenant with a post at each of some times of day.
func (d *drill) create(n int, number int, times []string) {
	body := map[string]any{
		"name": fmt.Sprintf("Drill %d", number), "objectives": []string{fmt.Sprintf("Show our harbour number %d", number)}, "description": builtintest.Description,
		"platforms": []string{"mastodon"}, "duration_days": 1, "start_immediately": true,
		"constraints": map[string]any{"posts_per_day": max(len(times), 1), "posting_times": times, "timezone": "UTC"},
	}
	d.api.Key = d.keys[n]
	d.api.Try("POST", "/v1/missions", body)
}

// kill ends all processes at once, as the loss of a machine would.
func (d *drill) kill() {
	for _, p := range append(d.workers, d.api) {
		p.Kill()
	}
}

// until waits for a condition of the drill.
func (d *drill) until(what string, done func() bool) {
	d.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Within(2*time.Minute))
	defer cancel()
	for !done() {
		if clock.Sleep(ctx, 100*time.Millisecond) != nil {
			d.T.Fatalf("after %s the condition isn't met: %s", await.Within(2*time.Minute), what)
		}
	}
}

// shell runs a program of Postgres's.
func shell(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// libpq returns a database's URL without the parameters that only Go's driver knows.
func libpq(t *testing.T, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	u.RawQuery = url.Values{"sslmode": {"disable"}}.Encode()
	return u.String()
}

// A fleet publishes under load. Its database is dumped; some seconds later it is lost,
// with posts that went out meanwhile. The dump is restored to another database, publishing
// is held before a process starts there, reconciled and released: no post goes out twice,
// and those that hadn't gone out do. Redis keeps its entries.
func TestBackupDrill(t *testing.T) {
	testkit.SkipUnlessSet(t, envDrill, "backup-drill")
	const tenants, perTenant = 8, 10
	d := &drill{Fleet: missiond.NewFleet(t, testkit.Redis(t)), path: filepath.Join(t.TempDir(), "missiond-local")}
	previous{}.build(t, filepath.Join("..", ".."), d.path)
	d.run()
	for range tenants {
		d.connect()
	}

	// Each mission has a post in each of three minutes that are ahead.
	minute := time.Now().UTC().Truncate(time.Minute)
	if time.Until(minute.Add(time.Minute)) < 40*time.Second {
		minute = minute.Add(time.Minute)
	}
	slot := func(n int) time.Time { return minute.Add(time.Duration(n) * time.Minute) }
	times := []string{slot(1).Format("15:04"), slot(2).Format("15:04"), slot(3).Format("15:04")}
	number := 0
	for range perTenant {
		for n := range tenants {
			number++
			d.create(n, number, times)
		}
	}
	planned := tenants * perTenant * len(times)
	d.api.Await("scheduled posts", func() bool { return d.count("scheduled") == planned })

	// Missions whose first posts go out at once keep the fleet busy meanwhile.
	ctx, stop := context.WithCancel(context.Background())
	var load sync.WaitGroup
	load.Go(func() {
		for number := planned; clock.Sleep(ctx, 400*time.Millisecond) == nil; number++ {
			d.create(number%tenants, number, nil)
		}
	})
	d.until("the first slot", func() bool { posts, _ := d.out(); return time.Now().After(slot(1)) && posts > 20 })
	began := time.Now().UTC()
	dump := filepath.Join(t.TempDir(), "missiond.dump")
	shell(t, "pg_dump", "--format=custom", "--file", dump, "--dbname", libpq(t, d.Database))
	atDump, _ := d.out()
	d.until("posts of the second slot", func() bool {
		posts, _ := d.out()
		return time.Now().After(slot(2)) && posts > atDump+tenants*perTenant/2
	})
	stop()
	load.Wait()
	d.kill()
	lost, _ := d.out()

	// The restore. pg_restore doesn't create the database of a test.
	d.Database = testkit.PostgresURL(t)
	shell(t, "pg_restore", "--no-owner", "--dbname", libpq(t, d.Database), dump)
	d.command("publishing", "hold", "--reason", "a restore")
	d.Flags[1] = d.Database
	var reconciled map[string]int
	if os.Getenv(envReckless) == "" {
		lines := strings.Split(strings.TrimSpace(d.command("publishing", "reconcile", "--since", began.Format(time.RFC3339Nano))), "\n")
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &reconciled); err != nil {
			t.Fatal(err)
		}
	}
	d.run()
	held := d.command("ledger", "status", "--json")
	if !strings.Contains(held, `"reason":"a restore"`) {
		t.Errorf("the ledger's status doesn't show the hold: %s", held)
	}
	d.until("held posts", func() bool { return time.Now().After(slot(3).Add(5 * time.Second)) })
	if posts, _ := d.out(); posts != lost {
		t.Errorf("%d posts went out while publishing was held", posts-lost)
	}
	d.command("publishing", "release")
	d.until("the end of all posts", func() bool { return d.unsettled() == 0 })
	posts, twice := d.out()
	fmt.Printf("backup drill: %d parts of posts out at the dump, %d when the database was lost, %d at the end; reconciled %v; %d out twice\n",
		atDump, lost, posts, reconciled, twice)
	if twice > 0 {
		t.Errorf("%d posts went out twice", twice)
	}
	if lost <= atDump || posts <= lost || reconciled != nil && reconciled["looked_up"] < tenants*perTenant {
		t.Errorf("the drill shows nothing: %d, %d, %d posts were out", atDump, lost, posts)
	}
	published, failed := d.count("published"), d.count("failed")
	if failed > 0 || published < planned {
		t.Errorf("%d posts are published and %d failed in the restored database, want all %d", published, failed, planned)
	}
}

// unsettled returns how many posts whose slots have passed aren't settled.
func (d *drill) unsettled() int {
	return d.counted("SELECT count(*) FROM contents WHERE status IN ('approved', 'scheduled', 'publishing', 'unknown') AND scheduled_at < now()")
}

// count returns how many posts have a status.
func (d *drill) count(status string) int {
	return d.counted("SELECT count(*) FROM contents WHERE status = '" + status + "'")
}

func (d *drill) counted(query string) (n int) {
	d.T.Helper()
	db, err := sql.Open("pgx", d.Database)
	if err != nil {
		d.T.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		d.T.Fatal(err)
	}
	return n
}
