package report

import (
	"strings"
	"testing"
	"time"
)

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{0: "", 0.4: "", 12: "12 B", 999: "999 B", 1_500: "1.5 kB", 153_000: "153 kB", 8.9e12: "8.9 TB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%v bytes are %q, want %q", n, got, want)
		}
	}
}

// A million posts a day of 43.2 ms, at half a core's use, take one core; their lists and
// deliveries are added.
func TestNeeds(t *testing.T) {
	post := Cost{Operation: WholePost, Missiond: 43_200 * time.Microsecond, WAL: 86_400}
	row := func(list ...Cost) string {
		for line := range strings.Lines(Needs(list)) {
			if strings.HasPrefix(line, "| 1000000 |") {
				return line
			}
		}
		return ""
	}
	if got := row(post, Cost{Operation: "a status view", Missiond: time.Hour}); !strings.Contains(got, "| 1 cores |") || !strings.Contains(got, "| 1.0 MB/s |") {
		t.Errorf("got %s", got)
	}
	if got := row(post, Cost{Operation: ReadList, Missiond: 1_080 * time.Microsecond}, Cost{Operation: strings.Replace(Deliveries, "%.1f", "8.3", 1), Missiond: 43_200 * time.Microsecond}); !strings.Contains(got, "| 2.5 cores |") {
		t.Errorf("with reads and deliveries got %s", got)
	}
}
