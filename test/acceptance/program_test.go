package acceptance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/servers"
	"missiond/internal/testkit"
)

// binary returns the path of the program, which is built once for the tests that
// run it; the inner loop has none of them.
func binary(t *testing.T) string {
	t.Helper()
	testkit.SkipIfShort(t)
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var build = sync.OnceValues(func() (string, error) {
	args := []string{"build", "-o", filepath.Join(scratch, "missiond")}
	if testkit.Nightly() {
		args = append(args, "-race", "-gcflags=modernc.org/...=-race=false")
	}
	text, err := exec.Command("go", append(args, "missiond/cmd/missiond")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, text)
	}
	return filepath.Join(scratch, "missiond"), nil
})

// scratch is a folder for files that are built once.
var scratch string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "missiond-test-")
	if err != nil {
		panic(err)
	}
	scratch = folder
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// program is a running missiond.
type program struct {
	t    *testing.T
	cmd  *exec.Cmd
	log  *journal
	done chan error
	// URL and key of a dev or serve program.
	url, key string
}

// journal is the output of a program so far.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// patience bounds every wait of these tests; a machine under load is slow.
const patience = 90 * time.Second

// unlimited is a limit that tests don't reach.
const unlimited = "requests=100000000/m"

// launch starts the program without waiting for anything.
func launch(t *testing.T, args ...string) *program {
	t.Helper()
	return launchBuild(t, binary(t), args...)
}

// launchBuild starts a build of the program without waiting for anything.
func launchBuild(t *testing.T, path string, args ...string) *program {
	t.Helper()
	p := &program{t: t, cmd: exec.Command(path, args...), log: &journal{}, done: make(chan error, 1)}
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	p.cmd.Dir = t.TempDir() // where .missiond would be
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "MISSIOND_DRAIN_DELAY=0s"}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("missiond %s wrote:\n%s", strings.Join(args, " "), tail(p.log.String()))
		}
	})
	return p
}

func tail(text string) string {
	const most = 6000
	return text[max(0, len(text)-most):]
}

// dev starts missiond dev on a folder and waits until it is ready.
func dev(t *testing.T, folder string, args ...string) *program {
	t.Helper()
	return devBuild(t, binary(t), folder, args...)
}

// devBuild is dev with a build of the program.
func devBuild(t *testing.T, path, folder string, args ...string) *program {
	t.Helper()
	before, _ := os.Stat(filepath.Join(folder, "dev.env"))
	p := launchBuild(t, path, append([]string{"dev", "--addr", "127.0.0.1:0", "--data-dir", folder, "--limit", unlimited, "--limit", "missions.create=100000/h"}, args...)...)
	p.await("dev.env of this start", func() bool {
		now, err := os.Stat(filepath.Join(folder, "dev.env"))
		return err == nil && (before == nil || !os.SameFile(before, now))
	})
	env := readEnv(t, filepath.Join(folder, "dev.env"))
	p.url, p.key = env["MISSIOND_URL"], env["MISSIOND_API_KEY"]
	p.await("ready", func() bool { return p.ready(p.url) })
	return p
}

func readEnv(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	env := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), "=")
		env[name] = value
	}
	return env
}

func (p *program) ready(url string) bool {
	resp, err := http.Get(url + "/readyz")
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// await waits for a condition, and fails the test if the program ends before.
func (p *program) await(what string, done func() bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for !done() {
		select {
		case err := <-p.done:
			p.done <- err
			p.t.Fatalf("the program ended (%v) before the condition: %s", err, what)
		default:
		}
		if clock.Sleep(ctx, 10*time.Millisecond) != nil {
			p.t.Fatalf("after %s the condition isn't met: %s", patience, what)
		}
	}
}

// kill ends the program at once, as a power cut would.
func (p *program) kill() {
	_ = p.cmd.Process.Kill()
	err := <-p.done
	p.done <- err
}

// terminate stops the program with SIGTERM and returns how long it took.
func (p *program) terminate() time.Duration {
	p.t.Helper()
	began := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case err := <-p.done:
		p.done <- err
		if err != nil {
			p.t.Errorf("after SIGTERM the program ended with %v", err)
		}
	case <-time.After(patience):
		p.t.Fatal("after SIGTERM the program keeps running")
	}
	return time.Since(began)
}

// try sends a request; ok is false without a response.
func (p *program) try(method, path string, body any) (status int, object map[string]any, ok bool) {
	p.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	req, err := http.NewRequest(method, p.url+path, bytes.NewReader(text))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		return 0, nil, false
	}
	defer func() { _ = resp.Body.Close() }()
	if json.NewDecoder(resp.Body).Decode(&object) != nil {
		return resp.StatusCode, nil, false
	}
	return resp.StatusCode, object, true
}

func (p *program) call(method, path string, body any, want int) map[string]any {
	p.t.Helper()
	status, object, ok := p.try(method, path, body)
	if !ok || status != want {
		p.t.Fatalf("%s %s returned %d %v, want %d", method, path, status, object, want)
	}
	return object
}

// start creates a mission that starts at once.
func (p *program) start(days, posts int) string {
	p.t.Helper()
	m := p.call("POST", "/v1/missions", missionBody(days, posts), http.StatusCreated)
	return m["id"].(string)
}

func missionBody(days, posts int) map[string]any {
	return map[string]any{
		"name": "A mission", "objectives": []string{"Show what we make"}, "platforms": []string{"twitter", "mastodon"},
		"constraints": map[string]any{"posts_per_day": posts}, "duration_days": days, "start_immediately": true,
	}
}

func (p *program) status(id string) map[string]any {
	p.t.Helper()
	return p.call("GET", "/v1/missions/"+id+"/status", nil, http.StatusOK)
}

// at returns the value at a path of an object.
func at(object map[string]any, path ...string) any {
	var v any = object
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// freeAddr returns a loopback address that nobody listens on, and that no other test
// gets, even while its program is down.
func freeAddr(t *testing.T) string {
	t.Helper()
	addr, err := servers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

// output runs a command to its end and returns its standard output.
func output(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("missiond %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}
