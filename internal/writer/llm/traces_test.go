package llm

import (
	"context"
	"testing"
)

// A call costs nothing while there is no trace.
func TestUntracedCall(t *testing.T) { // not parallel: it counts the process's allocations
	w := &Writer{o: Options{Model: "a model with a long name, as they have"}}
	allocs := testing.AllocsPerRun(100, func() {
		_, span := w.trace(context.Background())
		endCall(span, nil, nil)
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
