package acceptance

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
)

// With --log-format json each line on standard error is an object, though Redis is down,
// traces can't be sent and an option is refused at the end: those of libraries too.
func TestLogIsJSON(t *testing.T) {
	t.Parallel()
	testkit.SkipIfShort(t)
	server, _ := testkit.OwnRedis(t)
	f := newFleet(t, server.URL())
	f.flags = append(f.flags, "--log-format", "json", "--traces-endpoint", "http://127.0.0.1:1")
	api, worker := f.serve(), f.worker()
	api.start(1, 1)
	server.Kill()
	for name, p := range map[string]*program{"serve": api, "worker": worker} {
		p.await("a line of Redis's client in the log of "+name, func() bool { return strings.Contains(p.log.String(), `"msg":"redis"`) })
	}
	worker.terminate()
	api.terminate()
	refused := launch(t, append([]string{"serve", "--addr", api.url[len("http://"):], "--ops-addr", "nowhere:-1"}, f.flags...)...)
	if err := <-refused.done; err == nil {
		t.Error("serve has listened on nowhere")
	}
	refused.done <- nil
	for _, p := range []*program{api, worker, refused} {
		lines := bufio.NewScanner(strings.NewReader(p.log.String()))
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
	t.Parallel()
	for name, closed := range map[string]bool{"nobody reads": false, "closed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = reader.Close() })
			folder, addr := t.TempDir(), freeAddr(t)
			cmd := exec.Command(binary(t), "dev", "--addr", addr, "--data-dir", folder, "--access-log", "--limit", unlimited)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
			cmd.Stdout, cmd.Stderr = writer, writer
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			p := &program{t: t, cmd: cmd, log: &journal{}, done: make(chan error, 1), url: "http://" + addr}
			go func() { p.done <- cmd.Wait() }()
			t.Cleanup(p.kill)
			_ = writer.Close()
			p.await("ready", func() bool { return p.ready(p.url) })
			if closed {
				_ = reader.Close()
			}
			p.key = readEnv(t, filepath.Join(folder, "dev.env"))["MISSIOND_API_KEY"]
			const clients, each = 8, 50
			for !p.dropped(t) {
				var all sync.WaitGroup
				for range clients {
					all.Go(func() {
						for range each {
							if status, _, ok := p.try("GET", "/v1/missions?limit=1", nil); !ok || status != http.StatusOK {
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
			p.call("GET", "/v1/missions?limit=1", nil, http.StatusOK)
			p.terminate()
		})
	}
}

// dropped reports whether the program counts lines that it dropped.
func (p *program) dropped(t *testing.T) bool {
	t.Helper()
	for line := range strings.Lines(p.dashboard("/metrics")) {
		if n, ok := strings.CutPrefix(line, "missiond_log_lines_dropped_total "); ok {
			return strings.TrimSpace(n) != "0"
		}
	}
	t.Fatal("the metric is missing")
	return false
}
