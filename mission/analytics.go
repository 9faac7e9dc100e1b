package mission

import (
	"cmp"
	"slices"
	"time"
)

// AnalyticsView is what a mission's published posts came to, as measured last.
type AnalyticsView struct {
	Totals     Metrics
	ByPlatform []PlatformFigures // in the mission's order of platforms
	ByDay      []DayFigures      // oldest first
}

// PlatformFigures are a platform's.
type PlatformFigures struct {
	Platform Platform
	Metrics  Metrics
}

// DayFigures are those of the posts that a platform published on a day.
type DayFigures struct {
	Date     string // YYYY-MM-DD, UTC
	Platform Platform
	Metrics  Metrics
}

// NewAnalyticsView shows a mission's figures; days are by date and platform.
func NewAnalyticsView(m Mission, days []DayFigures) AnalyticsView {
	v := AnalyticsView{Totals: m.Totals.Of(EveryPlatform)}
	for _, p := range m.Platforms {
		if figures, ok := m.Totals[p]; ok {
			v.ByPlatform = append(v.ByPlatform, PlatformFigures{Platform: p, Metrics: figures})
		}
	}
	byDate := map[string]Metrics{}
	for _, d := range days {
		byDate[d.Date] = byDate[d.Date].Plus(d.Metrics)
	}
	for date, metrics := range byDate {
		v.ByDay = append(v.ByDay, DayFigures{Date: date, Metrics: metrics})
	}
	slices.SortFunc(v.ByDay, func(a, b DayFigures) int { return cmp.Compare(a.Date, b.Date) })
	return v
}

// DayChanges are how the figures of days change when posts, whose Metrics are
// the old figures, were measured anew: by content id.
func DayChanges(posts []Content, measured map[string]Metrics) []DayFigures {
	type key struct {
		date     string
		platform Platform
	}
	sums := map[key]Metrics{}
	for _, c := range posts {
		if m, ok := measured[c.ID]; ok && c.PublishedAt != nil {
			k := key{c.PublishedAt.UTC().Format(time.DateOnly), c.Platform}
			sums[k] = sums[k].Plus(m).Plus(c.Metrics.negated())
		}
	}
	var figures []DayFigures
	for k, m := range sums {
		figures = append(figures, DayFigures{Date: k.date, Platform: k.platform, Metrics: m})
	}
	slices.SortFunc(figures, func(a, b DayFigures) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Platform, b.Platform))
	})
	return figures
}
