package mission

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// monday is a morning.
var monday = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

func started(t rapid.TB, at time.Time, change func(m *Mission)) Mission {
	t.Helper()
	m := Mission{ID: "msn_1", Status: StatusDraft, DurationDays: 7, Constraints: (*ConstraintsInput)(nil).withDefaults(), CreatedAt: at}
	if change != nil {
		change(&m)
	}
	c, err := m.Start(Millis(at))
	if err != nil {
		t.Fatal(err)
	}
	return c.To
}

// windows returns the mission's windows as its cycles find them, each looking for the
// next at its own start.
func windows(m Mission) []Window {
	var ws []Window
	now := *m.StartsAt
	for w, ok := m.NextWindow(0, now); ok; w, ok = m.NextWindow(w.Day+1, now) {
		ws = append(ws, w)
		now = w.Start
	}
	return ws
}

func TestCadences(t *testing.T) {
	friday := parse(t, "2026-11-20T10:00:00Z")
	for _, tt := range []struct {
		cadence Cadence
		start   time.Time
		days    int
		want    []int
	}{
		{Daily, friday, 3, []int{0, 1, 2}},
		{Weekdays, friday, 7, []int{0, 3, 4, 5, 6}},
		{Weekdays, friday.AddDate(0, 0, 1), 2, nil},
		{Weekly, friday, 15, []int{0, 7, 14}},
		{Biweekly, friday, 30, []int{0, 14, 28}},
		{Monthly, parse(t, "2026-01-31T10:00:00Z"), 100, []int{0, 28, 59, 89}},
	} {
		m := started(t, tt.start, func(m *Mission) {
			m.Constraints.Cadence, m.DurationDays, m.Constraints.PostsPerDay = tt.cadence, tt.days, 3
		})
		var days []int
		for _, w := range windows(m) {
			days = append(days, w.Day)
		}
		if !slices.Equal(days, tt.want) {
			t.Errorf("%s over %d days posts on the days %v, want %v", tt.cadence, tt.days, days, tt.want)
		}
		if got := m.EstimatedPosts(tt.start); got != 3*len(tt.want) {
			t.Errorf("%s over %d days: got an estimate of %d posts, want %d", tt.cadence, tt.days, got, 3*len(tt.want))
		}
	}
}

func TestSlots(t *testing.T) {
	start := parse(t, "2026-11-21T10:37:00+01:00")
	for name, tt := range map[string]struct {
		posts int
		times []string
		cycle int
		want  []string
	}{
		"without times, the first at once":    {3, nil, 0, []string{"21 10:37", "21 18:37", "22 02:37"}},
		"times of this date and of the next":  {2, []string{"18:00", "09:00"}, 3, []string{"21 18:00", "22 09:00"}},
		"a time as the window begins":         {1, []string{"10:37"}, 1, []string{"21 10:37"}},
		"more times than posts, the first":    {1, []string{"18:00", "09:00", "12:00"}, 0, []string{"21 18:00"}},
		"more times than posts, the second":   {1, []string{"18:00", "09:00", "12:00"}, 1, []string{"22 09:00"}},
		"more times than posts, on again":     {2, []string{"18:00", "09:00", "12:00"}, 1, []string{"21 12:00", "21 18:00"}},
		"the rest between, evenly":            {3, []string{"12:00"}, 0, []string{"21 12:00", "21 16:37", "22 04:37"}},
		"the rest of a late time, in the day": {2, []string{"10:36"}, 0, []string{"21 22:37", "22 10:36"}},
		"a rest that would meet a time moves": {2, []string{"22:37"}, 0, []string{"21 22:37", "21 22:38"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := started(t, start, func(m *Mission) {
				m.Constraints.PostsPerDay, m.Constraints.PostingTimes, m.Constraints.Timezone = tt.posts, tt.times, "Europe/Berlin"
			})
			var got []string
			for _, s := range m.Constraints.Slots(m.window(0), tt.cycle) {
				got = append(got, s.In(zone(t, "Europe/Berlin")).Format("02 15:04"))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got the slots %v, want %v", got, tt.want)
			}
		})
	}
}

// drawMission generates an active mission with any zone, start, times and length; half
// of them start within hours of a change of the clocks, at any second.
func drawMission(t *rapid.T) Mission {
	var times []string
	for _, minute := range rapid.SliceOfNDistinct(rapid.IntRange(0, 24*60-1), 0, 6, rapid.ID).Draw(t, "times") {
		times = append(times, fmt.Sprintf("%02d:%02d", minute/60, minute%60))
	}
	name := rapid.SampledFrom(zones).Draw(t, "zone")
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.Int64Range(0, 4*365*24*3600).Draw(t, "start")) * time.Second)
	if _, change := at.In(zone(t, name)).ZoneBounds(); !change.IsZero() && rapid.Bool().Draw(t, "at a change") {
		at = change.AddDate(0, 0, -rapid.IntRange(0, 3).Draw(t, "days before")).Add(time.Duration(rapid.Int64Range(-3*3600, 3*3600).Draw(t, "seconds from it")) * time.Second)
		for range 4 { // times that a clock change may move
			minute := int(timeOfDay(at.In(zone(t, name))).Minutes()) + rapid.IntRange(-60, 60).Draw(t, "minutes from the start")
			clock := fmt.Sprintf("%02d:%02d", (minute+24*60)/60%24, (minute+24*60)%60)
			if !slices.Contains(times, clock) {
				times = append(times, clock)
			}
		}
	}
	return started(t, at, func(m *Mission) {
		m.DurationDays = rapid.IntRange(1, 40).Draw(t, "days")
		m.Constraints.PostsPerDay = rapid.IntRange(1, 12).Draw(t, "posts")
		m.Constraints.PostingTimes, m.Constraints.Timezone = times, name
	})
}

// A whole mission has a slot for each post, in order, all different, none before its
// window or after its end, each posting time once on each of its dates, and all of them
// equally often, whatever the zone's clock changes.
func TestSlotsOfWholeMissions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMission(t)
		c, z := m.Constraints, m.Constraints.Zone()
		dates := map[string]map[date]bool{}
		ws := windows(m)
		if len(ws) != m.DurationDays || !ws[0].Start.Equal(*m.StartsAt) || !ws[len(ws)-1].End.Equal(*m.EndsAt) {
			t.Fatalf("%d windows from %v to %v", len(ws), ws[0], ws[len(ws)-1])
		}
		used := map[string]int{}
		for i, w := range ws {
			if i > 0 && !w.Start.Equal(ws[i-1].End) {
				t.Fatalf("%v doesn't follow %v", w, ws[i-1])
			}
			slots := c.Slots(w, i)
			if len(slots) != c.PostsPerDay {
				t.Fatalf("%d slots for %d posts", len(slots), c.PostsPerDay)
			}
			for j, s := range slots {
				if s.Before(w.Start) || !s.Before(w.End) || j > 0 && !s.After(slots[j-1]) {
					t.Fatalf("slot %d of %v, in %v, is %s", j, slots, w, s)
				}
			}
			for _, n := range c.dealt(i) {
				clock := c.PostingTimes[n%len(c.PostingTimes)]
				used[clock]++
				at := c.PostingTime(w, n)
				if !slices.ContainsFunc(slots, func(s time.Time) bool { return s.Sub(at).Abs() <= time.Duration(len(slots))*slotGap }) {
					t.Fatalf("%s, at %s, isn't among %v", clock, at, slots)
				}
				if timeOfDay(at.In(z)) != wallTime(clock) {
					continue // moved out of a gap, past midnight where that ends the date, as in Nuuk
				}
				d := dateOf(at.In(z))
				if dates[clock] == nil {
					dates[clock] = map[date]bool{}
				}
				if dates[clock][d] {
					t.Fatalf("%s is used twice on %v", clock, d)
				}
				dates[clock][d] = true
			}
			var uses []int
			for _, clock := range c.PostingTimes {
				uses = append(uses, used[clock])
			}
			if len(uses) > 0 && slices.Max(uses) > slices.Min(uses)+1 {
				t.Fatalf("got the posting times' uses %v", used)
			}
		}
	})
}

func TestPassedDaysAreLeftOut(t *testing.T) {
	m := started(t, parse(t, "2026-11-21T10:00:00Z"), nil)
	if w, ok := m.NextWindow(1, m.StartsAt.Add(75*time.Hour)); !ok || w.Day != 3 {
		t.Errorf("after 75 hours got the next window %v, %v", w, ok)
	}
	if _, ok := m.NextWindow(1, *m.EndsAt); ok {
		t.Error("got a window after the end")
	}
	if _, ok := (Mission{}).NextWindow(0, time.Time{}); ok {
		t.Error("a draft has a window")
	}
}

// jobOf returns the job of a cycle of a mission that posts daily.
func jobOf(m Mission, cycle int) Job {
	m.NextCycle = cycle
	return NewJob("job_1", m, m.window(cycle), Brand{}, *m.StartsAt)
}
