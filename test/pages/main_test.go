// Package pages checks what people read and copy: the documentation's examples, the compose
// file, alerts and dashboards.
package pages

import (
	"testing"

	"missiond/test/internal/missiond"
)

func TestMain(m *testing.M) { missiond.Main(m) }
