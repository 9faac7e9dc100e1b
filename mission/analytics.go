package mission

import (
	"cmp"
	"slices"
	"time"
)

// Figures are the results of posts: of a day, of a platform, or of both.
type Figures struct {
	Date     string // of publication, YYYY-MM-DD in UTC; "" for every day
	Platform Platform
	Posts    int // that were measured
	Metrics  Metrics
}

// DayChanges returns how the figures of days change when posts, whose Metrics
// are the previous figures, were measured again.
func DayChanges(posts []Content, points []Measurement) []Figures {
	type key struct {
		date     string
		platform Platform
	}
	before, sums := byID(posts), map[key]Figures{}
	for _, p := range points {
		k := key{p.PublishedAt.UTC().Format(time.DateOnly), p.Platform}
		d := sums[k]
		if before[p.ContentID].Metrics == nil {
			d.Posts++
		}
		d.Metrics = d.Metrics.Plus(p.Metrics).Plus(before[p.ContentID].Metrics.negated())
		sums[k] = d
	}
	var figures []Figures
	for k, d := range sums {
		d.Date, d.Platform = k.date, k.platform
		figures = append(figures, d)
	}
	slices.SortFunc(figures, func(a, b Figures) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Platform, b.Platform))
	})
	return figures
}
