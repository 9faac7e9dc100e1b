package mediafile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

const (
	// dataLimit bounds a child's memory; a HEIC of 48 megapixels takes 780 MiB, in 4:4:4 850 (VmData, with heicMemory).
	dataLimit = 1024 << 20
	// addressLimit bounds what the kernel itself needs to map a child's memory. It is far above
	// dataLimit, since Go reserves more than it uses.
	addressLimit = 8 << 30
	// timeLimit is how long a child may use the processor; that HEIC takes 17 s for ten pictures, in 4:4:4 20 s.
	timeLimit = 60 * time.Second
	fileLimit = 16
	// stackLimit bounds the first thread's stack, which isn't counted by dataLimit, signalLimit the
	// signals that wait, of which the kernel has so many for all processes of a user.
	stackLimit  = 1 << 20
	signalLimit = 16
	// threads is how many threads a child has at least when it can begin no more. Go needs five or
	// six: its own, one for each of two processors, and one in a call that waits.
	threads = 12
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
// files, connect, start anything, or signal others.
func bind() error {
	// If memory is short, the kernel takes a child first. It may not let itself be told so.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	if err := beginThreads(); err != nil {
		return err
	}
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	// What of it a kernel has, the filter has on all of them.
	if err := landlock.V6.BestEffort().Restrict(); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	// From here on signals between threads may be lost, by which those before reach all threads.
	if err := limit(); err != nil {
		return err
	}
	return filter()
}

// beginThreads makes threads that wait for work, and waits until all do. Go begins a thread if none waits, even if one is about
// to, and has another thread do it at times, which may come to it late.
func beginThreads() error {
	var begun, ended sync.WaitGroup
	begun.Add(threads)
	for range threads {
		ended.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			begun.Done()
			begun.Wait() // each has a thread of its own until all have
		})
	}
	ended.Wait()
	const step, patience = time.Millisecond, 10 * time.Second
	for range patience / step {
		if awake() == 1 { // this one
			return nil
		}
		time.Sleep(step) //nolint:forbidigo // the kernel tells nobody that a thread sleeps
	}
	return errors.New("the threads don't come to rest")
}

// awake returns how many threads of this process don't sleep.
func awake() (n int) {
	all, _ := os.ReadDir("/proc/self/task")
	for _, thread := range all {
		stat, _ := os.ReadFile("/proc/self/task/" + thread.Name() + "/stat")
		_, state, _ := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" ")) // after the thread's name, see proc(5)
		if !bytes.HasPrefix(state, []byte("S")) {
			n++
		}
	}
	return n
}

// limit has the kernel limit what this process takes.
func limit() error {
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
		{unix.RLIMIT_STACK, unix.Rlimit{Cur: stackLimit, Max: stackLimit}},
		{unix.RLIMIT_SIGPENDING, unix.Rlimit{Cur: signalLimit, Max: signalLimit}},
		{unix.RLIMIT_AS, unix.Rlimit{Cur: addressLimit, Max: addressLimit}},
	} {
		if raceDetector && (l.resource == unix.RLIMIT_DATA || l.resource == unix.RLIMIT_AS) {
			continue // which has mapped more than that already
		}
		if err := unix.Setrlimit(l.resource, &l.limit); err != nil {
			return fmt.Errorf("limit %d: %w", l.resource, err)
		}
	}
	// Go outlives the signal of the limit of time. The default ends the process, and shows why.
	var byDefault [4]uint64 // a struct sigaction, which the kernel reads
	const maskSize = 8
	action := uintptr(unsafe.Pointer(&byDefault)) //nolint:gosec // see above
	_, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGXCPU), action, 0, maskSize, 0, 0)
	runtime.KeepAlive(&byDefault)
	if errno != 0 {
		return fmt.Errorf("the signal of the limit of time: %w", errno)
	}
	return nil
}

// dropCapabilities takes from all threads what root may do beyond others.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	//nolint:gosec // the kernel reads them
	if _, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none)), 0); errno != 0 {
		return errno
	}
	return nil
}

// outOfTime reports whether the kernel ended a child because it used the processor for too long.
func outOfTime(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}
