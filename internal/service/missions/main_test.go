package missions_test

import (
	"testing"

	"go.uber.org/goleak"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
)

// No goroutine that a test starts may outlive it. Files are examined by a child, which is this
// binary too.
func TestMain(m *testing.M) {
	if mediafile.IsChild() {
		mediatest.Main(m)
	}
	goleak.VerifyTestMain(m)
}
