package testkit

import (
	"math/rand/v2"
	"os"
	"testing"
)

// The tiers of tests, by what is run when: the gate (make test, CI) has every rule, each kind of whole-program test, and
// fixed seeds; the full suite (make test-full) adds the matrices and the larger sizes of what the gate samples, for whoever
// changes what they are about; the nightly one (make nightly) takes hours. go test -short, the inner loop, has less than the
// gate. A test that isn't of the gate says so in its first line, which make test-tiers reads.
const (
	// EnvFull is the environment variable that has the tests of the full suite run.
	EnvFull = "MISSIOND_TEST_FULL"
	// EnvNightly is the environment variable that has the nightly tests run, and with them those of the full suite.
	EnvNightly = "MISSIOND_TEST_NIGHTLY"
)

// Full skips a test that isn't the gate's, unless the full suite runs. It is the first statement of the test, or of the part
// of one that the gate leaves out.
func Full(t testing.TB) {
	t.Helper()
	if !InFull() {
		t.Skip("a test of the full suite: make test-full runs it")
	}
}

// InFull reports whether the full suite runs, for tests that have a size in each tier.
func InFull() bool { return os.Getenv(EnvFull) != "" || Nightly() }

// Nightly reports whether the nightly tests run.
func Nightly() bool { return os.Getenv(EnvNightly) != "" }

// SkipUnlessNightly skips a test that the other tiers leave to the nightly one, as Full does.
func SkipUnlessNightly(t testing.TB) {
	t.Helper()
	if !Nightly() {
		t.Skip("a nightly test: make nightly runs it")
	}
}

// SkipUnlessSet skips a test of what isn't installed for the others: only where the environment variable of a make target of
// its own is set it runs.
func SkipUnlessSet(t testing.TB, variable, target string) {
	t.Helper()
	if os.Getenv(variable) == "" {
		t.Skip("make " + target + " runs it")
	}
}

// SkipIfShort skips a test that the inner loop (go test -short) leaves to the gate.
func SkipIfShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("a long test: make test runs it")
	}
}

// Size returns how much of something a test takes in the tier that runs.
func Size(short, gate, full, nightly int) int {
	switch {
	case Nightly():
		return nightly
	case InFull():
		return full
	case testing.Short():
		return short
	}
	return gate
}

// Seed returns what a test seeds its chances with: the same in each run of the gate, whose verdict doesn't depend on
// chance, and any in the other tiers, which is logged.
func Seed(t testing.TB) uint64 {
	t.Helper()
	if !InFull() {
		return 1
	}
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	return seed
}
