// Package servers starts Postgres, Redis and other servers as child processes: on
// loopback, on free ports, with their own data below a folder. Benchmarks and the
// crash harness stop, freeze and restart them, which nobody may do to the servers
// of a machine.
package servers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startLimit is how long a server may take to become ready.
const startLimit = 60 * time.Second

// Process is a server's process, which can be ended and started again on the
// same port and data. It isn't safe for concurrent use.
type Process struct {
	// Name is the process's name in errors.
	Name string
	// Addr is the address it listens on: host and port.
	Addr string
	// Argv is the program with its arguments, Env its environment besides the
	// caller's, Dir its working directory; "" is the caller's.
	Argv, Env []string
	Dir       string
	// Log is the file to which its output is appended.
	Log string
	// Ready returns an error until the server is ready.
	Ready func(ctx context.Context) error

	user  *syscall.Credential
	cmd   *exec.Cmd
	ended chan struct{}
	// family ends when nobody has the pipe's other end anymore, which the process and all that it starts inherit.
	family *os.File
}

// Start starts the process and waits until it is ready.
func (p *Process) Start(ctx context.Context) error {
	if p.family != nil { // whoever ended the process before
		p.waitForFamily()
	}
	log, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	// The process outlives the start's context.
	//nolint:gosec // the program is the caller's, its arguments too
	cmd := exec.CommandContext(context.WithoutCancel(ctx), p.Argv[0], p.Argv[1:]...)
	cmd.Env, cmd.Dir = append(os.Environ(), p.Env...), p.Dir
	cmd.Stdout, cmd.Stderr = log, log
	// A process group of its own: an interrupt at the terminal is for the caller to
	// handle.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: p.user}
	if p.user != nil { // a supervised program's log is read by its supervisor
		if err := log.Chown(int(p.user.Uid), int(p.user.Gid)); err != nil {
			return err
		}
	}
	family, held, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd.ExtraFiles = []*os.File{held}
	err = cmd.Start()
	_ = held.Close()
	if err != nil {
		_ = family.Close()
		return fmt.Errorf("start %s: %w", p.Name, err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	p.cmd, p.ended, p.family = cmd, ended, family
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err := until(ctx, p.ended, p.Ready); err != nil {
		p.Kill()
		return fmt.Errorf("%s isn't ready: %w\n%s", p.Name, err, p.Tail())
	}
	return nil
}

// PID returns the process's id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends the process a signal.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Stop terminates the process, and waits for it and for all that it has started; after ten seconds it kills it.
func (p *Process) Stop() {
	if p.cmd == nil {
		return
	}
	// For Postgres, SIGINT cuts its connections and shuts it down. Redis handles it
	// too.
	_ = p.cmd.Process.Signal(syscall.SIGINT)
	timer := time.NewTimer(10 * time.Second)
	defer timer.Stop()
	select {
	case <-p.ended:
		p.waitForFamily()
	case <-timer.C:
		p.Kill()
	}
}

// Kill kills the process with all its children, and waits for their end: Postgres
// doesn't start again while one of them uses its shared memory. It does nothing to
// one that has ended, whose id may be another process's by now.
func (p *Process) Kill() {
	if p.cmd == nil {
		return
	}
	select {
	case <-p.ended:
		return
	default:
	}
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.ended
	p.waitForFamily()
}

// waitForFamily waits until what an ended process has started has ended too, in whatever session, or familyLimit is over: a
// Postgres's children use its shared memory, an Exim's write into its folders.
func (p *Process) waitForFamily() {
	limit := time.AfterFunc(familyLimit, func() { _ = p.family.Close() })
	defer limit.Stop()
	_, _ = p.family.Read(make([]byte, 1)) // nobody writes
	_ = p.family.Close()
}

// familyLimit is how long what a process has started may take to end after it.
const familyLimit = 5 * time.Second

// errEnded is the error of a process that ends before it is ready.
var errEnded = errors.New("it ended")

// until calls ask until it returns nil, the time is over or the process has ended.
func until(ctx context.Context, ended <-chan struct{}, ask func(ctx context.Context) error) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := ask(ctx)
		select {
		case <-ended: // whoever answered, it wasn't the process
			return errEnded
		default:
		}
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			return errEnded
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-tick.C:
		}
	}
}

// Tail returns the last lines that the process has written.
func (p *Process) Tail() string {
	text, err := os.ReadFile(p.Log)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}

// Ports are taken below those that systems give to outgoing connections and to
// listeners on port 0 (from 32768 on Linux, from 49152 elsewhere): a port of those
// may be taken again while a server that had it is down.
const firstPort, lastPort = 20_000, 29_999

// freePort returns a port of loopback on which nobody listens. No other process of the
// machine that asks this function gets it while this process lives, which uses the
// port of UDP with the same number: none of the servers uses UDP.
func freePort() (int, error) {
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort+1)                                     //nolint:gosec // it is no secret
		conn, err := net.ListenPacket("udp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))) //nolint:noctx // it doesn't wait
		if err != nil {
			continue
		}
		if unused(port) {
			reserved.Store(port, conn)
			return port, nil
		}
		_ = conn.Close()
	}
	return 0, errors.New("no port of loopback is free")
}

// reserved has the sockets that reserve this process's ports: one without a reference is
// closed by the collector.
var reserved sync.Map

// unused reports whether nobody listens on a port.
func unused(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))) //nolint:noctx // it is closed at once
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// FreeAddr returns an address of loopback on which nobody listens, and which no other
// process gets from this function while this one lives.
func FreeAddr() (string, error) {
	port, err := freePort()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), err
}

// ErrNotInstalled is the error of a server whose program isn't on this machine.
var ErrNotInstalled = errors.New("it isn't installed")

// program returns the path of a program: on the PATH, or in the last of the folders
// that the patterns match.
func program(name string, patterns ...string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	var found []string
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(pattern, name))
		if err != nil {
			return "", err
		}
		found = append(found, paths...)
	}
	if len(found) == 0 {
		return "", fmt.Errorf("%s: %w (make services installs it for root)", name, ErrNotInstalled)
	}
	return slices.Max(found), nil
}
