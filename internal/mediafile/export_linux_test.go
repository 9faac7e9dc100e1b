//go:build amd64 || arm64

package mediafile

import "errors"

// What a test's process is bound by as a child is: all, and the filter alone.
var (
	Bind   = bind
	Filter = func() error { return errors.Join(beginThreads(), filter()) }
)

// OutOfTime reports whether a child was ended at its limit of time.
var OutOfTime = outOfTime

const (
	// Threads is how many threads a bound process has at least.
	Threads = threads
	// RaceDetector reports whether memory isn't limited.
	RaceDetector = raceDetector
)

// AllowedCalls returns the numbers of the calls that a child may make.
func AllowedCalls() (numbers []uint32) {
	for _, c := range allowed() {
		numbers = append(numbers, c.number)
	}
	return numbers
}
