package servers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"missiond/internal/publisher/mastodon/mastodontest"
	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
	"missiond/test/internal/missiond"
	"missiond/test/internal/output"
	"missiond/test/internal/webhooktest"
)

// envPrevious is the environment variable that has TestPreviousVersion run outside the
// nightly tests (make test-previous).
const envPrevious = "MISSIOND_TEST_PREVIOUS"

// previous is the version of the program before the newest migration.
type previous struct {
	path string
	// runs reports whether the migrations since say that it runs on the new schema, and
	// refuses whether it knows of that.
	runs, refuses bool
}

// git returns what a git command prints in the repository; ok is false if it fails.
func git(t *testing.T, args ...string) (text string, ok bool) {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", filepath.Join("..", "..")}, args...)...).Output()
	return strings.TrimSpace(string(out)), err == nil
}

// buildPrevious builds the version before the newest migration; see unpackBefore.
func buildPrevious(t *testing.T) previous {
	t.Helper()
	db, err := store.OpenSQLite(filepath.Join(t.TempDir(), "schema.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	migrations, err := db.Migrations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder, commit := unpackBefore(t, "store/migrations", "store/migrate_*.go")
	p := previous{path: filepath.Join(folder, "missiond-previous"), runs: true}
	p.refuses = exists(filepath.Join(folder, "store", "schema.go"))
	var since []string
	for _, m := range migrations {
		if !knows(t, folder, m.Version) {
			p.runs = p.runs && m.Compatible
			since = append(since, m.Name)
		}
	}
	if len(since) == 0 {
		t.Fatalf("the version before, %s, has all migrations", commit)
	}
	p.build(t, folder, p.path)
	t.Logf("the version before %v is %s, which runs on it: %v", since, commit, p.runs)
	return p
}

// knows reports whether the sources in a folder have a migration, as a file or in Go.
func knows(t *testing.T, folder string, version int64) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "store", "migrations", fmt.Sprintf("%05d_*.sql", version)))
	if err != nil || len(files) > 0 {
		return err == nil
	}
	sources, err := filepath.Glob(filepath.Join(folder, "store", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), fmt.Sprintf("Version = %d\n", version)) {
			return true
		}
	}
	return false
}

// unpackBefore unpacks the commit before the one that last added a file to some paths, or
// the last commit if there is none. Without the history the test is skipped loudly.
func unpackBefore(t *testing.T, paths ...string) (folder, commit string) {
	t.Helper()
	commit = "HEAD"
	added, ok := git(t, append([]string{"log", "--diff-filter=A", "-1", "--format=%H", "--"}, paths...)...)
	if ok && added != "" {
		commit = added + "~1"
	}
	commit, ok = git(t, "rev-parse", "--verify", "--quiet", commit)
	if !ok {
		fmt.Fprintf(os.Stderr, "\n*** %s: NOT TESTED: the history has no commit before %s (a shallow clone?)\n\n", t.Name(), paths)
		t.Skip("no history")
	}
	folder = t.TempDir()
	archive := filepath.Join(folder, "previous.tar")
	if _, ok := git(t, "archive", "--output", archive, commit); !ok {
		t.Fatalf("git archive %s failed", commit)
	}
	if out, err := exec.Command("tar", "-xf", archive, "-C", folder).CombinedOutput(); err != nil {
		t.Fatalf("unpack %s: %v\n%s", commit, err, out)
	}
	return folder, commit
}

// build builds the sources in a folder, with the tag that lets webhooks reach this
// machine.
func (previous) build(t *testing.T, folder, path string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-tags", "localpeers,nodynamic", "-o", path, "./cmd/missiond")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", folder, err, out)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// The version before the newest migration runs on the new schema where the migrations say
// so: it creates, publishes and delivers, alone and beside the new version. Where they
// don't, it refuses.
func TestPreviousVersion(t *testing.T) {
	testkit.SkipUnlessSet(t, envPrevious, "test-previous")
	t.Parallel()
	old := buildPrevious(t)
	now := filepath.Join(t.TempDir(), "missiond-now")
	old.build(t, filepath.Join("..", ".."), now)
	f := missiond.NewFleet(t, testkit.Redis(t))
	run := func(path string, args ...string) *missiond.Process {
		return missiond.LaunchBuild(t, path, append(args, f.Flags...)...)
	}
	serve := func(path string) *missiond.Process {
		addr := missiond.FreeAddr(t)
		api := run(path, "serve", "--addr", addr, "--ops-addr", "127.0.0.1:0")
		api.URL, api.Key = "http://"+addr, f.Key
		if !old.runs && path == old.path {
			return api
		}
		api.Await("ready", func() bool { return api.Ready(api.URL) })
		return api
	}
	if !old.runs {
		old.mustRefuse(t, serve(old.path))
		return
	}
	receiver := webhooktest.NewReceiver(t, http.StatusOK)
	api := serve(old.path)
	run(old.path, "worker", "--sandbox", "--ops-addr", "127.0.0.1:0")
	api.Call("POST", "/v1/webhooks", map[string]any{"url": receiver.URL, "events": []string{"content.published"}}, http.StatusCreated)
	missions := []string{api.StartMission(1, 1), api.StartMission(1, 1)}
	f.Finish(api, missions)

	newer := serve(now)
	run(now, "worker", "--sandbox", "--ops-addr", "127.0.0.1:0")
	beside := []string{api.StartMission(1, 1), newer.StartMission(1, 1), api.StartMission(1, 1), newer.StartMission(1, 1)}
	f.Finish(newer, beside)
	f.Finish(api, beside)
	api.Await("each post's event at the receiver", func() bool { return len(receiver.Messages()) >= len(missions)+len(beside) })
}

// mustRefuse verifies that a program that knows of compatibility refuses the schema.
func (p previous) mustRefuse(t *testing.T, api *missiond.Process) {
	t.Helper()
	if !p.refuses {
		t.Skip("the version before doesn't know of compatibility")
	}
	if err := api.Wait(); err == nil || !strings.Contains(api.Log.String(), "is newer than this program") {
		t.Errorf("on a schema that isn't compatible the version before ended with %v", err)
	}
}

// A mission of the version with one account a platform goes on in this one, on both
// databases: its figures stay what they were, and its posts have the account.
func TestMissionFromBeforeAccounts(t *testing.T) {
	testkit.SkipUnlessSet(t, envPrevious, "test-previous")
	t.Parallel()
	folder, commit := unpackBefore(t, "store/migrations/00024_accounts.sql")
	old, now := filepath.Join(folder, "missiond-old"), filepath.Join(folder, "missiond-now")
	previous{}.build(t, folder, old)
	previous{}.build(t, filepath.Join("..", ".."), now)
	t.Logf("the version with one account is %s", commit)
	for name, flags := range map[string][]string{
		"sqlite":   nil,
		"postgres": {"--database-url", testkit.PostgresURL(t), "--redis-url", testkit.Redis(t)},
	} {
		t.Run(name, func(t *testing.T) {
			fedi := mastodontest.New(t)
			server := httptest.NewServer(fedi)
			t.Cleanup(server.Close)
			data := t.TempDir()
			start := func(path string) *missiond.Process {
				return missiond.DevBuild(t, path, data, append(flags, "--clock-speed", "8640")...)
			}
			p := start(old)
			account := fmt.Sprint(p.Call("POST", "/v1/integrations", map[string]any{
				"platform": "mastodon", "server": server.URL, "access_token": fedi.Credentials(server.URL).AccessToken,
			}, http.StatusCreated)["id"])
			body := missiond.MissionBody(3, 4)
			body["platforms"] = []string{"mastodon"}
			id := fmt.Sprint(p.Call("POST", "/v1/missions", body, http.StatusCreated)["id"])
			figures := func() (own, all map[string]any) {
				own, _ = p.Call("GET", "/v1/missions/"+id+"?expand=analytics", nil, http.StatusOK)["analytics"].(map[string]any)
				all = p.Call("GET", "/v1/analytics?group_by=platform", nil, http.StatusOK)
				delete(all, "from") // the clock goes on
				delete(all, "to")
				delete(all, "integration_id") // a later version says it
				return own, all
			}
			p.Await("measured posts", func() bool {
				for i, post := range fedi.Posts() {
					fedi.React(post.ID, mission.Metrics{mission.Likes: float64(3 + i), mission.Shares: 1})
				}
				_, all := figures()
				likes, _ := output.At(all, "totals", "likes").(float64)
				posts, _ := all["posts"].(float64)
				return posts >= 4 && likes > 0
			})
			p.Call("POST", "/v1/missions/"+id+"/pause", nil, http.StatusOK)
			own, all := figures()
			p.Terminate()

			p = start(now)
			if gotOwn, gotAll := figures(); !reflect.DeepEqual(gotOwn, own) || !reflect.DeepEqual(gotAll, all) {
				t.Errorf("the figures are %v and %v, want %v and %v", gotOwn, gotAll, own, all)
			}
			if i := p.Call("GET", "/v1/integrations/"+account, nil, http.StatusOK); i["default"] != true || i["status"] != "connected" {
				t.Errorf("the account became %v", i)
			}
			p.Call("POST", "/v1/missions/"+id+"/resume", nil, http.StatusOK)
			p.Await("the mission's end", func() bool { return p.Status(id)["status"] == "completed" })
			list, _ := p.Call("GET", "/v1/content?limit=100&mission_id="+id, nil, http.StatusOK)["data"].([]any)
			if len(list) != 12 {
				t.Errorf("got %d posts, want 12", len(list))
			}
			for _, item := range list {
				post, _ := item.(map[string]any)
				if post["status"] != "published" || post["integration_id"] != account || post["account_handle"] == nil {
					t.Errorf("a post is %v, %v, through %v, %v", post["status"], post["error"], post["integration_id"], post["account_handle"])
				}
			}
			seen := map[string]int{}
			for _, post := range fedi.Posts() {
				if seen[post.Text]++; seen[post.Text] == 2 {
					t.Errorf("%q is on the platform twice", post.Text)
				}
			}
		})
	}
}
