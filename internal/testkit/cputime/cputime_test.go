package cputime

import (
	"testing"
	"time"
)

// Waiting takes none of the processor's time, and work does.
func TestOf(t *testing.T) {
	waits := Of(func() { <-time.After(100 * time.Millisecond) })
	sum := 0
	works := Of(func() {
		for i := range 50_000_000 {
			sum += i % 7
		}
	})
	if waits > works || works == 0 {
		t.Errorf("waiting took %s, work %s (%d)", waits, works, sum)
	}
}
