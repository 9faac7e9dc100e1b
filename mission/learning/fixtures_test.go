package learning

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

// slotStep is about the distance of the instants that slots are chosen from.
const slotStep = 30 * time.Minute

// started returns a mission of a week that starts at an instant, with the changes of change.
func started(t rapid.TB, at time.Time, change func(m *mission.Mission)) mission.Mission {
	t.Helper()
	m := mission.Mission{
		ID: "msn_1", Status: mission.StatusDraft, DurationDays: 7, CreatedAt: at,
		Constraints: mission.Constraints{Cadence: mission.Daily, PostsPerDay: 1, PostingTimes: []string{}, Timezone: "UTC", ExcludedTopics: []string{}},
	}
	if change != nil {
		change(&m)
	}
	c, err := m.Start(mission.Millis(at))
	if err != nil {
		t.Fatal(err)
	}
	return c.To
}

// windowOf returns the window of a cycle of a mission that posts daily, even beyond its end.
func windowOf(m mission.Mission, cycle int) mission.Window {
	m.DurationDays, m.EndsAt = max(m.DurationDays, cycle+1), nil
	w, _ := m.NextWindow(cycle, *m.StartsAt)
	return w
}

// planOf returns the plan of a job whose tenant has no integrations.
func planOf(j mission.Job, l Model) mission.Plan { return NewPlan(j, j.Brief.Destinations(nil), l) }

// zones are time zones with changes of many kinds, and without.
var zones = []string{
	"UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/St_Johns", "America/Havana", "America/Nuuk", "Africa/Casablanca",
	"Asia/Gaza", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Apia", "Antarctica/Troll",
}

func zone(t rapid.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// drawMission draws a mission of any length, times and zone, which often begins near a change
// of its clocks.
func drawMission(t *rapid.T) mission.Mission {
	var times []string
	for _, minute := range rapid.SliceOfNDistinct(rapid.IntRange(0, 24*60-1), 0, 6, rapid.ID).Draw(t, "times") {
		times = append(times, fmt.Sprintf("%02d:%02d", minute/60, minute%60))
	}
	name := rapid.SampledFrom(zones).Draw(t, "zone")
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.Int64Range(0, 4*365*24*3600).Draw(t, "start")) * time.Second)
	if _, change := at.In(zone(t, name)).ZoneBounds(); !change.IsZero() && rapid.Bool().Draw(t, "at a change") {
		at = change.AddDate(0, 0, -rapid.IntRange(0, 3).Draw(t, "days before")).Add(time.Duration(rapid.Int64Range(-3*3600, 3*3600).Draw(t, "seconds from it")) * time.Second)
	}
	return started(t, at, func(m *mission.Mission) {
		m.DurationDays = rapid.IntRange(1, 40).Draw(t, "days")
		m.Constraints.PostsPerDay = rapid.IntRange(1, 12).Draw(t, "posts")
		m.Constraints.PostingTimes, m.Constraints.Timezone = times, name
	})
}
