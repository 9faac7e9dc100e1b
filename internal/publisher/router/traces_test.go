package router

import (
	"context"
	"testing"

	"missiond/mission"
)

// A call costs nothing while there is no trace.
func TestUntracedCall(t *testing.T) { // not parallel: it counts the process's allocations
	via := &mission.Integration{Platform: mission.Mastodon}
	allocs := testing.AllocsPerRun(100, func() {
		_, span := start(context.Background(), "publish", via)
		end(span, nil)
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
