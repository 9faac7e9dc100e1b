package mission

import (
	"fmt"
	"testing"
	"time"
)

// The usual range is that of posts that were measured at their age. Those that were
// measured late had more time, and would make any result usual.
func TestLatePeersSayNothing(t *testing.T) {
	at := func(id string, likes float64, late time.Duration) Measurement {
		return Measurement{
			ContentID: id, Platform: Mastodon, Step: 4, PublishedAt: monday,
			At: monday.Add(measureAges[3] + late), Metrics: Metrics{Likes: likes},
		}
	}
	var peers []Measurement
	for i := range leastPosts {
		peers = append(peers, at(fmt.Sprint("on time ", i), 20+float64(i%3), 0))
	}
	probe := at("probe", 400, 0)
	found := func(peers []Measurement) []AnomalyDetectedData {
		return unusual([]Content{{ID: "probe"}}, []Measurement{probe}, peersOf(peers))
	}
	if got := found(peers); len(got) != 1 {
		t.Fatalf("among the other posts %v: got %+v", probe.Metrics, got)
	}
	for i := range 3 * leastPosts {
		peers = append(peers, at(fmt.Sprint("late ", i), 400+float64(i%3), 4*time.Hour))
	}
	if got := found(peers); len(got) != 1 || got[0].UsualHigh > 200 {
		t.Errorf("among posts measured late %v: got %+v", probe.Metrics, got)
	}
	// Posts measured late don't count among the others either.
	if got := found(peers[1:]); len(got) != 0 {
		t.Errorf("among %d posts that were measured in time %v: got %+v", leastPosts-1, probe.Metrics, got)
	}
}
