package mediafile

import "golang.org/x/sys/unix"

// niceness is by how much a child gives way to what serves requests and publishes posts.
const niceness = 10

// lowerPriority has a child, with all of its threads, give way to other processes. A system that
// doesn't allow it runs the child as any other.
func lowerPriority(pid int) {
	if own, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err == nil { // 20 less the niceness
		_ = unix.Setpriority(unix.PRIO_PGRP, pid, 20-own+niceness) // attach has made it a group of its own
	}
}
