package await

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func TestWithin(t *testing.T) {
	for text, want := range map[string]time.Duration{"": time.Second, "1": time.Second, "3": 3 * time.Second} {
		t.Setenv(EnvFactor, text)
		if got := Within(time.Second); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"0", "-1", "1.5", "x", "256"} {
		t.Setenv(EnvFactor, text)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the factor %q is taken", text)
				}
			}()
			Within(time.Second)
		}()
	}
}

func TestUntil(t *testing.T) {
	t.Setenv(EnvFactor, "2")
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		Until(t, "a minute is nearly over", func() bool { return time.Since(began) >= 59*time.Second })
		if took := time.Since(began); took != 59*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// A condition that never holds fails the test once the limit is over.
func TestUntilInVain(t *testing.T) {
	t.Setenv(EnvFactor, "2")
	synctest.Test(t, func(t *testing.T) {
		began, f := time.Now(), &failing{TB: t}
		ended := make(chan struct{})
		go func() { defer close(ended); Until(f, "never", func() bool { return false }) }()
		<-ended
		if took := time.Since(began); !f.failed || took != time.Minute {
			t.Errorf("failed: %t, after %s", f.failed, took)
		}
	})
}

// failing is a test that another one expects to fail.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Fatalf(string, ...any) { f.failed = true; runtime.Goexit() }
