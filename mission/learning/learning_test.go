package learning

import (
	"strings"
	"testing"
	"time"

	"missiond/mission"
)

// A plan takes platforms and objectives in turn, from one cycle to the next, and only
// formats that the platform supports.
func TestPlansTakeTurns(t *testing.T) {
	m := started(t, time.Unix(1e9, 0), func(m *mission.Mission) {
		m.Platforms, m.Objectives, m.Constraints.PostsPerDay = []mission.Platform{mission.Twitter, mission.LinkedIn, mission.Mastodon}, []string{"a", "b"}, 2
	})
	var platforms, objectives []string
	for cycle := range 3 {
		m.NextCycle = cycle
		for _, s := range planOf(mission.NewJob("job_1", m, windowOf(m, cycle), mission.Brand{}, *m.StartsAt), nil).Slots {
			platforms, objectives = append(platforms, string(s.Platform)), append(objectives, s.Objective)
			caps, _ := mission.CapabilitiesOf(s.Platform)
			if s.Format != caps.Formats[0] && s.Format != caps.Formats[1] {
				t.Errorf("%s got a %s", s.Platform, s.Format)
			}
		}
	}
	if got := strings.Join(platforms, " "); got != "twitter linkedin mastodon twitter linkedin mastodon" {
		t.Errorf("got the platforms %s", got)
	}
	if got := strings.Join(objectives, ""); got != "aaabbb" { // both for each platform, both for each part of the day
		t.Errorf("got the objectives %s", got)
	}
}
