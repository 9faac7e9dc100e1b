//go:build amd64 || arm64

package mediafile_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"missiond/internal/testkit"

	"golang.org/x/sys/unix"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
)

// parent is found before this process is bound.
var parent = os.Getppid()

// attempts are what a child can't do. Each is made in bound processes and in a free one, where it
// succeeds: otherwise it would say nothing. The last one becomes another program.
var attempts = []struct {
	name string
	try  func() error
	how  int
}{
	{name: "open", try: func() error { _, err := os.Open("/etc/passwd"); return err }},
	{name: "create", try: func() error { return os.WriteFile(inFolder("file"), []byte("x"), 0o600) }},
	{name: "remove", try: func() error { return os.Remove(inFolder("removed")) }},
	{name: "a file's mode", try: func() error { return unix.Chmod(inFolder("kept"), 0o666) }},
	{name: "a file's times", try: func() error { return os.Chtimes(inFolder("kept"), time.Unix(0, 0), time.Unix(0, 0)) }},
	{name: "TCP", try: func() error { return dial("tcp", os.Getenv("ADDRESS")) }},
	{name: "UDP", try: func() error { return dial("udp", "127.0.0.1:9") }},
	{name: "a unix socket", try: func() error { return dial("unix", inFolder("socket")) }},
	{name: "start a program", try: func() error { return exec.Command("/bin/true").Run() }},
	{name: "signal the parent", try: func() error { return unix.Kill(parent, 0) }},
	{name: "signal the parent's thread", try: func() error { return unix.Tgkill(parent, parent, 0) }},
	{name: "the parent's scheduling", try: func() error {
		return system(unix.SYS_SCHED_SETSCHEDULER, uintptr(parent), 0, uintptr(unsafe.Pointer(new([16]byte))))
	}},
	{name: "the parent's processors", try: func() error {
		var set unix.CPUSet
		_ = unix.SchedGetaffinity(parent, &set)
		return unix.SchedSetaffinity(parent, &set)
	}},
	{name: "the parent's priority", try: func() error {
		nice, _ := unix.Getpriority(unix.PRIO_PROCESS, parent) // the kernel returns 20 - nice
		return unix.Setpriority(unix.PRIO_PROCESS, parent, 20-nice)
	}},
	{name: "the parent's disk", try: func() error { return system(unix.SYS_IOPRIO_SET, 1, uintptr(parent), 0) }},
	{name: "a limit", try: func() error { return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }},
	{name: "memory that is shared", try: func() error { return mmap(1<<20, unix.PROT_WRITE, unix.MAP_SHARED) }},
	{name: "memory that is shared, too", try: func() error { return mmap(1<<20, unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_NORESERVE) }},
	{name: "a stack that grows", try: func() error { return mmap(1<<20, unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_GROWSDOWN) }},
	{name: "memory at once", try: func() error { return mmap(1<<20, unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_POPULATE) }},
	{name: "advice", try: func() error { return system(unix.SYS_MADVISE, 0, 0, unix.MADV_SEQUENTIAL) }},
	{name: "a futex of others", try: func() error { return system(unix.SYS_FUTEX, uintptr(unsafe.Pointer(new(uint32))), 1, 1) }},
	{name: "too much memory", try: func() error { return mmap(2<<30, unix.PROT_WRITE, unix.MAP_PRIVATE) }, how: limited},
	{name: "too many addresses", try: func() error { return mmap(1<<40, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_NORESERVE) }, how: limited},
	{name: "signals that wait", try: waitingSignals, how: limited},
	{name: "fork", try: func() error {
		return system(unix.SYS_CLONE, uintptr(unix.SIGCHLD)|unix.CLONE_VM|unix.CLONE_VFORK, 0, 0)
	}, how: boundOnly},
	{name: "thread", try: func() error {
		return system(unix.SYS_CLONE, unix.CLONE_VM|unix.CLONE_FS|unix.CLONE_FILES|unix.CLONE_SIGHAND|unix.CLONE_THREAD|unix.CLONE_SYSVSEM, 0, 0)
	}, how: boundOnly},
	{name: "all others", try: allOthers, how: boundOnly},
	{name: "become", try: func() error { return unix.Exec("/bin/sh", []string{"sh", "-c", "printf 'become: done\n'"}, nil) }},
}

// Ways to make an attempt.
const (
	limited   = 1 + iota // what refuses it is a limit, not the filter
	boundOnly            // two processes or threads would go on in a free one
)

func inFolder(name string) string { return filepath.Join(os.Getenv("FOLDER"), name) }

func dial(network, address string) error {
	c, err := net.Dial(network, address)
	if err == nil {
		_ = c.Close()
	}
	return err
}

func mmap(size, protection, flags int) error {
	return system(unix.SYS_MMAP, 0, uintptr(size), uintptr(protection), uintptr(flags|unix.MAP_ANONYMOUS))
}

// system makes a system call of four arguments at most; memory is of no file.
func system(number uintptr, args ...uintptr) error {
	args = append(args, make([]uintptr, 4)...)
	if _, _, errno := unix.RawSyscall6(number, args[0], args[1], args[2], args[3], ^uintptr(0), 0); errno != 0 {
		return errno
	}
	return nil
}

// waitingSignals sends many signals to its own thread, which blocks them.
func waitingSignals() error {
	runtime.LockOSThread()
	const signal = 40
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &unix.Sigset_t{Val: [16]uint64{1 << (signal - 1)}}, nil); err != nil {
		return err
	}
	for range 1000 {
		if err := unix.Tgkill(os.Getpid(), unix.Gettid(), signal); err != nil {
			return err
		}
	}
	return nil
}

// allOthers makes each call that isn't allowed, and that of x32 with its number.
func allOthers() error {
	const numbers, x32 = 1024, 0x4000_0000
	// The kernel lets uretprobe and uprobe through, which only its own code may call.
	skipped := append(mediafile.AllowedCalls(), 335, 336)
	for number := range uintptr(numbers) {
		if slices.Contains(skipped, uint32(number)) {
			continue
		}
		for _, n := range []uintptr{number, number | x32} {
			if err := system(n); err == nil {
				return fmt.Errorf("call %d is made", n)
			} else if !errors.Is(err, unix.EPERM) {
				return fmt.Errorf("call %d: %w", n, err)
			}
		}
	}
	return unix.EPERM
}

func init() { probe = tryProbe }

// tryProbe is the whole life of a process that makes the attempts, or is busy.
func tryProbe(how string) {
	bind := mediafile.Bind
	switch how {
	case "filtered":
		bind = mediafile.Filter
	case "free":
		bind = func() error { return nil }
	}
	if err := bind(); err != nil {
		_, _ = fmt.Fprintln(os.Stdout, "bind:", err)
		os.Exit(1)
	}
	if how == "busy" {
		_, _ = fmt.Fprintln(os.Stdout, "bound")
		for mediafile.Bounded() {
			continue
		}
	}
	for _, a := range attempts {
		if a.how == boundOnly && how == "free" || a.how == limited && (how == "filtered" || mediafile.RaceDetector) {
			continue
		}
		switch err := a.try(); {
		case err == nil:
			_, _ = fmt.Fprintf(os.Stdout, "%s: done\n", a.name)
		case a.how == limited && (errors.Is(err, unix.ENOMEM) || errors.Is(err, unix.EAGAIN)), a.how != limited && errors.Is(err, unix.EPERM):
			_, _ = fmt.Fprintf(os.Stdout, "%s: refused\n", a.name)
		default:
			_, _ = fmt.Fprintf(os.Stdout, "%s: %v\n", a.name, err)
		}
	}
	os.Exit(0)
}

// started starts a process that makes the attempts in some way; user is root's child's, if it isn't 0.
func started(t *testing.T, how string, user uint32, env ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "probe", how)
	cmd.Env = append(env, "GOMAXPROCS=2")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if user != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user, Gid: user}
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// A child is bound by the filter alone where the kernel has no Landlock, and whoever it runs as.
func TestChildIsBound(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	local, err := net.Listen("unix", filepath.Join(folder, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = listener.Close(), local.Close() })
	const nobody = 65534
	for _, c := range []struct {
		how  string
		user uint32
		want string
	}{
		{"bound", 0, "refused"},
		{"bound", nobody, "refused"},
		{"filtered", 0, "refused"},
		{"filtered", nobody, "refused"},
		{"free", 0, "done"},
	} {
		if c.user != 0 && os.Geteuid() != 0 {
			continue
		}
		t.Run(fmt.Sprint(c.how, c.user), func(t *testing.T) {
			for _, name := range []string{"kept", "removed"} {
				if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd, out := started(t, c.how, c.user, "FOLDER="+folder, "ADDRESS="+listener.Addr().String())
			var last string
			for lines := bufio.NewScanner(out); lines.Scan(); {
				last = lines.Text()
				if !strings.HasSuffix(last, ": "+c.want) {
					t.Error(last)
				}
			}
			if err := cmd.Wait(); err != nil || last != "become: "+c.want {
				t.Errorf("ended at %q with %v", last, err)
			}
		})
	}
}

// A child is bound only once the threads that it needs wait for work, also where they share a processor: it could begin none, and
// would end.
func TestThreadsWait(t *testing.T) {
	testkit.SkipIfShort(t)
	folder := t.TempDir()
	var all, one unix.CPUSet
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	for n := 0; one.Count() == 0; n++ {
		if all.IsSet(n) {
			one.Set(n)
		}
	}
	for range 60 {
		if err := unix.SchedSetaffinity(0, &one); err != nil { // which what is started has too
			t.Fatal(err)
		}
		cmd, out := started(t, "filtered", 0, "FOLDER="+folder, "ADDRESS=127.0.0.1:9")
		if err := unix.SchedSetaffinity(0, &all); err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(out)
		if err := errors.Join(err, cmd.Wait()); err != nil {
			t.Fatalf("ended with %v, and said\n%s", err, said)
		}
	}
}

// The kernel ends a child at its limit of time, and it shows. No thread of it has capabilities.
func TestLimits(t *testing.T) {
	testkit.SkipIfShort(t)
	cmd, out := started(t, "busy", 0)
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "bound\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	statuses, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", cmd.Process.Pid))
	if err != nil || len(statuses) < mediafile.Threads {
		t.Errorf("%d threads, %v", len(statuses), err)
	}
	for _, path := range statuses {
		status, err := os.ReadFile(path)
		for _, want := range []string{
			"CapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n",
			"CapAmb:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n",
		} {
			if err != nil || !strings.Contains(string(status), want) {
				t.Errorf("%s: %v: no %q in\n%s", path, err, want, status)
			}
		}
	}
	var stack unix.Rlimit
	if err := unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_STACK, nil, &stack); err != nil || stack.Max > 1<<20 {
		t.Errorf("its stack may have %d bytes, %v", stack.Max, err)
	}
	if err := unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: 1, Max: 2}, nil); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); !mediafile.OutOfTime(cmd.ProcessState) {
		t.Errorf("ended with %v", err)
	}
}

// A child that reads nothing and says nothing ends with its caller's context.
func TestContextEndsChild(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close() })
	go func() {
		_, _ = w.Write(make([]byte, 64)) // the head, which the parent looks at
		cancel()
		_ = w.CloseWithError(io.ErrUnexpectedEOF)
	}()
	_, err := mediatest.NewRunner(1).Process(ctx, seekable{r}, 1000, mediafile.Request{}, files{}.sink)
	if err == nil || refusal(err) != "" {
		t.Errorf("got %v, want trouble", err)
	}
}
