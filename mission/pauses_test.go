package mission

import (
	"testing"
	"time"
)

// The time of a pause doesn't count: neither for what a KPI needs per day, nor for an
// update's new end.
func TestPausesAreNoTimeOfTheMission(t *testing.T) {
	const day = 24 * time.Hour
	begin := parse(t, "2026-11-21T10:00:00Z")
	m := started(t, begin, func(m *Mission) { m.DurationDays = 10 })
	m.Name, m.Objectives, m.Platforms = "Pauses", []string{"a"}, []Platform{Twitter}
	m.KPIs = []KPI{{Likes, 100, EveryPlatform}, {EngagementRate, 5, EveryPlatform}}
	m.Totals = PlatformTotals{Twitter: {Impressions: 1000, Likes: 40}}
	want := m.KPIProgress(begin.Add(4*day + time.Hour))
	later := m
	ends := m.EndsAt.Add(5 * day)
	later.PausedFor, later.EndsAt = 5*day, &ends
	for i, got := range later.KPIProgress(begin.Add(9*day + time.Hour)) {
		if *got.NeededPerDay != *want[i].NeededPerDay {
			t.Errorf("%v: after a pause got %v needed per day, want %v", later.KPIs[i], *got.NeededPerDay, *want[i].NeededPerDay)
		}
	}
	paused, err := m.Pause(begin.Add(30 * time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := paused.To.Update(UpdateInput{DurationDays: Some(2)}, begin.Add(80*time.Hour)); err != nil {
		t.Errorf("two days, of which 30 hours are over, are refused in a pause: %v", err)
	}
	_, err = paused.To.Update(UpdateInput{DurationDays: Some(1)}, begin.Add(80*time.Hour))
	wantCode(t, err, CodeInvalidRequest, "duration_days")
}

// A job that is run again gets another day if its window is over, or has less than an
// hour left.
func TestRerunWindow(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), nil)
	j := jobOf(m, 0)
	end := j.Window.End
	j = j.Fail(Failure{}, 5, *m.StartsAt).To
	for left, want := range map[time.Duration]time.Duration{
		2 * time.Hour: 0, time.Hour: 0, time.Hour - 1: 23*time.Hour + 1, 0: 24 * time.Hour, -time.Hour: 25 * time.Hour,
	} {
		ch, err := j.Rerun(end.Add(-left))
		if err != nil || ch.To.Window.End.Sub(end) != want {
			t.Errorf("with %s left got %s more, want %s (%v)", left, ch.To.Window.End.Sub(end), want, err)
		}
	}
}
