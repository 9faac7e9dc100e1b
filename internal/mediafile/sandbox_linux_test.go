package mediafile_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"missiond/internal/mediafile"
)

// probes are what a child can't do. Each is tried in a bound process and in a free one, where it
// works: otherwise it would say nothing.
var probes = map[string]func() error{
	"open":   func() error { _, err := os.Open("/etc/passwd"); return err },
	"create": func() error { return os.WriteFile(os.Getenv("FOLDER")+"/file", []byte("x"), 0o600) },
	"remove": func() error { return os.Remove(os.Getenv("FOLDER") + "/removed") },
	"connect": func() error {
		c, err := net.Dial("tcp", os.Getenv("ADDRESS"))
		if err == nil {
			_ = c.Close()
		}
		return err
	},
	"UDP":         func() error { _, err := net.Dial("udp", "127.0.0.1:9"); return err },
	"unix socket": func() error { _, err := net.Dial("unix", os.Getenv("FOLDER")+"/socket"); return err },
	"exec":        func() error { return exec.Command("/bin/true").Run() },
	"become": func() error {
		return syscall.Exec("/bin/sh", []string{"sh", "-c", "printf done"}, nil)
	},
	"signal the parent": func() error { return syscall.Kill(os.Getppid(), 0) },
	"fork": func() error {
		_, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD)|uintptr(unix.CLONE_VM|unix.CLONE_VFORK), 0, 0, 0, 0, 0)
		return errOf(errno)
	},
	"raise a limit": func() error {
		return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	},
}

func errOf(errno syscall.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}

func init() { probe = tryProbe }

// tryProbe is the whole life of a process that tries one thing; "free " before its name leaves the
// process unbound.
func tryProbe(name string) {
	name, free := strings.CutPrefix(name, "free ")
	if !free {
		if err := mediafile.Bind(); err != nil {
			_, _ = fmt.Fprint(os.Stdout, "bind: ", err)
			os.Exit(1)
		}
	}
	switch err := probes[name](); {
	case err == nil:
		_, _ = fmt.Fprint(os.Stdout, "done")
	case errors.Is(err, os.ErrPermission):
		_, _ = fmt.Fprint(os.Stdout, "not permitted")
	default:
		_, _ = fmt.Fprint(os.Stdout, err)
	}
	os.Exit(0)
}

func TestChildIsBound(t *testing.T) {
	if !mediafile.Bounded() {
		t.Skip("this architecture has no filter of system calls")
	}
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
	for name := range probes {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct{ how, want string }{{"", "not permitted"}, {"free ", "done"}} {
				if name == "fork" && c.how != "" {
					continue // two processes would then go on in this program
				}
				if err := os.WriteFile(filepath.Join(folder, "removed"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
				cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "probe", c.how+name)
				cmd.Env = []string{"FOLDER=" + folder, "ADDRESS=" + listener.Addr().String(), "GOMAXPROCS=2"}
				out, err := cmd.CombinedOutput()
				if err != nil || string(out) != c.want {
					t.Errorf("%q: got %q, %v, want %q", c.how, out, err, c.want)
				}
			}
		})
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
	_, err := mediafile.NewRunner(1).Process(ctx, r, 1000, mediafile.Request{}, files{}.sink)
	if err == nil || refusal(err) != "" {
		t.Errorf("got %v, want trouble", err)
	}
}
