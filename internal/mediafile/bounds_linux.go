package mediafile

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

const (
	// dataLimit bounds a child's memory; a HEIC of 48 megapixels takes 840 MB. Its address space
	// can't be bounded: Go reserves more than it uses.
	dataLimit = 1024 << 20
	// timeLimit is how long a child may use the processor; that HEIC takes 25 s for ten platforms.
	// The kernel kills it a second later, since Go outlives the signal before.
	timeLimit = 60 * time.Second
	fileLimit = 16
)

// Bounded reports whether the system bounds a child's memory and what it can reach. Where it
// doesn't, a child is a process of its own, and no more than that.
func Bounded() bool { return auditArch != 0 }

// self returns the program that runs, even if its file has been replaced.
func self() (string, error) { return "/proc/self/exe", nil }

// attach has the kernel end the child with its parent, and keeps signals of a terminal from it.
func attach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// bind bounds this process, which can't be undone: its memory, its time, and that it can't open
// files, connect, or start or signal others.
func bind() error {
	// If memory is short, the kernel takes a child first. It may not let itself be told so.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	const seconds = uint64(timeLimit / time.Second)
	for _, l := range []struct {
		resource int
		limit    unix.Rlimit
	}{
		{unix.RLIMIT_CORE, unix.Rlimit{}},
		{unix.RLIMIT_FSIZE, unix.Rlimit{}},
		{unix.RLIMIT_NOFILE, unix.Rlimit{Cur: fileLimit, Max: fileLimit}},
		{unix.RLIMIT_CPU, unix.Rlimit{Cur: seconds, Max: seconds + 1}},
		{unix.RLIMIT_DATA, unix.Rlimit{Cur: dataLimit, Max: dataLimit}},
	} {
		if l.resource == unix.RLIMIT_DATA && raceDetector {
			continue // which has mapped more than that already
		}
		if err := unix.Setrlimit(l.resource, &l.limit); err != nil {
			return fmt.Errorf("limit %d: %w", l.resource, err)
		}
	}
	if err := landlock.V6.BestEffort().Restrict(); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	return filter()
}

// outOfTime reports whether the kernel ended a child because it used the processor for too long.
func outOfTime(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	killed := ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGXCPU)
	return killed && state.UserTime()+state.SystemTime() >= timeLimit
}
