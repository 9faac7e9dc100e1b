package learning

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"missiond/mission"
)

// CredibleLevel is the probability with which a Belief's true value is between
// Low and High.
const CredibleLevel = 0.95

// sure is half the width of an interval of CredibleLevel, in standard
// deviations.
const sure = 1.96

// maxAccounts bounds the destinations that are shown of a metric: those with
// the most posts.
const maxAccounts = 50

// BeliefUnit is the unit of a Belief.
type BeliefUnit string

// The units of beliefs.
const (
	// UnitPercent is percent more or less than the average of the factor's
	// choices.
	UnitPercent BeliefUnit = "percent"
	// UnitMetric is the metric's own: what a post brings.
	UnitMetric BeliefUnit = "metric"
)

// Learned is what a mission has learned, and when; the zero value if it hasn't
// yet.
type Learned struct {
	Model Model
	At    time.Time
}

// MetricBeliefs are what was learned about one metric.
type MetricBeliefs struct {
	Metric mission.Metric
	// Observations is the number of posts that reported the metric, weighted by
	// how much they still count.
	Observations int
	Beliefs      []Belief
}

// Belief is what is believed about one choice of a factor.
type Belief struct {
	Factor Factor
	// Choice is the name of a platform, an angle, a format or a part of the day.
	Choice string
	// IntegrationID is the account on a platform, "" for its default.
	IntegrationID string
	// Mean is the geometric mean. Nil if there is nothing to compare with.
	Mean, Low, High *float64
	Unit            BeliefUnit
	// Observations is the number of posts measured with the choice, weighted by
	// how much they still count.
	Observations int
	// Preferred reports whether it is the choice that plans prefer: the best of
	// the measured ones.
	Preferred bool
}

// Beliefs returns what was learned as numbers, in the order of AllMetrics, and
// of each metric by factor in the order of the day, of AllAngles and so on.
func (l Model) Beliefs() []MetricBeliefs {
	all := []MetricBeliefs{}
	for _, m := range mission.AllMetrics() {
		e, ok := l[m]
		if !ok {
			continue
		}
		shown := MetricBeliefs{Metric: m, Observations: e.Posts, Beliefs: []Belief{}}
		for _, f := range []Factor{FactorPlatform, FactorAngle, FactorFormat, FactorHour} {
			shown.Beliefs = append(shown.Beliefs, e.beliefs(m, f)...)
		}
		all = append(all, shown)
	}
	return all
}

func (e Effects) beliefs(m mission.Metric, f Factor) []Belief {
	names := e.shown(f)
	preferred, _, chosen := e.preferred(f)
	// Plans don't choose destinations for a rate, nor anything while little is known.
	chosen = chosen && e.Posts >= leastLearned && (f != FactorPlatform || m != mission.EngagementRate)
	beliefs := make([]Belief, len(names))
	for i, name := range names {
		a := e.Arms[f][name]
		choice, integrationID, _ := strings.Cut(name, "/")
		b := Belief{
			Factor: f, Choice: choice, IntegrationID: integrationID, Unit: UnitPercent, Observations: a.Tries,
			Preferred: chosen && name == preferred,
		}
		value := percent
		if f == FactorPlatform {
			b.Unit, value = UnitMetric, func(level float64) float64 { return perPost(m, level) }
		}
		if a.Spread > 0 {
			mean, low, high := value(a.Effect), value(a.Effect-sure*a.Spread), value(a.Effect+sure*a.Spread)
			b.Mean, b.Low, b.High = &mean, &low, &high
		}
		beliefs[i] = b
	}
	return beliefs
}

// shown returns the names of a factor's choices, in the order in which they are
// listed everywhere.
func (e Effects) shown(f Factor) []string {
	names := sortedNames(e.Arms[f])
	if f == FactorPlatform && len(names) > maxAccounts {
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(e.Arms[f][b].Tries, e.Arms[f][a].Tries) })
		names = slices.Sorted(slices.Values(names[:maxAccounts]))
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rankOf(f, a), rankOf(f, b)) })
	return names
}

// rankOf returns the place of a choice among the factor's.
func rankOf(f Factor, name string) int {
	switch f {
	case FactorPlatform:
		platform, _, _ := strings.Cut(name, "/")
		return slices.Index(mission.AllPlatforms(), mission.Platform(platform))
	case FactorAngle:
		return slices.Index(mission.AllAngles(), mission.Angle(name))
	default: // formats are few, and the parts of the day sort by their names
		return 0
	}
}

// preferred returns the measured choice of a factor that does best, and how many
// were measured; ok is false if there is nothing to compare.
func (e Effects) preferred(f Factor) (name string, of int, ok bool) {
	var tried []string
	for _, name := range sortedNames(e.Arms[f]) {
		if e.Arms[f][name].Tries > 0 {
			tried = append(tried, name)
		}
	}
	if len(tried) < 2 {
		return "", len(tried), false
	}
	return best(tried, func(name string) float64 { return e.Arms[f][name].Effect }), len(tried), true
}

// percent returns an effect in percent.
func percent(effect float64) float64 { return 100 * (math.Exp(effect) - 1) }

// perPost returns the value of a post from a level, as observe computes levels:
// of counts half is added.
func perPost(m mission.Metric, level float64) float64 {
	if m == mission.EngagementRate {
		return math.Exp(level)
	}
	return max(0, math.Exp(level)-0.5)
}
