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
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"missiond/internal/clock"
	"missiond/internal/outbound"
)

// local lets webhooks go to receivers of this machine.
var local = outbound.Rules{Local: true}

// process is a server under test, or one that it is measured against.
type process struct {
	name string
	addr string // where it answers
	ops  string // its operators' pages; "" for none
	cmd  *exec.Cmd
	log  string
	done chan struct{}
}

// patience bounds how long a process takes to answer.
const patience = 60 * time.Second

// start starts a program and waits until ready answers nil.
func (b *bench) start(ctx context.Context, p *process, ready func(ctx context.Context) error, program string, env []string, args ...string) error {
	p.log = filepath.Join(b.folder, p.name+".log")
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	// It outlives ctx: it is ended gently.
	p.cmd = exec.CommandContext(context.WithoutCancel(ctx), program, args...)
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Dir = b.folder
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	p.done = make(chan struct{})
	go func() { _ = p.cmd.Wait(); close(p.done) }()
	b.procs = append(b.procs, p)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			err = errors.Join(errors.New("it ended"), err)
		default:
			if clock.Sleep(ctx, 20*time.Millisecond) == nil {
				continue
			}
		}
		text, _ := os.ReadFile(p.log)
		return fmt.Errorf("%s doesn't answer: %w\n%s", p.name, err, text[max(0, len(text)-2000):])
	}
}

// stop ends the process: gently, and after ten seconds at once.
func (p *process) stop() {
	if p.cmd == nil || p.cmd.Process == nil {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.NewTimer(10 * time.Second)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

// serve starts missiond serve.
func (b *bench) serve(ctx context.Context, flags ...string) (*process, error) {
	p, err := newProcess(ctx, "serve")
	if err != nil {
		return nil, err
	}
	if p.ops, err = freeAddr(ctx); err != nil {
		return nil, err
	}
	return p, b.startMissiond(ctx, p, append([]string{"serve", "--addr", p.addr, "--ops-addr", p.ops}, flags...)...)
}

// work starts missiond worker, which publishes to the sandbox.
func (b *bench) work(ctx context.Context, flags ...string) (*process, error) {
	p, err := newProcess(ctx, "worker")
	if err != nil {
		return nil, err
	}
	p.ops = p.addr
	return p, b.startMissiond(ctx, p, append([]string{"worker", "--sandbox", "--ops-addr", p.addr}, flags...)...)
}

// newProcess answers a process to be started on an address of its own.
func newProcess(ctx context.Context, name string) (*process, error) {
	addr, err := freeAddr(ctx)
	return &process{name: name, addr: addr}, err
}

// startMissiond starts one of missiond's commands on the run's servers.
func (b *bench) startMissiond(ctx context.Context, p *process, args ...string) error {
	args = append(args, "--database-url", b.url(), "--redis-url", b.redis.URL(), "--log-level", "warn")
	return b.start(ctx, p, answers(p.addr, "/readyz"), b.missiond, []string{"MISSIOND_SECRET_KEYS=" + b.kept.SecretKeys}, args...)
}

// serveLimit starts the limit's server.
func (b *bench) serveLimit(ctx context.Context) (*process, error) {
	p, err := newProcess(ctx, "limit")
	if err != nil {
		return nil, err
	}
	return p, b.start(ctx, p, listens(p.addr), b.self, nil, "limit", p.addr, b.url())
}

// answers tells whether a GET is answered with 200.
func answers(addr, path string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		text, err := get(ctx, "http://"+addr+path)
		if err == nil && strings.Contains(text, "degraded") {
			err = errors.New(text)
		}
		return err
	}
}

// listens tells whether somebody takes connections.
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

// freeAddr answers an address of loopback that nobody listens on.
func freeAddr(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

// resetPeak begins the process's peak memory anew, where the system can.
func (p *process) resetPeak() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0o600)
}

// peak is the most resident memory since resetPeak, rss what is resident now,
// both in MiB; 0 where the system doesn't tell.
func (p *process) peak() float64 { return statusOf(p.cmd.Process.Pid, "VmHWM") }
func (p *process) rss() float64  { return statusOf(p.cmd.Process.Pid, "VmRSS") }

var kibibytes = regexp.MustCompile(`(?m)^(Vm[A-Z]+):\s+([0-9]+) kB$`)

func statusOf(pid int, field string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		if field == "VmRSS" {
			return psRSS(pid)
		}
		return 0
	}
	for _, m := range kibibytes.FindAllStringSubmatch(string(text), -1) {
		if m[1] == field {
			n, _ := strconv.ParseFloat(m[2], 64) // digits
			return n / 1024
		}
	}
	return 0
}

// psRSS asks ps, where there is no /proc.
func psRSS(pid int) float64 {
	out, err := exec.CommandContext(context.Background(), "ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return n / 1024
}
