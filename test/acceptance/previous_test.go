package acceptance

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"missiond/internal/testkit"
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

// buildPrevious builds the commit before the one that added the newest migration, or the
// last commit if that migration isn't committed yet. Without the history the test is
// skipped loudly.
func buildPrevious(t *testing.T) previous {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "store", "migrations", "*.sql"))
	if err != nil || len(files) == 0 {
		t.Fatal("no migrations", err)
	}
	slices.Sort(files)
	newest := "store/migrations/" + filepath.Base(files[len(files)-1])
	commit := "HEAD"
	added, ok := git(t, "log", "--diff-filter=A", "-1", "--format=%H", "--", newest)
	if ok && added != "" {
		commit = added + "~1"
	}
	commit, ok = git(t, "rev-parse", "--verify", "--quiet", commit)
	if !ok {
		fmt.Fprintf(os.Stderr, "\n*** %s: NOT TESTED: the history has no commit before %s (a shallow clone?)\n\n", t.Name(), newest)
		t.Skip("no history")
	}
	folder := t.TempDir()
	archive := filepath.Join(folder, "previous.tar")
	if _, ok := git(t, "archive", "--output", archive, commit); !ok {
		t.Fatalf("git archive %s failed", commit)
	}
	if out, err := exec.Command("tar", "-xf", archive, "-C", folder).CombinedOutput(); err != nil {
		t.Fatalf("unpack %s: %v\n%s", commit, err, out)
	}
	p := previous{path: filepath.Join(folder, "missiond-previous"), runs: true}
	p.refuses = exists(filepath.Join(folder, "store", "schema.go"))
	for _, file := range files {
		if exists(filepath.Join(folder, "store", "migrations", filepath.Base(file))) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p.runs = p.runs && strings.Contains(string(text), "-- compatible: yes, ")
	}
	p.build(t, folder, p.path)
	t.Logf("the version before %s is %s, which runs on it: %v", newest, commit, p.runs)
	return p
}

// build builds the sources in a folder, with the tag that lets webhooks reach this
// machine.
func (previous) build(t *testing.T, folder, path string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-tags", "localpeers", "-o", path, "./cmd/missiond")
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
	if !testkit.Nightly() && os.Getenv(envPrevious) == "" {
		t.Skip("a nightly test: make test-previous runs it")
	}
	t.Parallel()
	old := buildPrevious(t)
	now := filepath.Join(t.TempDir(), "missiond-now")
	old.build(t, filepath.Join("..", ".."), now)
	f := newFleet(t, testkit.Redis(t))
	run := func(path string, args ...string) *program {
		return launchBuild(t, path, append(args, f.flags...)...)
	}
	serve := func(path string) *program {
		addr := freeAddr(t)
		api := run(path, "serve", "--addr", addr, "--ops-addr", "127.0.0.1:0")
		api.url, api.key = "http://"+addr, f.key
		if !old.runs && path == old.path {
			return api
		}
		api.await("ready", func() bool { return api.ready(api.url) })
		return api
	}
	if !old.runs {
		old.mustRefuse(t, serve(old.path))
		return
	}
	receiver := newReceiver(t, http.StatusOK)
	api := serve(old.path)
	run(old.path, "worker", "--sandbox", "--ops-addr", "127.0.0.1:0")
	api.call("POST", "/v1/webhooks", map[string]any{"url": receiver.URL, "events": []string{"content.published"}}, http.StatusCreated)
	missions := []string{api.start(1, 1), api.start(1, 1)}
	f.finish(api, missions)

	newer := serve(now)
	run(now, "worker", "--sandbox", "--ops-addr", "127.0.0.1:0")
	beside := []string{api.start(1, 1), newer.start(1, 1), api.start(1, 1), newer.start(1, 1)}
	f.finish(newer, beside)
	f.finish(api, beside)
	api.await("each post's event at the receiver", func() bool { return len(receiver.messages()) >= len(missions)+len(beside) })
}

// mustRefuse verifies that a program that knows of compatibility refuses the schema.
func (p previous) mustRefuse(t *testing.T, api *program) {
	t.Helper()
	if !p.refuses {
		t.Skip("the version before doesn't know of compatibility")
	}
	if err := <-api.done; err == nil || !strings.Contains(api.log.String(), "is newer than this program") {
		t.Errorf("on a schema that isn't compatible the version before ended with %v", err)
	}
	api.done <- nil
}
