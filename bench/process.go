package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
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

	ops string // its operators' pages
}

// start starts a program that listens on an address, as name, and waits until
// it responds with a page.
func (b *bench) start(ctx context.Context, name, addr, page string, env []string, argv ...string) (*process, error) {
	p := &process{Process: servers.Process{Name: name, Addr: addr, Argv: argv, Env: env, Dir: b.folder}}
	p.Log = filepath.Join(b.folder, name+".log")
	p.Ready = func(ctx context.Context) error {
		text, err := get(ctx, "http://"+addr+page)
		if err == nil && strings.Contains(text, "degraded") {
			err = fmt.Errorf("it is degraded: %s", text)
		}
		return err
	}
	b.procs = append(b.procs, p)
	return p, p.Start(ctx)
}

// startMissiond starts one of missiond's commands on the run's servers, with the name of
// the flag of its address.
func (b *bench) startMissiond(ctx context.Context, command, addrFlag string, flags ...string) (*process, error) {
	addr, err := servers.FreeAddr()
	if err != nil {
		return nil, err
	}
	env := []string{
		"MISSIOND_SECRET_KEYS=" + b.secretKeys, "MISSIOND_DATABASE_URL=" + b.url(), "MISSIOND_REDIS_URL=" + b.redis.URL(),
		"MISSIOND_LOG_LEVEL=warn", "MISSIOND_DRAIN_DELAY=0s", "MISSIOND_MEDIA_URL=file://" + filepath.ToSlash(b.mediaFolder()),
	}
	return b.start(ctx, command, addr, "/readyz", env, append([]string{b.missiond, command, addrFlag, addr}, flags...)...)
}

// serve starts missiond serve.
func (b *bench) serve(ctx context.Context) (*process, error) {
	ops, err := servers.FreeAddr()
	if err != nil {
		return nil, err
	}
	p, err := b.startMissiond(ctx, "serve", "--addr", "--ops-addr", ops)
	if err == nil {
		p.ops = ops
	}
	return p, err
}

// work starts missiond worker, which publishes to the sandbox.
func (b *bench) work(ctx context.Context, flags ...string) (*process, error) {
	return b.startMissiond(ctx, "worker", "--ops-addr", append([]string{"--sandbox"}, flags...)...)
}

// startSelf starts one of this program's own processes.
func (b *bench) startSelf(ctx context.Context, kind string) (*process, error) {
	addr, err := servers.FreeAddr()
	if err != nil {
		return nil, err
	}
	env := []string{"BENCH_SECRET_KEYS=" + b.secretKeys, "BENCH_REDIS_URL=" + b.redis.URL()}
	return b.start(ctx, kind, addr, "/", env, b.self, kind, addr, b.url())
}

// get returns the body of a page. Errors: a server that can't answer.
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
	if err == nil && resp.StatusCode >= http.StatusInternalServerError {
		err = fmt.Errorf("%s answers %s", url, resp.Status)
	}
	return string(text), err
}

// rss returns the resident memory in MiB; 0 if the system doesn't say.
func (p *process) rss() float64 {
	proc, err := procfs.NewProc(p.PID())
	if err != nil {
		return 0
	}
	status, _ := proc.NewStatus() // empty if the process has ended
	return float64(status.VmRSS) / (1 << 20)
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
