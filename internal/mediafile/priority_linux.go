package mediafile

import "golang.org/x/sys/unix"

// lowerPriority has a child, with all of its threads, give way to other processes by a niceness. A system that
// doesn't allow it runs the child as any other.
func lowerPriority(pid, by int) {
	if own, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err == nil { // 20 less the niceness
		_ = unix.Setpriority(unix.PRIO_PGRP, pid, 20-own+by) // attach has made it a group of its own
	}
}
