// Package learning is what measurements teach: which choices of a post do how well (Fit), and
// how the next posts follow from it (NewPlan). It is pure; docs/learning.md has the model.
package learning

import (
	"cmp"
	"math"
	"slices"
	"time"

	"missiond/mission"
)

// Factor is one of the choices that strategy makes for a post.
type Factor string

// The factors. A metric's logarithm is modeled as the sum of their effects
// (docs/learning.md).
const (
	// FactorPlatform is the destination: the platform and, where posts went through an
	// integration, the account.
	FactorPlatform Factor = "platform"
	FactorAngle    Factor = "angle"
	FactorFormat   Factor = "format"
	FactorHour     Factor = "hour"
)

// Arm is what is known about one choice, such as an angle.
type Arm struct {
	// Tries is the number of posts measured with it, weighted by how much they
	// still count.
	Tries int `json:"n"`
	// Effect is what it adds to the logarithm of the metric: 0 is the average
	// of the measured choices. For a platform it is the logarithm of a post's
	// value there.
	Effect float64 `json:"e"`
	// Spread is the standard deviation of Effect; 0 for a choice without
	// alternatives to compare with.
	Spread float64 `json:"s"`
}

// Effects are what was learned about one metric.
type Effects struct {
	// Posts is the number of posts that reported the metric, weighted by how
	// much they still count.
	Posts int `json:"n"`
	// Changed is set if the audience seems to have changed: the more certain
	// the change, the less earlier measurements count.
	Changed *AudienceChange `json:"changed,omitempty"`
	// Arms are the choices measured, by factor and name: an angle's, a
	// destination's, or hourName's.
	Arms map[Factor]map[string]Arm `json:"arms"`
}

// Model is what a mission has learned from its measured posts, by metric. It
// covers every metric that any post reports, so that a new KPI can use it at
// once.
type Model map[mission.Metric]Effects

// LearnedPosts is how many of the latest posts are learned from.
const LearnedPosts = 500

// leastLearned is the number of posts, one for each angle, that are measured
// before any choice follows a metric. Fewer posts show mostly chance: a mission
// that is too short to learn does as well as one that doesn't.
const leastLearned = 6

// knows reports whether enough posts were measured to choose by a metric.
func (l Model) knows(m mission.Metric) bool { return l[m].Posts >= leastLearned }

// Fit computes the model from a mission's measured posts, from scratch:
// the same posts, in any order, yield the same result. Their metrics should be
// of a comparable age, since older posts have more of everything. Hours are in
// zone.
func Fit(posts []mission.Content, zone *time.Location) Model {
	l, usual := Model{}, usualRate(posts)
	for _, metric := range mission.AllMetrics() {
		if obs := observe(posts, metric, usual, zone); len(obs) > 0 {
			l[metric] = regress(obs)
		}
	}
	return l
}

// observation is a post in the model of one metric.
type observation struct {
	platform, angle, format string
	hour                    int // index in hourNames
	value                   float64
	weight                  float64 // above 0, up to 1
	at                      time.Time
}

// sureRate is the number of expected engagements at which a post's rate has
// half of the full weight: chance moves the logarithm of e engagements by
// 1/sqrt(e), which is then as much as posts differ anyway.
const sureRate = 10.0

// usualRate returns engagements per impression over all posts that report
// impressions.
func usualRate(posts []mission.Content) float64 {
	seen, engaged := 0.0, 0.0
	for _, c := range posts {
		if n := c.Metrics[mission.Impressions]; n > 0 {
			seen += n
			engaged += c.Metrics.Engagements()
		}
	}
	return engaged / max(seen, 1)
}

// logOf returns the logarithm of a metric of a post; ok is false if the post doesn't report it.
// Half is added to counts, so that 0 has a logarithm too; a rate without
// engagements counts as half an engagement.
func logOf(c mission.Content, metric mission.Metric) (value float64, ok bool) {
	value, ok = c.Metrics[metric]
	if metric == mission.EngagementRate {
		seen := c.Metrics[mission.Impressions]
		value, ok = max(c.Metrics.Engagements(), 0.5)/seen*100, seen > 0
	} else {
		value += 0.5
	}
	if !ok || value <= 0 {
		return 0, false
	}
	return math.Log(value), true
}

// observe returns the posts that report a metric, in the order of publication. The weight of a rate grows with the
// expected engagements: these follow from the impressions, not from the actual
// engagements, or the lucky posts would weigh most.
func observe(posts []mission.Content, metric mission.Metric, usual float64, zone *time.Location) []observation {
	var obs []observation
	for _, c := range posts {
		if c.PublishedAt == nil {
			continue
		}
		o := observation{
			platform: mission.Destination{Platform: c.Platform, IntegrationID: c.IntegrationID}.Key(),
			angle:    string(c.Angle), format: string(c.Format),
			hour: mission.PartOfDay(c.PublishedAt.In(zone)), weight: 1, at: c.PublishedAt.UTC(),
		}
		if metric == mission.EngagementRate {
			expected := max(c.Metrics[mission.Impressions]*usual, 0.5)
			o.weight = expected / (expected + sureRate)
		}
		if value, ok := logOf(c, metric); ok {
			o.value = value
			obs = append(obs, o)
		}
	}
	slices.SortFunc(obs, observation.compare)
	return obs
}

func (o observation) compare(p observation) int {
	return cmp.Or(o.at.Compare(p.at), cmp.Compare(o.platform, p.platform), cmp.Compare(o.angle, p.angle), cmp.Compare(o.format, p.format),
		cmp.Compare(o.hour, p.hour), cmp.Compare(o.value, p.value), cmp.Compare(o.weight, p.weight))
}

// hourNames are the parts of the day that are learned about, in order.
var hourNames = mission.PartsOfDay()

// arm returns what is known about a choice; for one never measured, the prior.
func (e Effects) arm(f Factor, name string) Arm {
	if a, ok := e.Arms[f][name]; ok {
		return a
	}
	return Arm{Spread: priors[f]}
}

// level returns what is known about a destination; for one never measured, the
// mean of the others with a wide spread.
func (e Effects) level(d mission.Destination) Arm {
	if a, ok := e.Arms[FactorPlatform][d.Key()]; ok {
		return a
	}
	unknown := Arm{Spread: unknownLevel}
	for _, name := range sortedNames(e.Arms[FactorPlatform]) {
		unknown.Effect += e.Arms[FactorPlatform][name].Effect / float64(len(e.Arms[FactorPlatform]))
	}
	return unknown
}

// arm returns what is known about a choice for all the metrics together,
// weighted equally; a metric listed twice counts twice.
func (l Model) arm(aims []mission.Metric, f Factor, name string) Arm {
	var sum Arm
	for _, m := range aims {
		a := l[m].arm(f, name)
		sum.Effect += a.Effect / float64(len(aims))
		sum.Spread += a.Spread / float64(len(aims))
	}
	return sum
}
