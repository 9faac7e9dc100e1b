package report

import (
	"strings"
	"testing"
	"time"
)

// linesOf returns the lines of a table, each of which must have as many columns.
func linesOf(t *testing.T, table string) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(table), "\n")
	for _, line := range lines {
		if strings.Count(line, "|") != strings.Count(lines[0], "|") {
			t.Errorf("not the head's columns: %s", line)
		}
	}
	return lines
}

func TestYear(t *testing.T) {
	january := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var dead Range
	for _, n := range []int64{30, 7, 90} {
		dead.Add(n)
	}
	lines := linesOf(t, Year([]Month{
		{Start: january, Posts: 31, Events: 2_000_000, Partitions: 7, DeadTasks: dead, Maintained: 1500 * time.Millisecond, P50: time.Millisecond},
		{Start: january.AddDate(0, 1, 0), Posts: 28, Postponed: 2},
	}))
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "| 2026-01 | 31 | 2.0 MB |") || !strings.HasPrefix(lines[3], "| 2026-02 | 59 |") ||
		!strings.Contains(lines[2], "| 7 to 90 |") || !strings.Contains(lines[2], "| 1.5 s | 0 |") {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}

func TestGrowth(t *testing.T) {
	month := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	lines := linesOf(t, Growth(
		Tables{Month: month, Posts: 1000, List: []Sizes{{"contents", 1, 1_000_000, 1_000_000}, {"events", 4, 5_000_000, 1_000_000}, {"tasks", 1, 2_000_000, 0}}},
		Tables{Month: month.AddDate(0, 1, 0), Posts: 2000, List: []Sizes{{"events", 5, 4_000_000, 1_000_000}, {"contents", 1, 2_000_000, 2_000_000}, {"tasks", 1, 2_000_000, 0}, {"users", 1, 8192, 0}}},
	))
	want := []string{
		"| events | 5.0 MB | 1.0 MB | 4 | 4.0 MB | 1.0 MB | 5 | -1.0 kB |",
		"| contents | 1.0 MB | 1.0 MB |  | 2.0 MB | 2.0 MB |  | 2.0 kB |",
		"| tasks | 2.0 MB |  |  | 2.0 MB |  |  | 0 |",
	}
	if got := strings.Join(lines[2:], "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestRemovals(t *testing.T) {
	lines := linesOf(t, Removals(Removal{Dropped: 30, Deleted: 31, Dropping: 20 * time.Millisecond, Deleting: time.Second, DeletingWAL: 5_000_000}))
	if len(lines) != 5 || !strings.Contains(lines[2], "| 30 | 20 ms |") || !strings.Contains(lines[3], "| 31 | 1000 ms | 5.0 MB |") {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
}
