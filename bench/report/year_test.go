package report

import (
	"strings"
	"testing"
	"time"
)

func TestYear(t *testing.T) {
	got := Year([]Month{
		{Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Posts: 31, Events: 2_000_000, Partitions: 7, Maintained: 1500 * time.Millisecond, P50: time.Millisecond},
		{Start: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Posts: 28, Postponed: 2},
	})
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "| 2026-01 | 31 | 2.0 MB |") || !strings.HasPrefix(lines[3], "| 2026-02 | 59 |") || !strings.Contains(lines[2], "| 1.5 s | 0 |") {
		t.Errorf("got\n%s", got)
	}
	columns := strings.Count(lines[0], "|")
	for _, line := range lines {
		if strings.Count(line, "|") != columns {
			t.Errorf("not %d columns: %s", columns, line)
		}
	}
}
