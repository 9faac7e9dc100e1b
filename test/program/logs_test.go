package program

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// With --log-format json each line on standard error is an object, though Redis is down,
// traces can't be sent and an option is refused at the end: those of libraries too.
func TestLogIsJSON(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	server, _ := testkit.OwnRedis(t)
	f := missiond.NewFleet(t, server.URL())
	f.Flags = append(f.Flags, "--log-format", "json", "--traces-endpoint", "http://127.0.0.1:1")
	api, worker := f.Serve(), f.Worker()
	api.StartMission(1, 1)
	server.Kill()
	for name, p := range map[string]*missiond.Process{"serve": api, "worker": worker} {
		p.Await("a line of Redis's client in the log of "+name, func() bool { return strings.Contains(p.Log.String(), `"msg":"redis"`) })
	}
	worker.Terminate()
	api.Terminate()
	refused := missiond.Launch(t, append([]string{"serve", "--addr", api.URL[len("http://"):], "--ops-addr", "nowhere:-1"}, f.Flags...)...)
	if err := refused.Wait(); err == nil {
		t.Error("serve has listened on nowhere")
	}
	for _, p := range []*missiond.Process{api, worker, refused} {
		lines := bufio.NewScanner(strings.NewReader(p.Log.String()))
		n := 0
		for ; lines.Scan(); n++ {
			var object struct{ Time, Level, Msg string }
			if err := json.Unmarshal(lines.Bytes(), &object); err != nil || object.Level == "" {
				t.Errorf("%q: %v", lines.Text(), err)
			}
		}
		if n == 0 {
			t.Error("the log is empty")
		}
	}
}

// A log that nobody reads, or whose reader is gone, holds up no request and ends no
// process: lines are dropped, and counted.
func TestLogNobodyReads(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	for name, closed := range map[string]bool{"nobody reads": false, "closed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = reader.Close() })
			folder, addr := t.TempDir(), missiond.FreeAddr(t)
			cmd := exec.Command(missiond.Path(t), "dev", "--addr", addr, "--data-dir", folder, "--access-log", "--limit", missiond.Unlimited)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
			cmd.Stdout, cmd.Stderr = writer, writer
			p := missiond.Run(t, cmd)
			p.URL = "http://" + addr
			_ = writer.Close()
			p.Await("ready", func() bool { return p.Ready(p.URL) })
			if closed {
				_ = reader.Close()
			}
			p.Key = missiond.ReadEnv(t, filepath.Join(folder, "dev.env"))["MISSIOND_API_KEY"]
			const clients, each = 8, 50
			for !dropped(t, p) {
				var all sync.WaitGroup
				for range clients {
					all.Go(func() {
						for range each {
							if status, _, ok := p.Try("GET", "/v1/missions?limit=1", nil); !ok || status != http.StatusOK {
								t.Errorf("a request returned %d, %t", status, ok)
								return
							}
						}
					})
				}
				all.Wait()
				if t.Failed() {
					return
				}
			}
			p.Call("GET", "/v1/missions?limit=1", nil, http.StatusOK)
			p.Terminate()
		})
	}
}

// dropped reports whether the program counts lines that it dropped.
func dropped(t *testing.T, p *missiond.Process) bool {
	t.Helper()
	for line := range strings.Lines(p.Page("/metrics")) {
		if n, ok := strings.CutPrefix(line, "missiond_log_lines_dropped_total "); ok {
			return strings.TrimSpace(n) != "0"
		}
	}
	t.Fatal("the metric is missing")
	return false
}
