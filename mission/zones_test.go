package mission

import (
	"archive/zip"
	"crypto/sha256"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// everyZone returns the names of the toolchain's IANA zones, one for each set of
// rules.
func everyZone(t *testing.T) []string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	var names []string
	seen := map[[32]byte]bool{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		rules, err := io.ReadAll(r)
		_ = r.Close()
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(rules); len(rules) > 0 && !seen[sum] {
			seen[sum] = true
			names = append(names, f.Name)
		}
	}
	return names
}

// In every zone, around each change of the clocks in 2026 to 2030 and on every ninth day
// of the others: each slot is on its own local date, in order, in its cycle's window,
// and none is lost or duplicated at a change of the clocks.
func TestSlotsInEveryZone(t *testing.T) {
	t.Parallel()
	names := everyZone(t)
	if len(names) < 300 {
		t.Fatalf("only %d zones were found", len(names))
	}
	times := []string{"00:00", "00:30", "01:30", "02:30", "03:15", "12:00", "23:45"}
	for i, name := range names {
		if testing.Short() && i%20 != 0 {
			continue
		}
		z := zone(t, name)
		for year := 2026; year <= 2030; year++ {
			first := date{year, time.January, 1}
			m := started(t, resolveLocal(first, 0, z), func(m *Mission) {
				m.DurationDays = int(date{year + 1, time.January, 1}.utc().Sub(first.utc()) / (24 * time.Hour))
				m.Constraints.PostsPerDay, m.Constraints.PostingTimes, m.Constraints.Timezone = len(times), times, name
			})
			checkYear(t, m, z, first)
		}
	}
}

// clocksChange reports whether a zone's clocks change within three days of t.
func clocksChange(t time.Time) bool {
	const near = 72 * time.Hour
	since, until := t.ZoneBounds()
	return !since.IsZero() && t.Sub(since) < near || !until.IsZero() && until.Sub(t) < near
}

// checkYear checks a mission that begins at the midnight of a date.
func checkYear(t *testing.T, m Mission, z *time.Location, first date) {
	t.Helper()
	last := m.StartsAt.Add(-time.Millisecond)
	for day := range m.DurationDays {
		if day%9 != 0 && !clocksChange(AddDays(*m.StartsAt, day, z).In(z)) {
			continue
		}
		w, ok := m.NextWindow(day, last)
		if !ok || w.Day != day {
			t.Fatalf("%s: day %d of %d has no window", z, day, first.year)
		}
		want := first.addDays(day)
		slots := m.Constraints.Slots(w, day)
		if len(slots) != m.Constraints.PostsPerDay {
			t.Fatalf("%s: %v has %d slots", z, want, len(slots))
		}
		for _, s := range slots {
			if !s.After(last) || s.Before(w.Start) || !s.Before(w.End) || dateOf(s.In(z)) != want {
				t.Fatalf("%s: a slot of %v is at %s, after %s, in the window from %s to %s", z, want, s.In(z), last.In(z), w.Start.In(z), w.End.In(z))
			}
			last = s
		}
	}
	if end := AddDays(*m.StartsAt, m.DurationDays, z); !m.EndsAt.Equal(end) || last.After(end) {
		t.Fatalf("%s: %d: got the end %s", z, first.year, m.EndsAt.In(z))
	}
}
