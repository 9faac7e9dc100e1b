package mission

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// dates counts instants by their local dates.
func dates(slots []time.Time, zone *time.Location) map[date]int {
	n := map[date]int{}
	for _, s := range slots {
		n[dateOf(s.In(zone))]++
	}
	return n
}

// However a mission is paused, its windows begin at the time of day of its start, follow
// each other, and its end moves by the pauses exactly. Posts have the posting times of
// their day, and no date has more than a day's.
func TestWindowsAfterPauses(t *testing.T) {
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Havana", "Pacific/Auckland"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(zones).Draw(t, "zone")
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 365*24*60).Draw(t, "minute")) * time.Minute)
		m := Mission{Status: StatusDraft, DurationDays: rapid.IntRange(1, 20).Draw(t, "days")}
		m.Constraints = (*ConstraintsInput)(nil).withDefaults()
		m.Constraints.Timezone = name
		m.Constraints.PostingTimes = [][]string{{"09:00", "13:00"}, {"08:30"}, {"07:15", "12:00", "18:45"}}[rapid.IntRange(0, 2).Draw(t, "times")]
		m.Constraints.PostsPerDay = rapid.IntRange(1, len(m.Constraints.PostingTimes)).Draw(t, "posts")
		started, err := m.Start(begin)
		if err != nil {
			t.Fatal(err)
		}
		m = started.To
		ends, now := *m.EndsAt, begin
		for range rapid.IntRange(0, 4).Draw(t, "pauses") {
			now = now.Add(time.Duration(rapid.IntRange(0, 40*60).Draw(t, "until")) * time.Minute)
			length := time.Duration(rapid.IntRange(0, 5*24*60).Draw(t, "length")) * time.Minute
			if !now.Before(*m.EndsAt) {
				break
			}
			c, err := m.Pause(now)
			if err != nil {
				t.Fatal(err)
			}
			now, ends = now.Add(length), ends.Add(length)
			if c, err = c.To.Resume(now); err != nil {
				t.Fatal(err)
			}
			m = c.To
		}
		if !m.EndsAt.Equal(ends) {
			t.Fatalf("the mission ends at %s, want %s", m.EndsAt, ends)
		}
		var slots []time.Time
		last := Window{Day: -1}
		for w, ok := m.NextWindow(0, begin); ok; w, ok = m.NextWindow(w.Day+1, begin) {
			if want := AddDays(begin, w.Day+m.pausedDays(zone), zone); !w.Start.Equal(want) || w.Day != last.Day+1 || last.Day >= 0 && !w.Start.Equal(last.End) {
				t.Fatalf("day %d begins at %s, want %s, after %s", w.Day, w.Start.In(zone), want.In(zone), last.End.In(zone))
			}
			if w.End.After(*m.EndsAt) {
				t.Fatalf("day %d ends at %s, after the mission", w.Day, w.End)
			}
			of := m.Constraints.Slots(w, w.Day)
			if len(of) != m.Constraints.PostsPerDay || of[0].Before(w.Start) || !of[len(of)-1].Before(w.End) {
				t.Fatalf("day %d from %s to %s has the slots %s", w.Day, w.Start, w.End, of)
			}
			if w.whole(zone) == w { // not cut short by the mission's end
				slots = append(slots, of...)
			}
			last = w
		}
		if short := m.window(m.DurationDays - 1); last.Day != m.DurationDays-1 && short.End.Sub(short.Start) >= minRoom {
			t.Fatalf("the last day is %d of %d", last.Day+1, m.DurationDays)
		}
		for _, s := range slots {
			if !slices.Contains(m.Constraints.PostingTimes, s.In(zone).Format("15:04")) && !changes(s, zone) {
				t.Fatalf("a post has the slot %s", s.In(zone))
			}
		}
		if len(m.Constraints.PostingTimes) == m.Constraints.PostsPerDay {
			for d, n := range dates(slots, zone) {
				if n > m.Constraints.PostsPerDay {
					t.Fatalf("%v has %d posts", d, n)
				}
			}
		}
	})
}

// changes reports whether the zone's offset changes within a day of an instant.
func changes(s time.Time, zone *time.Location) bool {
	return offsetAt(s.Add(-24*time.Hour), zone) != offsetAt(s.Add(24*time.Hour), zone)
}

// The job that a pause interrupts goes on until the next day begins, and its late posts
// take the posting times until then: none at night, and no date has too many.
func TestResumeAtNight(t *testing.T) {
	m := started(t, parse(t, "2026-11-25T10:00:00Z"), func(m *Mission) {
		m.DurationDays, m.Constraints.PostsPerDay, m.Constraints.PostingTimes = 10, 2, []string{"09:00", "13:00"}
	})
	m.Objectives, m.Platforms = []string{"a"}, []Platform{Mastodon}
	j := jobOf(m, 0)
	paused, err := m.Pause(parse(t, "2026-11-25T11:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	now := parse(t, "2026-11-28T02:00:00Z")
	shift := paused.To.Shift(now)
	c, err := paused.To.Resume(now)
	if err != nil {
		t.Fatal(err)
	}
	m = c.To
	w := m.Resumed(j, shift)
	next, _ := m.NextWindow(1, now)
	if want := parse(t, "2026-11-29T10:00:00Z"); !w.End.Equal(want) || !next.Start.Equal(want) {
		t.Errorf("the job goes on until %s, and the next begins at %s; want %s", w.End, next.Start, want)
	}
	late := m.Reslot(m.Constraints, w, m.Constraints.Slots(j.Window, 0), nil, now)
	if want := []time.Time{parse(t, "2026-11-28T09:00:00Z"), parse(t, "2026-11-28T13:00:00Z")}; !slices.EqualFunc(late, want, time.Time.Equal) {
		t.Errorf("late posts move to %s, want %s", late, want)
	}
	all := late
	for ; ; next, _ = m.NextWindow(next.Day+1, now) {
		all = append(all, m.Constraints.Slots(next, next.Day)...)
		if next.Day == 8 {
			break
		}
	}
	for d, n := range dates(all, time.UTC) {
		if n > 2 {
			t.Errorf("%v has %d posts", d, n)
		}
	}
}
