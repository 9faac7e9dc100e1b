package testkit

import (
	"os"
	"testing"
)

// EnvNightly is the environment variable that has the nightly tests run: the
// whole matrices of crashes, databases and seeds, of which the suite takes a part.
const EnvNightly = "MISSIOND_TEST_NIGHTLY"

// Nightly reports whether the nightly tests run (make nightly).
func Nightly() bool { return os.Getenv(EnvNightly) != "" }

// SkipUnlessNightly skips a test that the suite leaves to the nightly run.
func SkipUnlessNightly(t testing.TB) {
	t.Helper()
	if !Nightly() {
		t.Skip("a nightly test: make nightly runs it")
	}
}

// SkipIfShort skips a test that the inner loop (go test -short) leaves to the
// suite.
func SkipIfShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("a long test: make test runs it")
	}
}
