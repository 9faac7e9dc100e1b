package mission_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

// Slots keep out of avoided parts of the day and come to preferred ones, as many as without
// guidance, within their window and apart.
func TestGuidedSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.Permutation(mission.PartsOfDay()).Draw(t, "parts")
		prefer, avoid := parts[:rapid.IntRange(0, 2).Draw(t, "preferred")], parts[4:4+rapid.IntRange(0, 3).Draw(t, "avoided")]
		c := mission.Constraints{
			Cadence: mission.Daily, PostsPerDay: rapid.IntRange(1, 3).Draw(t, "posts"), Timezone: "Europe/Berlin",
			Guidance: &mission.Guidance{PreferHours: prefer, AvoidHours: avoid},
		}
		start := time.Date(2026, 11, 26, 8, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 24*60).Draw(t, "minute")) * time.Minute)
		w := mission.Window{Start: start, End: start.Add(24 * time.Hour)}
		slots := c.Slots(w, 0)
		if len(slots) != c.PostsPerDay || !slices.IsSortedFunc(slots, time.Time.Compare) {
			t.Fatalf("%d slots: %v", len(slots), slots)
		}
		preferred := 0
		for _, at := range slots {
			if at.Before(w.Start) || !at.Before(w.End) {
				t.Fatalf("%v isn't within %v", at, w)
			}
			part := mission.PartsOfDay()[mission.PartOfDay(at.In(c.Zone()))]
			if slices.Contains(avoid, part) {
				t.Fatalf("%v is in %s", at, part)
			}
			if slices.Contains(prefer, part) {
				preferred++
			}
		}
		if preferred < min(len(prefer), len(slots), 1) {
			t.Fatalf("none of %v is in %v", slots, prefer)
		}
	})
}

func TestGuidanceIsChecked(t *testing.T) {
	all := mission.AllAngles()
	for name, test := range map[string]struct {
		guidance mission.Guidance
		param    string
	}{
		"an unknown angle":      {mission.Guidance{PreferAngles: []mission.Angle{"rant"}}, "prefer_angles[0]"},
		"an angle twice":        {mission.Guidance{AvoidAngles: []mission.Angle{"tip", "tip"}}, "avoid_angles[1]"},
		"both":                  {mission.Guidance{PreferAngles: []mission.Angle{"tip"}, AvoidAngles: []mission.Angle{"tip"}}, "avoid_angles[0]"},
		"no angle left":         {mission.Guidance{AvoidAngles: all}, "avoid_angles"},
		"an unknown hour":       {mission.Guidance{PreferHours: []string{"6"}}, "prefer_hours[0]"},
		"no hour left":          {mission.Guidance{AvoidHours: mission.PartsOfDay()}, "avoid_hours"},
		"a preferred hour":      {mission.Guidance{PreferHours: []string{"06-09"}, AvoidHours: []string{"06-09"}}, "avoid_hours[0]"},
		"allowed":               {mission.Guidance{PreferHours: []string{"06-09"}, AvoidHours: []string{"00-03"}, AvoidAngles: all[1:]}, ""},
		"nothing, which is all": {mission.Guidance{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			days := 1
			err := mission.CreateInput{
				Name: "x", Objectives: []string{"x"}, Platforms: []mission.Platform{mission.LinkedIn}, DurationDays: &days,
				Constraints: &mission.ConstraintsInput{Guidance: &test.guidance},
			}.Check()
			got := ""
			if e := new(mission.Error); errors.As(err, &e) {
				got = e.Param
			}
			if want := test.param; want != "" && got != "constraints.guidance."+want || want == "" && got != "" {
				t.Errorf("got a problem with %q: %v", got, err)
			}
		})
	}
	if got := fmt.Sprint((*mission.Guidance)(nil).Angles(0)); got != fmt.Sprint(all) {
		t.Errorf("without guidance the angles are %s", got)
	}
}
