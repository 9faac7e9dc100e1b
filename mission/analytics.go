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

// DayFigures are those of the posts that a platform published on a day, or of
// every platform's, with Platform "".
type DayFigures struct {
	Date     string // YYYY-MM-DD, UTC
	Platform Platform
	Posts    int // that were measured
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
	posts, parts := map[string]int{}, map[string][]Metrics{}
	for _, d := range days {
		posts[d.Date] += d.Posts
		parts[d.Date] = append(parts[d.Date], d.Metrics)
	}
	for date := range parts {
		v.ByDay = append(v.ByDay, DayFigures{Date: date, Posts: posts[date], Metrics: Together(parts[date]...)})
	}
	slices.SortFunc(v.ByDay, func(a, b DayFigures) int { return cmp.Compare(a.Date, b.Date) })
	return v
}

// DayChanges are how the figures of days change when posts, whose Metrics are
// the figures before, were measured anew.
func DayChanges(posts []Content, points []Measurement) []DayFigures {
	type key struct {
		date     string
		platform Platform
	}
	before, sums := byID(posts), map[key]DayFigures{}
	for _, p := range points {
		k := key{p.PublishedAt.UTC().Format(time.DateOnly), p.Platform}
		d := sums[k]
		if before[p.ContentID].Metrics == nil {
			d.Posts++
		}
		d.Metrics = d.Metrics.Plus(p.Metrics).Plus(before[p.ContentID].Metrics.negated())
		sums[k] = d
	}
	var figures []DayFigures
	for k, d := range sums {
		d.Date, d.Platform = k.date, k.platform
		figures = append(figures, d)
	}
	slices.SortFunc(figures, func(a, b DayFigures) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Platform, b.Platform))
	})
	return figures
}
