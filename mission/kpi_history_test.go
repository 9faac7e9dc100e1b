package mission

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func (d KPIDay) String() string {
	value := "-"
	if d.Value != nil {
		value = fmt.Sprintf("%.4g", *d.Value)
	}
	return fmt.Sprintf("%s %s %.4g/%.4g", d.Date, value, d.Needed, d.Target)
}

// A KPI's course has each day of the mission: figures add up, rates are of all
// posts so far, and there is no value before the first measured post or after
// today.
func TestKPIHistory(t *testing.T) {
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC) }
	starts, ends := at(20, 12), at(24, 12)
	m := Mission{
		Status: StatusActive, StartsAt: &starts, EndsAt: &ends,
		KPIs: []KPI{{Likes, 80, EveryPlatform}, {Likes, 40, Mastodon}, {EngagementRate, 5, EveryPlatform}, {Reach, 8, EveryPlatform}},
	}
	days := []Figures{
		{Date: "2026-11-21", Platform: Twitter, Metrics: Metrics{Impressions: 100, Likes: 2, EngagementRate: 2}},
		{Date: "2026-11-21", Platform: Mastodon, Metrics: Metrics{Likes: 10}},
		{Date: "2026-11-23", Platform: Twitter, Metrics: Metrics{Impressions: 300, Likes: 18, EngagementRate: 6}},
		{Date: "2026-11-25", Platform: Twitter, Metrics: Metrics{Likes: 1}}, // after the end: a late publication
	}
	for _, tt := range []struct {
		kpi  KPI
		now  time.Time
		want []string
	}{
		{m.KPIs[0], at(26, 0), []string{"2026-11-20 - 10/80", "2026-11-21 12 30/80", "2026-11-22 12 50/80", "2026-11-23 30 70/80", "2026-11-24 31 80/80"}},
		{m.KPIs[0], at(22, 23), []string{"2026-11-20 - 10/80", "2026-11-21 12 30/80", "2026-11-22 12 50/80", "2026-11-23 - 70/80", "2026-11-24 - 80/80"}},
		{m.KPIs[1], at(26, 0), []string{"2026-11-20 - 5/40", "2026-11-21 10 15/40", "2026-11-22 10 25/40", "2026-11-23 10 35/40", "2026-11-24 10 40/40"}},
		{m.KPIs[2], at(26, 0), []string{"2026-11-20 - 5/5", "2026-11-21 2 5/5", "2026-11-22 2 5/5", "2026-11-23 5 5/5", "2026-11-24 5 5/5"}},
		{m.KPIs[3], at(26, 0), []string{"2026-11-20 - 1/8", "2026-11-21 - 3/8", "2026-11-22 - 5/8", "2026-11-23 - 7/8", "2026-11-24 - 8/8"}},
	} {
		var got []string
		for _, d := range m.KPIHistory(tt.kpi.Metric, tt.kpi.Platform, days, tt.now) {
			got = append(got, d.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v at %s: got\n%q, want\n%q", tt.kpi, tt.now, got, tt.want)
		}
	}
	if got := m.KPIHistory(Likes, Twitter, days, ends); got != nil {
		t.Errorf("the course of no KPI is %v", got)
	}
	m.Status = StatusDraft
	if got := m.KPIHistory(Likes, EveryPlatform, days, ends); got == nil || len(got) > 0 {
		t.Errorf("the course of a draft's KPI is %v", got)
	}
}

// A course has one entry for each of at most 366 days, whatever the pauses; its
// needed values grow to the target; and once the mission is over its last value
// is the KPI's current one.
func TestKPIHistoryEndsAtCurrent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		starts := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 90*24*3600).Draw(t, "start")) * time.Second)
		ends := starts.Add(time.Duration(rapid.IntRange(1, 500*24).Draw(t, "hours")) * time.Hour)
		m := Mission{Status: StatusCompleted, StartsAt: &starts, EndsAt: &ends, Totals: PlatformTotals{}}
		for _, metric := range AllMetrics() {
			m.KPIs = append(m.KPIs, KPI{metric, 50, rapid.SampledFrom([]Platform{EveryPlatform, Twitter, Mastodon}).Draw(t, "platform")})
		}
		var days []Figures
		for day := starts; day.Before(ends.AddDate(0, 0, 2)); day = day.AddDate(0, 0, rapid.IntRange(1, 40).Draw(t, "gap")) {
			for _, p := range []Platform{Twitter, Mastodon} {
				likes := float64(rapid.IntRange(0, 50).Draw(t, "likes"))
				f := Metrics{Likes: likes}
				if p == Twitter {
					f = Metrics{Likes: likes, Impressions: float64(rapid.IntRange(1, 900).Draw(t, "impressions"))}.rated()
				}
				days = append(days, Figures{Date: utcDay(day), Platform: p, Metrics: f})
				m.Totals[p] = m.Totals[p].Plus(f)
			}
		}
		now := ends.AddDate(0, 0, 3)
		for i, k := range m.KPIs {
			course, current := m.KPIHistory(k.Metric, k.Platform, days, now), m.KPIProgress(now)[i].Current
			if n := len(course); n == 0 || n > maxReportDays || course[n-1].Date != utcDay(ends.Add(-time.Millisecond)) {
				t.Fatalf("the course of %v has %d days", k, n)
			}
			for j, d := range course {
				if j > 0 && (d.Date != utcDay(*startOf(course[j-1].Date, 1)) || d.Needed < course[j-1].Needed || d.Value == nil && course[j-1].Value != nil) {
					t.Fatalf("%s follows %s", d, course[j-1])
				}
			}
			last := course[len(course)-1]
			if last.Needed != k.Target || (last.Value == nil) != (current == nil) || current != nil && math.Abs(*last.Value-*current) > 1e-9**current {
				t.Fatalf("the course of %v ends with %s, the KPI is at %v", k, last, current)
			}
		}
	})
}
