package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"missiond/internal/outbound"
	"missiond/internal/servers"
)

// local lets webhooks go to receivers of this machine.
var local = outbound.Rules{Local: true}

// process is a server under test, or one that it is measured against.
type process struct {
	servers.Process

	ops string // its operators' pages; "" for none
}

// start starts a program and waits until ready returns nil.
func (b *bench) start(ctx context.Context, p *process, ready func(ctx context.Context) error, program string, env []string, args ...string) error {
	p.Argv, p.Env, p.Dir = append([]string{program}, args...), env, b.folder
	p.Log, p.Ready = filepath.Join(b.folder, p.Name+".log"), ready
	b.procs = append(b.procs, p)
	return p.Start(ctx)
}

// serve starts missiond serve.
func (b *bench) serve(ctx context.Context, flags ...string) (*process, error) {
	p, err := newProcess("serve")
	if err != nil {
		return nil, err
	}
	if p.ops, err = servers.FreeAddr(); err != nil {
		return nil, err
	}
	return p, b.startMissiond(ctx, p, append([]string{"serve", "--addr", p.Addr, "--ops-addr", p.ops}, flags...)...)
}

// work starts missiond worker, which publishes to the sandbox.
func (b *bench) work(ctx context.Context, flags ...string) (*process, error) {
	p, err := newProcess("worker")
	if err != nil {
		return nil, err
	}
	p.ops = p.Addr
	return p, b.startMissiond(ctx, p, append([]string{"worker", "--sandbox", "--ops-addr", p.Addr}, flags...)...)
}

// newProcess returns a process to be started on an address of its own.
func newProcess(name string) (*process, error) {
	addr, err := servers.FreeAddr()
	return &process{Process: servers.Process{Name: name, Addr: addr}}, err
}

// startMissiond starts one of missiond's commands on the run's servers.
func (b *bench) startMissiond(ctx context.Context, p *process, args ...string) error {
	args = append(args, "--database-url", b.url(), "--redis-url", b.redis.URL(), "--log-level", "warn")
	return b.start(ctx, p, healthy(p.Addr, "/readyz"), b.missiond, []string{"MISSIOND_SECRET_KEYS=" + b.kept.SecretKeys, "MISSIOND_DRAIN_DELAY=0s"}, args...)
}

// serveLimit starts the limit's server.
func (b *bench) serveLimit(ctx context.Context) (*process, error) {
	p, err := newProcess("limit")
	if err != nil {
		return nil, err
	}
	return p, b.start(ctx, p, listens(p.Addr), b.self, nil, "limit", p.Addr, b.url())
}

// healthy returns a check that fails unless a GET returns 200 and the service isn't
// degraded.
func healthy(addr, path string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		text, err := get(ctx, "http://"+addr+path)
		if err == nil && strings.Contains(text, "degraded") {
			err = errors.New(text)
		}
		return err
	}
}

// listens returns a check that fails unless a connection is accepted.
func listens(addr string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		return conn.Close()
	}
}

func get(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s", url, resp.Status)
	}
	return string(text), err
}

// resetPeak begins the process's peak memory anew, where the system can.
func (p *process) resetPeak() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.PID()), []byte("5"), 0o600)
}

// peak returns the most resident memory since resetPeak, rss what is resident
// now, both in MiB; 0 if the system doesn't say.
func (p *process) peak() float64 { return mebibytes(p.status().VmHWM) }

func (p *process) rss() float64 {
	if now := p.status().VmRSS; now > 0 {
		return mebibytes(now)
	}
	return psRSS(p.PID())
}

// cpu returns the processor time that a process and its children have used, in
// seconds; 0 if the system doesn't say.
func cpu(pid int) float64 {
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return 0
	}
	own, _ := proc.Stat() // empty if the process has ended
	sum := own.CPUTime() + float64(own.CUTime+own.CSTime)/ticks
	all, _ := procfs.AllProcs()
	for _, each := range all {
		if child, err := each.Stat(); err == nil && child.PPID == pid {
			sum += child.CPUTime()
		}
	}
	return sum
}

// ticks is how many units of its times /proc has in a second, on every Linux.
const ticks = 100

func mebibytes(bytes uint64) float64 { return float64(bytes) / (1 << 20) }

// status returns what /proc says of the process.
func (p *process) status() procfs.ProcStatus {
	proc, err := procfs.NewProc(p.PID())
	if err != nil {
		return procfs.ProcStatus{}
	}
	status, _ := proc.NewStatus() // empty if the process has ended
	return status
}

// psRSS returns what ps says, where there is no /proc.
func psRSS(pid int) float64 {
	out, err := exec.CommandContext(context.Background(), "ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return n / 1024
}
