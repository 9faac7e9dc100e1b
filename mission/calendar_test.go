package mission

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Days have the hours that their zone gives them, and each begins where the one before
// it ends.
func TestCalendarDays(t *testing.T) {
	for _, tt := range []struct {
		zone, from, to string
		starts, hours  string
	}{
		{"UTC", "2026-02-28", "2026-03-01", "02-28T00:00 03-01T00:00", "24h0m0s 24h0m0s"},
		{"Europe/Berlin", "2026-03-28", "2026-03-30", "03-27T23:00 03-28T23:00 03-29T22:00", "24h0m0s 23h0m0s 24h0m0s"},
		{"Europe/Berlin", "2026-10-25", "2026-10-25", "10-24T22:00", "25h0m0s"},
		{"America/New_York", "2026-03-08", "2026-03-08", "03-08T05:00", "23h0m0s"},
		{"America/New_York", "2026-11-01", "2026-11-01", "11-01T04:00", "25h0m0s"},
		{"Australia/Lord_Howe", "2026-04-05", "2026-04-05", "04-04T13:00", "24h30m0s"},
		{"Australia/Lord_Howe", "2026-10-04", "2026-10-04", "10-03T13:30", "23h30m0s"},
		{"America/Sao_Paulo", "2018-11-03", "2018-11-04", "11-03T03:00 11-04T03:00", "24h0m0s 23h0m0s"}, // without a midnight
		{"America/Sao_Paulo", "2018-02-17", "2018-02-18", "02-17T02:00 02-18T03:00", "25h0m0s 24h0m0s"},
		{"Asia/Beirut", "2024-03-30", "2024-03-31", "03-29T22:00 03-30T22:00", "24h0m0s 23h0m0s"}, // without a midnight
		{"Asia/Beirut", "2024-10-26", "2024-10-27", "10-25T21:00 10-26T22:00", "25h0m0s 24h0m0s"}, // midnight falls back
		{"Pacific/Apia", "2011-12-29", "2011-12-31", "12-29T10:00 12-30T10:00 12-30T10:00", "24h0m0s 0s 24h0m0s"},
	} {
		zone, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		var starts, hours []string
		for _, d := range (CalendarInput{From: tt.from, To: tt.to}).Days(zone) {
			starts, hours = append(starts, d.StartsAt.UTC().Format("01-02T15:04")), append(hours, d.EndsAt.Sub(d.StartsAt).String())
		}
		if got := strings.Join(starts, " "); got != tt.starts || strings.Join(hours, " ") != tt.hours {
			t.Errorf("%s from %s: days from %s of %v, want %s of %s", tt.zone, tt.from, got, hours, tt.starts, tt.hours)
		}
	}
	zones := everyZone(t)
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		first := date{rapid.IntRange(1970, 2037).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(1, 28).Draw(t, "day")}
		in := CalendarInput{From: first.utc().Format(time.DateOnly), To: first.addDays(61).utc().Format(time.DateOnly)}
		days := in.Days(zone)
		if err := in.Check(); err != nil || len(days) != MaxCalendarDays {
			t.Fatalf("%d days, %v", len(days), err)
		}
		for i, d := range days {
			if d.EndsAt.Before(d.StartsAt) || i > 0 && !d.StartsAt.Equal(days[i-1].EndsAt) {
				t.Fatalf("%s is from %s to %s, after %+v", d.Date, d.StartsAt, d.EndsAt, days[max(0, i-1)])
			}
		}
	})
}

func TestCalendarInputs(t *testing.T) {
	for _, tt := range []struct {
		in    CalendarInput
		param string
	}{
		{CalendarInput{From: "2026-01-01", To: "2026-03-03"}, ""},
		{CalendarInput{From: "9998-11-01", To: "9998-12-31"}, ""},
		{CalendarInput{From: "2026-01-01", To: "2026-03-04"}, "to"},
		{CalendarInput{From: "1970-01-01", To: "9998-01-01"}, "to"},
		{CalendarInput{From: "2026-01-02", To: "2026-01-01"}, "from"},
		{CalendarInput{To: "2026-01-01"}, "from"},
		{CalendarInput{From: "2026-01-01"}, "to"},
		{CalendarInput{From: "0000-01-01", To: "2026-01-01"}, "from"},
		{CalendarInput{From: "2026-01-01", To: "9999-12-31"}, "to"},
		{CalendarInput{From: "2026-02-29", To: "2026-03-01"}, "from"},
		{CalendarInput{From: strings.Repeat("2", 10_000), To: "2026-03-01"}, "from"},
		{CalendarInput{From: "2026-01-01", To: "2026-01-01", TimeZone: "../etc"}, "time_zone"},
		{CalendarInput{From: "2026-01-01", To: "2026-01-01", TimeZone: "Local"}, "time_zone"},
		{CalendarInput{From: "2026-01-01", To: "2026-01-01", TimeZone: "/etc/localtime"}, "time_zone"},
		{CalendarInput{From: "2026-01-01", To: "2026-01-01", TimeZone: strings.Repeat("U", 10_000)}, "time_zone"},
		{CalendarInput{From: "2026-01-01", To: "2026-01-01", Platform: "myspace"}, "platform"},
	} {
		var m *Error
		if err := tt.in.Check(); errors.As(err, &m) != (tt.param != "") || m != nil && m.Param != tt.param {
			t.Errorf("%.200v: got %v, want an error on %q", tt.in, err, tt.param)
		}
	}
}

// What is planned ahead is what the mission's cycles then plan, unless it learns hours.
func TestAheadIsWhatCyclesPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 3, 20, 9, 30, 0, 0, time.UTC)
		m := Mission{
			ID: "msn_1", Status: StatusActive, StartsAt: &now, DurationDays: rapid.IntRange(1, 40).Draw(t, "days"), Platforms: []Platform{Twitter},
			Objectives: []string{"x"}, PausedFor: time.Duration(rapid.IntRange(0, 50).Draw(t, "paused")) * time.Hour,
			Constraints: Constraints{
				Cadence: rapid.SampledFrom(AllCadences()).Draw(t, "cadence"), PostsPerDay: rapid.IntRange(1, 3).Draw(t, "posts"),
				PostingTimes: []string{"08:00", "12:00", "17:00", "21:30"}[:rapid.IntRange(0, 4).Draw(t, "times")], Timezone: "Europe/Berlin",
			},
		}
		var jobs []Job
		var want []string
		from := now.Add(time.Duration(rapid.IntRange(-5, 20).Draw(t, "from")) * 24 * time.Hour)
		until := from.Add(time.Duration(rapid.IntRange(1, 62).Draw(t, "length")) * 24 * time.Hour)
		begun := rapid.IntRange(0, 3).Draw(t, "begun")
		for day := 0; ; {
			w, ok := m.NextWindow(day, now)
			if !ok {
				break
			}
			j := NewJob(fmt.Sprint("job_", len(jobs)), m, w, Brand{}, now)
			j.Plan = plannedInTurn(j, []Destination{{Platform: Twitter}})
			m.NextCycle, day, jobs = j.Cycle, w.Day+1, append(jobs, j)
			if len(jobs) <= begun {
				continue
			}
			for _, s := range j.Plan.Slots {
				if !s.At.Before(from) && s.At.Before(until) {
					want = append(want, s.At.String())
				}
			}
		}
		o := Outlook{Mission: m}
		if begun = min(begun, len(jobs)); begun > 0 {
			o.Job = &jobs[begun-1]
			o.Job.CurrentStage = StagePublish
		}
		o.Mission.NextCycle = begun
		slots, more := Ahead([]Outlook{o}, from, until, now, CalendarSlots)
		var got []string
		for _, s := range slots {
			got = append(got, s.At.String())
			if s.JobID != nil || s.Platform == nil || *s.Platform != Twitter {
				t.Errorf("the slot %+v", s)
			}
		}
		if slices.Sort(want); more || !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// A mission's slots that have no post yet are planned; those of paused missions and of
// jobs that are done writing aren't.
func TestAheadOfJobs(t *testing.T) {
	now := time.Date(2026, 3, 20, 9, 0, 0, 0, time.UTC)
	m := Mission{ID: "msn_1", Status: StatusActive, StartsAt: &now, DurationDays: 1, Platforms: []Platform{Twitter, LinkedIn}, Constraints: Constraints{PostsPerDay: 2, Timezone: "UTC", Cadence: Daily}}
	w, _ := m.NextWindow(0, now)
	j := NewJob("job_1", m, w, Brand{}, now)
	plan := Plan{Slots: []Slot{{Position: 0, At: now, Platform: Twitter}, {Position: 1, At: now.Add(time.Hour), Platform: LinkedIn, IntegrationID: "int_1", AccountHandle: "acme"}}}
	for name, tt := range map[string]struct {
		status Status
		stage  StageName
		plan   Plan
		want   string
	}{
		"not planned yet": {StatusActive, StageStrategy, Plan{}, "09:00 21:00"},
		"being written":   {StatusActive, StageContent, plan, "10:00"},
		"written":         {StatusActive, StagePublish, plan, ""},
		"paused":          {StatusPaused, StageContent, plan, ""},
	} {
		j, m := j, m
		j.CurrentStage, j.Plan, m.Status, m.NextCycle = tt.stage, tt.plan, tt.status, 1
		slots, _ := Ahead([]Outlook{{Mission: m, Job: &j, Written: []int{0}}}, now, now.Add(48*time.Hour), now, 10)
		var got []string
		for _, s := range slots {
			got = append(got, s.At.Format("15:04"))
			if name == "being written" && (*s.JobID != "job_1" || *s.Platform != LinkedIn || *s.IntegrationID != "int_1" || *s.AccountHandle != "acme") {
				t.Errorf("the slot %+v", s)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %v, want %s", name, got, tt.want)
		}
	}
	m.DurationDays = 366
	if slots, more := Ahead([]Outlook{{Mission: m}}, now, now.Add(62*24*time.Hour), now, 7); len(slots) != 7 || !more {
		t.Errorf("%d slots, more %v", len(slots), more)
	}
}

// BenchmarkAhead plans as much as a calendar does at most, at the end of long missions.
func BenchmarkAhead(b *testing.B) {
	now := time.Date(2026, 3, 20, 9, 0, 0, 0, time.UTC)
	var outlooks []Outlook
	for range CalendarMissions {
		outlooks = append(outlooks, Outlook{Mission: Mission{
			ID: "msn_1", Status: StatusActive, StartsAt: &now, DurationDays: 366, Platforms: []Platform{Twitter},
			Constraints: Constraints{PostsPerDay: 1, PostingTimes: []string{"09:00"}, Timezone: "America/New_York", Cadence: Weekdays},
		}})
	}
	for b.Loop() {
		Ahead(outlooks, now.AddDate(0, 0, 300), now.AddDate(0, 0, 362), now, CalendarSlots)
	}
}
