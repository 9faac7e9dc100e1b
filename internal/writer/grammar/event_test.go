package grammar

import (
	"strings"
	"testing"
	"time"

	"missiond/mission"
)

// A post that leads up to an event says when it is, unless its name mentions an excluded topic.
func TestPostsSayWhenEventsAre(t *testing.T) {
	for _, each := range []struct {
		at, last, want string
	}{
		{"2026-03-01", "2026-03-03", "Coming up: Spring sale, on 3 March."}, {"2026-03-01", "2026-03-05", "Coming up: Spring sale, from 3 March to 5 March."},
		{"2026-03-03", "2026-03-03", "Today: Spring sale."}, {"2026-03-04", "2026-03-05", "On now: Spring sale, until 5 March."},
	} {
		for _, format := range []mission.Format{mission.FormatPost, mission.FormatThread} {
			a := assignment(func(a *mission.Assignment) {
				at, err := time.Parse(time.DateOnly, each.at)
				if err != nil {
					t.Fatal(err)
				}
				a.Slot.At, a.Slot.Format = at, format
				a.Slot.Occasion = &mission.Occasion{Name: "Spring sale", StartsOn: "2026-03-03", EndsOn: each.last, Kind: mission.OccasionSale}
			})
			if d := write(t, a); !strings.Contains(d.Text, each.want) {
				t.Errorf("the %s %q doesn't say %q", format, d.Text, each.want)
			}
			a.Brief.Constraints.ExcludedTopics = []string{"sale"}
			if d := write(t, a); strings.Contains(d.Text, "sale") {
				t.Errorf("%q mentions an excluded topic", d.Text)
			}
		}
	}
}
