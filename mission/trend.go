package mission

import (
	"cmp"
	"math"
	"slices"
)

// Trend is the direction in which a KPI is heading.
type Trend string

// The trends of decisions, "Analytics".
const (
	TrendImproving Trend = "improving"
	TrendSteady    Trend = "steady"
	TrendDeclining Trend = "declining"
)

// Trends are those of a mission's KPIs, by trendKey.
type Trends map[string]Trend

func (k KPI) trendKey() string { return string(k.Metric) + ":" + string(k.Platform) }

// Of returns a KPI's trend: steady if it isn't known yet.
func (t Trends) Of(k KPI) Trend {
	if trend, ok := t[k.trendKey()]; ok {
		return trend
	}
	return TrendSteady
}

// The rule of a trend: whether the metric's values of the mission's latest
// posts at the age RipeAge, in the order of publication, rise or fall. Values
// are relative to their account's median, so that the mix of accounts doesn't
// matter. Kendall's rank test decides (Mann, "Nonparametric Tests Against
// Trend", 1945; Kendall, "Rank Correlation Methods", 1948): single outliers
// hardly affect it. Within its bounds, and with few posts, the trend is steady.
const (
	trendPosts      = 30
	leastTrendPosts = 8
	trendBound      = 1.96 // of a normal distribution: wrong one time in twenty
)

// trends returns the mission's trends after new measurements. They change when
// a post reaches RipeAge.
func (m Mission) trends(points []Measurement, peers Peers) Trends {
	trends := Trends{}
	ripened := Ripened(points)
	for _, k := range m.KPIs {
		trends[k.trendKey()] = m.Trends.Of(k)
		if ripened {
			trends[k.trendKey()] = k.trend(peers)
		}
	}
	return trends
}

func (k KPI) trend(peers Peers) Trend {
	type value struct {
		post Measurement
		v    float64
	}
	var values []value
	for key, list := range peers {
		if key.Step != RipeStep || k.Platform != EveryPlatform && k.Platform != key.Platform {
			continue
		}
		var own []value
		for _, p := range list {
			if v, ok := p.Metrics[k.Metric]; ok && p.onTime() {
				own = append(own, value{p, v})
			}
		}
		if len(own) == 0 {
			continue
		}
		all := make([]float64, len(own))
		for i, o := range own {
			all[i] = o.v
		}
		middle := max(median(all), math.SmallestNonzeroFloat32)
		for _, o := range own {
			values = append(values, value{o.post, o.v / middle})
		}
	}
	slices.SortFunc(values, func(a, b value) int {
		return cmp.Or(a.post.PublishedAt.Compare(b.post.PublishedAt), cmp.Compare(a.post.ContentID, b.post.ContentID))
	})
	values = values[max(0, len(values)-trendPosts):]
	series := make([]float64, len(values))
	for i, v := range values {
		series[i] = v.v
	}
	return trendOf(series)
}

// trendOf returns the trend of a sequence of values.
func trendOf(values []float64) Trend {
	n := len(values)
	if n < leastTrendPosts {
		return TrendSteady
	}
	sum := 0
	for i, a := range values {
		for _, b := range values[i+1:] {
			sum += cmp.Compare(b, a)
		}
	}
	sigma := math.Sqrt(float64(n*(n-1)*(2*n+5)) / 18)
	switch z := math.Max(math.Abs(float64(sum))-1, 0) / sigma; {
	case z < trendBound:
		return TrendSteady
	case sum > 0:
		return TrendImproving
	default:
		return TrendDeclining
	}
}
