package learning

import (
	"testing"
	"time"

	"missiond/mission"
)

// A plan has no slot in a blackout, its other slots stay as they are without one, and its posts lead up
// to events.
func TestPlansKeepDates(t *testing.T) {
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	b := mission.Brief{Objectives: []string{"a", "b"}, Platforms: []mission.Platform{mission.Mastodon, mission.Bluesky}}
	b.Constraints.PostsPerDay, b.Constraints.Timezone = 4, "UTC"
	j := mission.Job{MissionID: "msn_1", Cycle: 1, Window: mission.Window{Start: start, End: start.Add(24 * time.Hour)}, Brief: b}
	whole := NewPlan(j, b.Destinations(nil), nil)
	j.Brief.Blackouts = mission.Blackouts{{StartsAt: start.Add(time.Hour), EndsAt: start.Add(7 * time.Hour)}}
	j.Brief.Occasions = []mission.Occasion{{Name: "Launch", StartsOn: "2026-03-03", EndsOn: "2026-03-03", Kind: mission.OccasionLaunch}}
	got := NewPlan(j, b.Destinations(nil), nil)
	if len(whole.Slots) != 4 || len(got.Slots) != 3 {
		t.Fatalf("got %d and %d slots", len(whole.Slots), len(got.Slots))
	}
	for i, n := range []int{0, 2, 3} {
		s, without := got.Slots[i], whole.Slots[n]
		if s.Position != i || !s.At.Equal(without.At) || s.Platform != without.Platform || s.Objective != without.Objective {
			t.Errorf("slot %d is %+v, want that of %+v", i, s, without)
		}
		if leads := s.Occasion != nil; leads != (n%2 == 0 || s.At.Day() == 3) {
			t.Errorf("slot %d at %s leads up to the event: %t", i, s.At, leads)
		}
	}
}
