package mediafile

import "golang.org/x/sys/unix"

const (
	auditArch = unix.AUDIT_ARCH_AARCH64
	// foreignCalls is beyond all numbers: the architecture has no second set of them.
	foreignCalls = 0xffff_ffff
)

var forbiddenHere = []uint32{unix.SYS_RENAMEAT, unix.SYS_KEXEC_FILE_LOAD}
