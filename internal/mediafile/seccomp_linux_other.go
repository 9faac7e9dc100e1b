//go:build linux && !amd64 && !arm64

package mediafile

// auditArch is 0 where there is no filter of system calls.
const auditArch = 0

func filter() error { return nil }
