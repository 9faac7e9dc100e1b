package mission

import (
	"maps"
	"slices"
)

// Metric is a figure that KPIs target and platforms report.
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
	// Views counts what some platforms report instead of impressions: who saw the post twice,
	// or began to watch it again, counts twice there.
	Views Metric = "views"
)

// AllMetrics lists the metrics of the interface.
func AllMetrics() []Metric {
	return []Metric{EngagementRate, Impressions, Clicks, LinkClicks, Likes, Comments, Shares, FollowersGained, Reach, Views}
}

// EveryPlatform is the platform of a KPI that counts every platform.
const EveryPlatform Platform = "all"

// KPI is a target that a mission works towards.
type KPI struct {
	Metric Metric  `json:"metric" doc:"What is measured" example:"engagement_rate"`
	Target float64 `json:"target" doc:"What is to be reached" example:"0.05"`
	// Platform is one of the mission's, or EveryPlatform (the default).
	Platform Platform `json:"platform" doc:"Where it is measured; all: on every platform" example:"all"`
}

// Counts reports whether posts on a platform count for the KPI.
func (k KPI) Counts(p Platform) bool { return k.Platform == EveryPlatform || k.Platform == p }

// KPIProgress is the progress of a KPI. Current is nil if no published post
// reports the metric.
type KPIProgress struct {
	Metric   Metric   `json:"metric" doc:"What is measured" example:"engagement_rate"`
	Platform Platform `json:"platform" doc:"Where it is measured; all: on every platform" example:"all"`
	Target   float64  `json:"target" doc:"What is to be reached" example:"0.05"`
	Current  *float64 `json:"current" doc:"The figure as last measured; null before the first measurement" example:"0.041"`
	Trend    Trend    `json:"trend" doc:"Whether the figure grows" example:"improving"`
	// NeededPerDay is what each day until the mission's end must bring to reach
	// the target: of a count the increase, of engagement_rate the rate of the
	// posts to come. 0 if the target is reached; nil if no days are left, or it
	// can't be computed.
	NeededPerDay *float64 `json:"needed_per_day" doc:"What each day until the mission's end must bring for the target to be reached: of a count what it adds, of engagement_rate the rate of the posts to come. 0 where the target is reached, null where no days are left" example:"4.5"`
	// PacePerDay is what each day so far has brought, as NeededPerDay counts it; nil before the
	// first measurement, and of a count when the mission is over.
	PacePerDay *float64 `json:"-"`
	// ReportedBy are the mission's platforms that count and report the metric.
	// If there are none, Current stays nil.
	ReportedBy []Platform `json:"reported_by" doc:"The mission's platforms that count and report the metric; where there are none, current stays null" example:"twitter,linkedin"`
}

// RateFloor is how many impressions an engagement rate needs to count as having
// reached its target. At a rate of 5 % its standard error is then 0.7 percentage
// points; with a dozen impressions, a single like is 8 %.
const RateFloor = 1000

// reached returns the KPI's current figure and reports whether it reaches the
// target. A rate of too few impressions doesn't.
func (k KPI) reached(totals Metrics) (current float64, ok bool) {
	current, measured := totals[k.Metric]
	seen := k.Metric != EngagementRate || totals[Impressions] >= RateFloor
	return current, measured && seen && current >= k.Target
}

// reportedBy returns those of a mission's platforms that count for k and report
// its metric, or whose links the service counts.
func (k KPI) reportedBy(m Mission) []Platform {
	by := []Platform{}
	for _, p := range m.Platforms {
		caps, _ := CapabilitiesOf(p)
		reports := slices.Contains(caps.Metrics, k.Metric) || k.Metric == LinkClicks && m.Links.Tracks(p)
		if k.Counts(p) && reports {
			by = append(by, p)
		}
	}
	return by
}

// Metrics are the figures of one or more posts. A metric that no platform
// reported is absent, never 0.
type Metrics map[Metric]float64

// Engagements returns the interactions of readers: likes, comments and shares.
func (m Metrics) Engagements() float64 { return m[Likes] + m[Comments] + m[Shares] }

// Rate returns engagements per hundred impressions; ok is false if there were
// none.
func (m Metrics) Rate() (percent float64, ok bool) {
	if m[Impressions] <= 0 {
		return 0, false
	}
	return 100 * m.Engagements() / m[Impressions], true
}

// Plus returns the sum of m and o, on the same platform. Rates don't add:
// engagement_rate is computed from the sums.
func (m Metrics) Plus(o Metrics) Metrics {
	sum := m.counts()
	for k, v := range o.counts() {
		sum[k] += v
	}
	return sum.rated()
}

// MaxFigure limits what is believed of a platform's figures of a post: no post has as many.
const MaxFigure = 1_000_000_000_000

// Bounded returns a copy without figures that can't be true, which are negative or over MaxFigure.
func (m Metrics) Bounded() Metrics {
	sound := maps.Clone(m)
	maps.DeleteFunc(sound, func(_ Metric, v float64) bool { return !(v >= 0 && v <= MaxFigure) })
	return sound
}

// counts returns a copy without the metrics that can't be added.
func (m Metrics) counts() Metrics {
	counts := make(Metrics, len(m))
	for k, v := range m {
		if k != EngagementRate {
			counts[k] = v
		}
	}
	return counts
}

func (m Metrics) rated() Metrics {
	if rate, ok := m.Rate(); ok {
		m[EngagementRate] = rate
	}
	return m
}

// Together returns the sum of figures of different platforms. Its
// engagement_rate is that of the platforms that report impressions.
func Together(parts ...Metrics) Metrics {
	sum, engagements := Metrics{}, 0.0
	for _, part := range parts {
		for k, v := range part.counts() {
			sum[k] += v
		}
		if part[Impressions] > 0 { // and may have posts besides that don't report them
			engagements += part[EngagementRate] * part[Impressions] / 100
		}
	}
	if sum[Impressions] > 0 {
		sum[EngagementRate] = 100 * engagements / sum[Impressions]
	}
	return sum
}

// renewed returns m's figures, replaced by those of o that exist.
func (m Metrics) renewed(o Metrics) Metrics {
	sum := m.counts()
	for k, v := range o {
		if k != EngagementRate || o[Impressions] == 0 {
			sum[k] = v
		}
	}
	return sum.rated()
}

func (m Metrics) negated() Metrics {
	n := Metrics{}
	for k, v := range m {
		n[k] = -v
	}
	return n
}

// progress returns the progress of k from the mission's totals, and from how
// long its clock has run and has left, in days begun.
func (k KPI) progress(m Mission, elapsed, left float64) KPIProgress {
	p := KPIProgress{Metric: k.Metric, Platform: k.Platform, Target: k.Target, Trend: m.Trends.Of(k), ReportedBy: k.reportedBy(m)}
	totals := m.Totals.Of(k.Platform)
	if current, ok := totals[k.Metric]; ok {
		p.Current = &current
		if pace := current; k.Metric == EngagementRate {
			p.PacePerDay = &pace
		} else if elapsed > 0 {
			pace /= elapsed
			p.PacePerDay = &pace
		}
	}
	p.NeededPerDay = k.needed(totals, elapsed, left)
	return p
}

func (k KPI) needed(totals Metrics, elapsed, left float64) *float64 {
	current, measured := totals[k.Metric]
	need := 0.0
	switch {
	case measured && current >= k.Target:
	case left <= 0:
		return nil
	case k.Metric != EngagementRate:
		need = (k.Target - current) / left
	default:
		seen := totals[Impressions]
		if !measured || seen <= 0 || elapsed <= 0 {
			need = k.Target
			break
		}
		// The posts to come are assumed to get as many impressions as those
		// before.
		ahead := seen / elapsed * left
		need = (k.Target*(seen+ahead) - current*seen) / ahead
	}
	return &need
}
