package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// podman is podman with a storage of its own, which needs no service and no systemd.
type podman struct {
	t     *testing.T
	flags []string
}

// newPodman skips the test, loudly, where podman or runc isn't installed: no CI needs it.
func newPodman(t *testing.T) podman {
	t.Helper()
	for _, program := range []string{"podman", "runc"} {
		if _, err := exec.LookPath(program); err != nil {
			fmt.Fprintf(os.Stderr, "\n*** %s: THE IMAGE ISN'T RUN: %v (Debian: apt-get install podman runc)\n\n", t.Name(), err)
			t.Skip(err)
		}
	}
	folder := t.TempDir()
	return podman{t, []string{
		"--root", filepath.Join(folder, "root"), "--runroot", filepath.Join(folder, "run"), "--tmpdir", filepath.Join(folder, "tmp"),
		"--storage-driver", "vfs", "--cgroup-manager", "cgroupfs", "--events-backend", "file", "--runtime", "runc",
	}}
}

// try runs a command of podman, and returns what it prints.
func (p podman) try(args ...string) (string, error) {
	cmd := exec.Command("podman", append(slices.Clone(p.flags), args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("podman %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return strings.TrimSpace(out.String()), nil
}

// run is try of a command that must succeed.
func (p podman) run(args ...string) string {
	p.t.Helper()
	out, err := p.try(args...)
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// pull takes an image of a layout, and returns its id.
func (p podman) pull(folder string) string {
	p.t.Helper()
	_, d := opened(p.t, folder)
	return p.run("pull", "--quiet", "oci:"+folder+":"+d.Annotations["org.opencontainers.image.ref.name"])
}

// A container of the image works with a root that it can't write to, without
// capabilities, as nobody; and SIGTERM ends it in order.
func TestContainer(t *testing.T) {
	dist := realImage(t)
	p := newPodman(t)
	id := p.pull(filepath.Join(dist, "image"))
	t.Cleanup(func() { _, _ = p.try("rm", "--force", "--time", "0", "missiond") })
	p.run("run", "--detach", "--name", "missiond", "--network", "host", "--read-only", "--read-only-tmpfs=false", "--cap-drop", "all",
		"--security-opt", "no-new-privileges", "--ulimit", "nofile=20000:20000", "--ulimit", "nproc=4096:4096",
		"--volume", "data:/var/lib/missiond", id, "dev", "--addr", "127.0.0.1:0")
	addr := awaitReady(t, p)

	text, err := os.ReadFile("/proc/" + p.run("inspect", "--format", "{{.State.Pid}}", "missiond") + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Uid:\t65532\t65532\t65532\t65532\n", "Gid:\t65532\t65532\t65532\t65532\n", "CapEff:\t0000000000000000\n", "NoNewPrivs:\t1\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the process isn't %q:\n%s", want, text)
		}
	}
	if out, err := p.try("exec", "missiond", "/missiond", "healthcheck", "--ops-addr", addr, "--ready"); err != nil || !strings.Contains(out, `"status":"ok"`) {
		t.Errorf("the health check printed %q, %v", out, err)
	}
	if out, err := p.try("exec", "missiond", "/missiond", "healthcheck", "--ops-addr", "127.0.0.1:1"); err == nil {
		t.Errorf("the health check of a port where nobody listens printed %q", out)
	}
	// After 30 s, podman would kill it: the status would be 137.
	p.run("stop", "--time", "30", "missiond")
	if got := p.run("inspect", "--format", "{{.State.ExitCode}}", "missiond"); got != "0" {
		t.Errorf("SIGTERM ended the container with status %s", got)
	}
	if log, err := exec.Command("podman", append(p.flags, "logs", "missiond")...).CombinedOutput(); err != nil || !strings.Contains(string(log), "shutting down") {
		t.Errorf("the container wrote %s, %v", log, err)
	}
}

// graphQL is the line of the banner with the address that the program has chosen.
var graphQL = regexp.MustCompile(`GraphQL +http://(\S+)/graphql`)

// awaitReady waits until the program says where it listens and is ready there, while the
// container runs, and returns that address.
func awaitReady(t *testing.T, p podman) string {
	t.Helper()
	poll, deadline := time.NewTicker(100*time.Millisecond), time.After(90*time.Second)
	defer poll.Stop()
	for {
		if found := graphQL.FindStringSubmatch(p.run("logs", "missiond")); found != nil {
			if resp, err := http.Get("http://" + found[1] + "/readyz"); err == nil {
				body, _ := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if resp.StatusCode == http.StatusOK {
					t.Logf("%s", body)
					return found[1]
				}
			}
		}
		if state := p.run("inspect", "--format", "{{.State.Status}}", "missiond"); state == "exited" {
			log, _ := exec.Command("podman", append(p.flags, "logs", "missiond")...).CombinedOutput()
			t.Fatalf("the container ended:\n%s", log)
		}
		select {
		case <-deadline:
			t.Fatal("the program isn't ready")
		case <-poll.C:
		}
	}
}

// What podman builds from the last stage of the Containerfile is configured as the image
// of make image is, but for what every builder adds.
func TestBuilder(t *testing.T) {
	dist := realImage(t)
	p := newPodman(t)
	s, err := readStamp(filepath.Join(dist, "build"))
	if err != nil {
		t.Fatal(err)
	}
	// The first stage's result, as make image has it: its base can't be pulled here.
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "linux"), os.DirFS(filepath.Join(dist, "build", "linux_"+runtime.GOARCH))); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "data"), 0o750); err != nil {
		t.Fatal(err)
	}
	stages := instructions(containerfile(t))
	file := filepath.Join(t.TempDir(), "Containerfile")
	writeText(t, file, "FROM scratch AS build\nCOPY . /out/\n"+strings.Join(stages[len(stages)-1], "\n")+"\n")
	p.run("build", "--isolation", "chroot", "--format", "docker", "--file", file, "--tag", "built",
		"--build-arg", "VERSION="+s.Version, "--build-arg", "COMMIT="+s.Commit, "--build-arg", "COMMIT_TIME="+s.Time.Format(time.RFC3339), folder)

	var built []struct {
		Config      v1.Config
		HealthCheck *v1.HealthConfig
	}
	if err := json.Unmarshal([]byte(p.run("inspect", "--type", "image", "built")), &built); err != nil || len(built) != 1 {
		t.Fatalf("%+v, %v", built, err)
	}
	got := built[0].Config
	got.Healthcheck = built[0].HealthCheck
	got.Env = slices.DeleteFunc(got.Env, func(e string) bool { return strings.HasPrefix(e, "PATH=") })
	maps.DeleteFunc(got.Labels, func(name, _ string) bool { return name == "io.buildah.version" })
	if want := config(s); !reflect.DeepEqual(got, want) {
		t.Errorf("podman builds\n%+v\n%+v\nand make image\n%+v\n%+v", got, got.Healthcheck, want, want.Healthcheck)
	}
}
