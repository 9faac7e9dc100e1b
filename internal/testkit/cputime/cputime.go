// Package cputime measures work by the processor's time that it takes, which says the same on an idle machine and on a busy one.
package cputime

import (
	"runtime"
	"time"
)

// Of calls f, and returns the processor's time that its goroutine took; the time that passed, where the system doesn't count a
// thread's.
func Of(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := used()
	f()
	return used() - before
}
