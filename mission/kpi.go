package mission

// Metric is a figure that KPIs aim at and platforms report.
type Metric string

// The metrics of the interface's section 2, "KPI".
const (
	EngagementRate  Metric = "engagement_rate"
	Impressions     Metric = "impressions"
	Clicks          Metric = "clicks"
	LinkClicks      Metric = "link_clicks"
	Likes           Metric = "likes"
	Comments        Metric = "comments"
	Shares          Metric = "shares"
	FollowersGained Metric = "followers_gained"
	Reach           Metric = "reach"
)

// AllMetrics lists the metrics of the interface.
func AllMetrics() []Metric {
	return []Metric{EngagementRate, Impressions, Clicks, LinkClicks, Likes, Comments, Shares, FollowersGained, Reach}
}

// EveryPlatform is the platform of a KPI that counts every platform.
const EveryPlatform Platform = "all"

// KPI is a target that a mission works towards.
type KPI struct {
	Metric Metric  `json:"metric"`
	Target float64 `json:"target"`
	// Platform is one of the mission's, or EveryPlatform (the default).
	Platform Platform `json:"platform"`
}

// Trend is where a KPI is heading.
type Trend string

// The trends of decisions, "Analytics".
const (
	TrendImproving Trend = "improving"
	TrendSteady    Trend = "steady"
	TrendDeclining Trend = "declining"
)

// KPIProgress is how far a KPI has come. Current is nil where no published
// post reports the metric.
type KPIProgress struct {
	Metric   Metric   `json:"metric"`
	Platform Platform `json:"platform"`
	Target   float64  `json:"target"`
	Current  *float64 `json:"current"`
	Trend    Trend    `json:"trend"`
}

// Metrics are the figures of one or more posts. A metric that no platform
// reported is absent, never 0.
type Metrics map[Metric]float64

// Engagements are the interactions of readers: likes, comments and shares.
func (m Metrics) Engagements() float64 { return m[Likes] + m[Comments] + m[Shares] }

// Rate is engagements per hundred impressions; ok is false where there were
// none.
func (m Metrics) Rate() (percent float64, ok bool) {
	if m[Impressions] <= 0 {
		return 0, false
	}
	return 100 * m.Engagements() / m[Impressions], true
}

// Plus adds the counts of o. Rates don't add: engagement_rate is computed
// from the sums.
func (m Metrics) Plus(o Metrics) Metrics {
	sum := Metrics{}
	for _, each := range []Metrics{m, o} {
		for k, v := range each {
			if k != EngagementRate {
				sum[k] += v
			}
		}
	}
	if rate, ok := sum.Rate(); ok {
		sum[EngagementRate] = rate
	}
	return sum
}

func (m Metrics) negated() Metrics {
	n := Metrics{}
	for k, v := range m {
		n[k] = -v
	}
	return n
}

// Progress answers how far k has come, from the totals of the posts that it
// counts as measured last, and at the measurement before. The trend compares
// the two: within five percent is steady.
func (k KPI) Progress(now, before Metrics) KPIProgress {
	p := KPIProgress{Metric: k.Metric, Platform: k.Platform, Target: k.Target, Trend: TrendSteady}
	current, ok := now[k.Metric]
	if !ok {
		return p
	}
	p.Current = &current
	const tolerance = 0.05
	earlier, ok := before[k.Metric]
	switch {
	case !ok || current > earlier*(1+tolerance):
		p.Trend = TrendImproving
	case current < earlier*(1-tolerance):
		p.Trend = TrendDeclining
	}
	return p
}
