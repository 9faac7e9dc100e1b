package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"missiond/internal/clock"
)

// process is a missiond that is kept running: if it ends it is restarted, as a
// service supervisor would.
type process struct {
	name string
	path string
	args []string
	// more are arguments of the next starts only; nil for none.
	more []string
	env  []string
	log  string
	// url is the API's, "" for a worker. ops is the address of /readyz.
	url, ops string

	mu       sync.Mutex
	cmd      *exec.Cmd
	starts   int
	killed   bool          // by this program, just now
	pause    time.Duration // before it is started again
	leaving  bool          // it is to stay away
	byItself int           // how often it ended by itself
	gone     chan struct{} // closed once it stays away
	last     error         // what it ended with at the last
}

// restartDelay is how long a process that exited by itself stays down.
const restartDelay = 300 * time.Millisecond

// startProcess starts a process and keeps it running.
func startProcess(p *process) *process {
	p.gone = make(chan struct{})
	go p.keep()
	return p
}

func (p *process) keep() {
	defer close(p.gone)
	for {
		done, err := p.launch()
		if err == nil {
			err = <-done
		}
		p.mu.Lock()
		p.last = err
		if p.leaving {
			p.mu.Unlock()
			return
		}
		wait := restartDelay
		if p.killed {
			wait = p.pause
		} else {
			p.byItself++
		}
		p.killed = false
		p.mu.Unlock()
		_ = clock.Sleep(context.Background(), wait)
	}
}

// launch starts the process and returns a channel that reports its end.
func (p *process) launch() (<-chan error, error) {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	p.mu.Lock()
	args := slices.Concat(p.args, p.more)
	p.mu.Unlock()
	cmd := exec.CommandContext(context.Background(), p.path, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Dir, cmd.Env = filepath.Dir(p.log), p.env
	// A group of its own: this program alone handles an interrupt at the terminal.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.leaving {
		return nil, errors.New("it stays away")
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p.cmd = cmd
	p.starts++
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	return done, nil
}

// kill kills the process with SIGKILL; it restarts after a pause.
func (p *process) kill(pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd != nil {
		p.killed, p.pause = true, pause
		_ = p.cmd.Process.Kill()
	}
}

// restart kills the process, which restarts at once with more arguments.
func (p *process) restart(ctx context.Context, more ...string) error {
	p.mu.Lock()
	p.more = more
	p.mu.Unlock()
	before := p.starting()
	p.kill(0)
	return p.awaitStart(ctx, before)
}

// signal sends a signal to the process.
func (p *process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd != nil {
		_ = p.cmd.Process.Signal(s)
	}
}

// starting returns how often the process was started.
func (p *process) starting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}

// awaitStart waits until the process was started more often than before.
func (p *process) awaitStart(ctx context.Context, before int) error {
	for p.starting() <= before {
		if err := clock.Sleep(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// ready reports whether the process's /readyz says that it is ready.
func (p *process) ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.ops+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// awaitReady waits until the process is ready.
func (p *process) awaitReady(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for !p.ready(ctx) {
		if clock.Sleep(ctx, 50*time.Millisecond) != nil {
			return fmt.Errorf("%s isn't ready after %s", p.name, most)
		}
	}
	return nil
}

// leave makes the process shut down for good, and returns how long it took.
// Errors: a process that doesn't end in time, or fails.
func (p *process) leave(most time.Duration) (time.Duration, error) {
	p.mu.Lock()
	p.leaving = true
	if p.cmd != nil {
		_ = p.cmd.Process.Signal(syscall.SIGCONT)
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
	}
	p.mu.Unlock()
	began := time.Now()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-p.gone:
		return time.Since(began), p.last
	case <-timer.C:
		p.kill(0)
		<-p.gone
		return time.Since(began), fmt.Errorf("it kept running for %s after SIGTERM", most)
	}
}

// unexplained matches what no outside crash explains.
var unexplained = regexp.MustCompile(`panic|fatal error:|DATA RACE|bug: `)

// crashes returns the lines of the process's log that no outside crash explains.
func (p *process) crashes() []string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return []string{err.Error()}
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return !unexplained.MatchString(line) })
}
