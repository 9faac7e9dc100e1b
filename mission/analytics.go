package mission

import (
	"cmp"
	"slices"
	"time"
)

// Figures are the results of posts: of a day, of a platform, of an account, or of
// several of them.
type Figures struct {
	Date     string // of publication, YYYY-MM-DD in UTC; "" for every day
	Platform Platform
	// IntegrationID is the account; "" for the sandbox, and for every account of a
	// platform.
	IntegrationID string
	// MissionID is the mission; "" for those of a day, a platform or an account.
	MissionID string
	Posts     int // that were measured
	Metrics   Metrics
}

func (f Figures) compare(o Figures) int {
	return cmp.Or(cmp.Compare(f.Date, o.Date), cmp.Compare(f.Platform, o.Platform), cmp.Compare(f.IntegrationID, o.IntegrationID))
}

// DayChanges returns how the figures of days change when posts, whose Metrics
// are the previous figures, were measured again.
func DayChanges(posts []Content, points []Measurement) []Figures {
	type key struct {
		date          string
		platform      Platform
		integrationID string
	}
	before, sums := byID(posts), map[key]Figures{}
	for _, p := range points {
		k := key{p.PublishedAt.UTC().Format(time.DateOnly), p.Platform, p.IntegrationID}
		d := sums[k]
		if before[p.ContentID].Metrics == nil {
			d.Posts++
		}
		d.Metrics = d.Metrics.Plus(p.Metrics).Plus(before[p.ContentID].Metrics.negated())
		sums[k] = d
	}
	var figures []Figures
	for k, d := range sums {
		d.Date, d.Platform, d.IntegrationID = k.date, k.platform, k.integrationID
		figures = append(figures, d)
	}
	slices.SortFunc(figures, Figures.compare)
	return figures
}
