//go:build amd64 || arm64

package mediafile

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The operations of futex within a process: FUTEX_WAIT and FUTEX_WAKE with FUTEX_PRIVATE_FLAG of
// linux/futex.h.
const (
	futexWait = 128
	futexWake = 129
)

// call is a system call that a child may make. If there are values, its argument arg must be one
// of them, the bits of free aside.
type call struct {
	number uint32
	arg    uint32
	free   uint32
	values []uint32
}

// allowed returns the calls that Go's runtime, and C's with cgo, needs once all threads have begun.
// What isn't here fails with EPERM: it begins no thread, process or program, and reaches nothing
// but its own memory, its own threads and its open pipes.
func allowed() []call {
	return []call{
		{number: unix.SYS_READ}, {number: unix.SYS_WRITE}, {number: unix.SYS_CLOSE}, {number: unix.SYS_FSTAT},
		{number: unix.SYS_EPOLL_CREATE1}, {number: unix.SYS_EPOLL_CTL}, {number: unix.SYS_EPOLL_PWAIT}, {number: unix.SYS_EVENTFD2},
		{number: unix.SYS_FUTEX, arg: 1, values: []uint32{futexWait, futexWake}},
		{number: unix.SYS_SCHED_YIELD}, {number: unix.SYS_NANOSLEEP}, {number: unix.SYS_RESTART_SYSCALL}, {number: unix.SYS_CLOCK_GETTIME},
		// The memory that dataLimit counts, and no other: neither shared memory nor a stack that
		// grows. Compiled WebAssembly, which decodes HEIC, must be executable.
		{number: unix.SYS_MMAP, arg: 3, free: unix.MAP_FIXED | unix.MAP_NORESERVE, values: []uint32{unix.MAP_PRIVATE | unix.MAP_ANONYMOUS}},
		{number: unix.SYS_MUNMAP}, {number: unix.SYS_MPROTECT},
		{number: unix.SYS_MADVISE, arg: 2, values: []uint32{
			unix.MADV_DONTNEED, unix.MADV_FREE, unix.MADV_HUGEPAGE, unix.MADV_NOHUGEPAGE, unix.MADV_COLLAPSE,
		}},
		// The runtime interrupts its own threads.
		{number: unix.SYS_TGKILL, values: []uint32{uint32(os.Getpid())}},
		{number: unix.SYS_GETPID}, {number: unix.SYS_GETTID}, {number: unix.SYS_RT_SIGRETURN},
		{number: unix.SYS_RT_SIGPROCMASK}, {number: unix.SYS_RT_SIGACTION}, {number: unix.SYS_SIGALTSTACK},
		{number: unix.SYS_GETRANDOM}, {number: unix.SYS_EXIT_GROUP},
	}
}

// Where a filter finds what it decides by: struct seccomp_data of linux/seccomp.h.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16 // 8 bytes each; the kernel reads the lower half of those that are tested
)

// filter has the kernel refuse what isn't allowed to all threads of this process.
func filter() error {
	program := filterProgram()
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	const setModeFilter, allThreads = unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, setModeFilter, allThreads, uintptr(unsafe.Pointer(&prog))) //nolint:gosec // the kernel reads it
	runtime.KeepAlive(program)
	switch {
	case errors.Is(errno, unix.ENOSYS) || errors.Is(errno, unix.EINVAL):
		return errors.New("this kernel can't filter system calls (CONFIG_SECCOMP_FILTER)")
	case errno != 0:
		return fmt.Errorf("seccomp: %w", errno)
	case thread != 0:
		return fmt.Errorf("seccomp: thread %d can't be filtered", thread)
	}
	return nil
}

// filterProgram returns the filter, in the kernel's classic BPF.
func filterProgram() []unix.SockFilter {
	// unless skips n instructions if what was loaded isn't k.
	unless := func(k uint32, n int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: uint8(n), K: k}
	}
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	end := func(action uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
	}
	allow, refuse := end(unix.SECCOMP_RET_ALLOW), end(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM))
	program := []unix.SockFilter{
		load(dataArch), {Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: auditArch}, end(unix.SECCOMP_RET_KILL_PROCESS),
		load(dataNumber),
	}
	for _, c := range allowed() {
		then := []unix.SockFilter{allow}
		if len(c.values) > 0 {
			then = []unix.SockFilter{load(dataArgs + 8*c.arg), {Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: ^c.free}}
			for _, v := range c.values {
				then = append(then, unless(v, 1), allow)
			}
			then = append(then, refuse)
		}
		program = append(append(program, unless(c.number, len(then))), then...)
	}
	return append(program, refuse)
}
