// Package await bounds what tests wait for. A limit says what a busy machine needs at most, and is multiplied by one factor:
// a test that waits fails because nothing comes, and not because it comes late.
package await

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// EnvFactor is the environment variable with the factor, a whole number from 1. It is 3 in the gate and in the full suite, and
// 10 with the race detector.
const EnvFactor = "MISSIOND_TEST_PATIENCE"

// usual is what a wait takes at most that has no reason for another limit.
const usual = 30 * time.Second

// interval is how often Until looks.
const interval = 5 * time.Millisecond

// Within returns how long a test waits for what takes at most d.
func Within(d time.Duration) time.Duration {
	text := os.Getenv(EnvFactor)
	if text == "" {
		return d
	}
	factor, err := strconv.ParseUint(text, 10, 8)
	if err != nil || factor == 0 {
		panic(fmt.Sprintf("%s is %q, which isn't a whole number from 1 to 255", EnvFactor, text))
	}
	return d * time.Duration(factor)
}

// Long is how long a test waits for what has no reason to be sooner.
func Long() time.Duration { return Within(usual) }

// Context returns a context of Long.
func Context() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), Long())
}

// Until waits until a condition holds. Where it doesn't in Long, the test fails.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := Context()
	defer cancel()
	again := time.NewTicker(interval)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("waited %v in vain: %s", Long(), what)
		}
	}
}
