// Package servers runs the program with servers that fail over or are lost, with earlier
// versions of itself, and as the documentation sets up a machine in production.
package servers

import (
	"testing"

	"missiond/test/internal/missiond"
)

func TestMain(m *testing.M) { missiond.Main(m) }
