// Package program starts the program as its operators do, and is its client.
package program

import (
	"testing"

	"missiond/test/internal/missiond"
)

func TestMain(m *testing.M) { missiond.Main(m) }
