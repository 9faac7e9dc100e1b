package sandbox

import (
	"maps"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"missiond/mission"
)

// The table of platforms in docs/install.md has each with its reach and its time.
func TestAudienceIsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[mission.Platform]platform{}
	for _, cell := range regexp.MustCompile(`\| ([a-z]+) \| ([0-9,]+) \| ([0-9]+) h `).FindAllStringSubmatch(string(text), -1) {
		reach, err := strconv.ParseFloat(strings.ReplaceAll(cell[2], ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		hours, err := strconv.Atoi(cell[3])
		if err != nil {
			t.Fatal(err)
		}
		documented[mission.Platform(cell[1])] = platform{reach, time.Duration(hours) * time.Hour}
	}
	if !maps.Equal(documented, platforms) {
		t.Errorf("docs/install.md has %v, want %v", documented, platforms)
	}
}
