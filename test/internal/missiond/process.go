// Package missiond gives tests the program as its operators run it: processes that are
// started, killed and asked over HTTP, one of them or a fleet.
package missiond

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"missiond/internal/clock"
	"missiond/internal/servers"
	"missiond/internal/testkit/await"
	"missiond/test/internal/output"
)

// Process is a running missiond.
type Process struct {
	T   *testing.T
	Cmd *exec.Cmd
	// Log is what it has written.
	Log *output.Buffer
	// URL and Key are those of an API, to which requests are sent.
	URL, Key string

	done chan error // has the result once the process has ended
}

// Unlimited is a limit that tests don't reach.
const Unlimited = "requests=100000000/m"

// Launch starts the program without waiting for anything.
func Launch(t *testing.T, args ...string) *Process {
	t.Helper()
	return LaunchBuild(t, Path(t), args...)
}

// LaunchBuild starts a build of the program without waiting for anything.
func LaunchBuild(t *testing.T, path string, args ...string) *Process {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir() // where .missiond would be
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "MISSIOND_DRAIN_DELAY=0s"}
	return Run(t, cmd)
}

// Run starts a command, which is killed when the test ends; if the test has failed, the
// end of its output is logged. Output that goes elsewhere already isn't collected.
func Run(t *testing.T, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{T: t, Cmd: cmd, Log: &output.Buffer{}, done: make(chan error, 1)}
	if cmd.Stdout == nil {
		cmd.Stdout, cmd.Stderr = p.Log, p.Log
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- cmd.Wait() }()
	t.Cleanup(func() {
		p.Kill()
		if t.Failed() {
			t.Logf("%s %s wrote:\n%s", filepath.Base(cmd.Path), strings.Join(cmd.Args[1:], " "), output.Tail(p.Log.String()))
		}
	})
	return p
}

// Dev starts missiond dev on a folder and waits until it is ready.
func Dev(t *testing.T, folder string, args ...string) *Process {
	t.Helper()
	return DevBuild(t, Path(t), folder, args...)
}

// DevBuild is Dev with a build of the program.
func DevBuild(t *testing.T, path, folder string, args ...string) *Process {
	t.Helper()
	before, _ := os.Stat(filepath.Join(folder, "dev.env"))
	p := LaunchBuild(t, path, append([]string{"dev", "--addr", "127.0.0.1:0", "--data-dir", folder, "--limit", Unlimited, "--limit", "missions.create=100000/h"}, args...)...)
	p.Await("dev.env of this start", func() bool {
		now, err := os.Stat(filepath.Join(folder, "dev.env"))
		return err == nil && (before == nil || !os.SameFile(before, now))
	})
	env := ReadEnv(t, filepath.Join(folder, "dev.env"))
	p.URL, p.Key = env["MISSIOND_URL"], env["MISSIOND_API_KEY"]
	p.Await("ready", func() bool { return p.Ready(p.URL) })
	return p
}

// ReadEnv returns the variables of a file such as dev.env.
func ReadEnv(t *testing.T, path string) map[string]string {
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

// Ready reports whether the process that listens at a URL is ready.
func (p *Process) Ready(url string) bool {
	resp, err := http.Get(url + "/readyz")
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// Await waits for a condition, and fails the test if the program ends before.
func (p *Process) Await(what string, done func() bool) {
	p.T.Helper()
	ctx, cancel := await.Context()
	defer cancel()
	for !done() {
		select {
		case err := <-p.done:
			p.done <- err
			p.T.Fatalf("the program ended (%v) before the condition: %s", err, what)
		default:
		}
		if clock.Sleep(ctx, 10*time.Millisecond) != nil {
			p.T.Fatalf("after %s the condition isn't met: %s", await.Long(), what)
		}
	}
}

// Wait waits until the program ends by itself and returns the error with which it did.
// The test fails if it doesn't within await.Long.
func (p *Process) Wait() error {
	p.T.Helper()
	select {
	case err := <-p.done:
		p.done <- err
		return err
	case <-time.After(await.Long()):
		p.T.Fatal("the program keeps running")
		return nil
	}
}

// Kill ends the program at once, as a power cut would.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill()
	err := <-p.done
	p.done <- err
}

// Terminate stops the program with SIGTERM and returns how long it took.
func (p *Process) Terminate() time.Duration {
	p.T.Helper()
	began := time.Now()
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.T.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		p.T.Errorf("after SIGTERM the program ended with %v", err)
	}
	return time.Since(began)
}

// FreeAddr returns a loopback address that nobody listens on, and that no other test
// gets, even while its program is down.
func FreeAddr(t *testing.T) string {
	t.Helper()
	addr, err := servers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

// Output runs a command to its end and returns its standard output.
func Output(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(Path(t), args...)
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("missiond %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}
