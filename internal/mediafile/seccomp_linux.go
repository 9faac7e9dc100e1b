//go:build amd64 || arm64

package mediafile

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are the system calls that a child has no use for: files, connections, other
// processes, and what widens its own rights. Each fails with EPERM. Those that only one
// architecture has are in forbiddenHere.
var forbidden = append([]uint32{
	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_MEMFD_CREATE, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_MKNODAT, unix.SYS_MKDIRAT, unix.SYS_FCHMODAT, unix.SYS_FCHOWNAT, unix.SYS_TRUNCATE,
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG,
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PERF_EVENT_OPEN, unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_SETRLIMIT, unix.SYS_PRLIMIT64, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SETHOSTNAME, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_SEMGET,
}, forbiddenHere...)

// Where a filter finds what it decides by: struct seccomp_data of linux/seccomp.h.
const (
	dataNumber = 0
	dataArch   = 4
	dataFlags  = 16 // the lower half of the first argument, on a little-endian machine
)

// filter has the kernel refuse the forbidden system calls to all threads of this process.
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

// filterProgram returns the filter, in the kernel's classic BPF. Every jump is over one
// instruction at most.
func filterProgram() []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	end := func(action uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
	}
	// unless skips the next instruction if the comparison holds, when skips it if it doesn't.
	unless := func(test uint16, k uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: 1, K: k}
	}
	when := func(test uint16, k uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jf: 1, K: k}
	}
	refuse := end(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	program := []unix.SockFilter{
		load(dataArch), unless(unix.BPF_JEQ, auditArch), end(unix.SECCOMP_RET_KILL_PROCESS),
		load(dataNumber), when(unix.BPF_JGE, foreignCalls), end(unix.SECCOMP_RET_KILL_PROCESS),
	}
	for _, number := range forbidden {
		program = append(program, when(unix.BPF_JEQ, number), refuse)
	}
	return append(program,
		// The flags of clone3 are out of reach; without it, clone is called.
		when(unix.BPF_JEQ, unix.SYS_CLONE3), end(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)),
		unless(unix.BPF_JEQ, unix.SYS_CLONE), end(unix.SECCOMP_RET_ALLOW),
		// A thread may be made, a process may not.
		load(dataFlags), unless(unix.BPF_JSET, unix.CLONE_THREAD), refuse, end(unix.SECCOMP_RET_ALLOW),
	)
}
