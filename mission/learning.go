package mission

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Factor is one of the choices that strategy makes for a post.
type Factor string

// The factors. A metric's logarithm is taken to be the sum of their effects
// (docs/learning.md).
const (
	FactorPlatform Factor = "platform"
	FactorAngle    Factor = "angle"
	FactorFormat   Factor = "format"
	FactorHour     Factor = "hour"
)

// Arm is what is known of one choice: of an angle, say.
type Arm struct {
	// Tries are the posts measured with it, as far as they still count.
	Tries int `json:"n"`
	// Effect is what it adds to the logarithm of the metric: 0 is as much as
	// the choices measured have on average. Of a platform it is the logarithm
	// of what a post has there.
	Effect float64 `json:"e"`
	// Spread is how far the truth may be from Effect: a standard deviation. 0
	// of a choice that has nothing to compare with.
	Spread float64 `json:"s"`
}

// Effects are what was learned of one metric.
type Effects struct {
	// Posts are those that reported the metric, as far as they still count.
	Posts int `json:"n"`
	// Changed is set where the audience seems to have changed: what was measured
	// before counts the less the surer that is.
	Changed *AudienceChange `json:"changed,omitempty"`
	// Arms are the choices measured, by factor and name: an angle's, a
	// platform's, or hourName's.
	Arms map[Factor]map[string]Arm `json:"arms"`
}

// Learning is what a mission has learned from its measured posts, by metric:
// all that any post reports, so that another KPI finds it learned already.
type Learning map[Metric]Effects

// LearnedPosts are the latest posts that are learned from.
const LearnedPosts = 500

// leastLearned are the posts, one for each angle, that are measured in turn
// before any choice follows a metric. What fewer posts tell is mostly chance: a
// mission that is too short to learn is as good as one that doesn't.
const leastLearned = 6

// knows reports whether enough is known of a metric to choose by it.
func (l Learning) knows(m Metric) bool { return l[m].Posts >= leastLearned }

// Learn computes the learning from the mission's measured posts, from
// scratch: the same posts, in any order, give the same. Their metrics should
// be of a comparable age, for what is older has more of everything. Hours are
// zone's.
func Learn(posts []Content, zone *time.Location) Learning {
	l, usual := Learning{}, usualRate(posts)
	for _, metric := range AllMetrics() {
		if obs := observe(posts, metric, usual, zone); len(obs) > 0 {
			l[metric] = fit(obs)
		}
	}
	return l
}

// observation is a post as the model of one metric sees it.
type observation struct {
	platform, angle, format string
	hour                    int // of hourNames
	value                   float64
	weight                  float64 // above 0, up to 1
	at                      time.Time
}

// sureRate is the number of engagements to be expected of a post that gives
// its rate half of the full weight: chance moves the logarithm of e engagements
// by 1/sqrt(e), which is then as much as posts differ anyway.
const sureRate = 10.0

// usualRate is engagements by impressions of all posts that report these.
func usualRate(posts []Content) float64 {
	seen, engaged := 0.0, 0.0
	for _, c := range posts {
		if n := c.Metrics[Impressions]; n > 0 {
			seen += n
			engaged += c.Metrics.Engagements()
		}
	}
	return engaged / max(seen, 1)
}

// observe lists the posts that tell of a metric, in the order of their publication. Of
// counts, half a one is added, so that 0 has a logarithm too; a rate without
// engagements counts as half of one. A rate weighs the more the more
// engagements were to be expected; the readers tell that, not those that came,
// or the lucky posts would weigh most.
func observe(posts []Content, metric Metric, usual float64, zone *time.Location) []observation {
	var obs []observation
	for _, c := range posts {
		if c.PublishedAt == nil {
			continue
		}
		o := observation{
			platform: string(c.Platform), angle: string(c.Angle), format: string(c.Format),
			hour: hourOf(c.PublishedAt.In(zone)), weight: 1, at: c.PublishedAt.UTC(),
		}
		value, ok := c.Metrics[metric]
		if metric == EngagementRate {
			seen := c.Metrics[Impressions]
			value, ok = max(c.Metrics.Engagements(), 0.5)/seen*100, seen > 0
			expected := max(seen*usual, 0.5)
			o.weight = expected / (expected + sureRate)
		} else {
			value += 0.5
		}
		if ok && value > 0 {
			o.value = math.Log(value)
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

// hoursInBin is how many hours of the day are learned of as one.
const hoursInBin = 3

// hourNames are the parts of the day that hours are learned by, in order.
var hourNames = []string{"00-03", "03-06", "06-09", "09-12", "12-15", "15-18", "18-21", "21-24"}

// hourOf is the place in hourNames of a local time.
func hourOf(local time.Time) int { return local.Hour() / hoursInBin }

// arm returns what is known of a choice; of one never measured, what is known
// of any before.
func (e Effects) arm(f Factor, name string) Arm {
	if a, ok := e.Arms[f][name]; ok {
		return a
	}
	return Arm{Spread: priors[f]}
}

// level returns what is known of a platform: where nothing is, that it is
// somewhere about the others.
func (e Effects) level(p Platform) Arm {
	if a, ok := e.Arms[FactorPlatform][string(p)]; ok {
		return a
	}
	unknown := Arm{Spread: unknownLevel}
	for _, name := range sortedNames(e.Arms[FactorPlatform]) {
		unknown.Effect += e.Arms[FactorPlatform][name].Effect / float64(len(e.Arms[FactorPlatform]))
	}
	return unknown
}

// arm returns what is known of a choice for all the metrics together, each as
// important as the others; one that stands twice weighs twice.
func (l Learning) arm(aims []Metric, f Factor, name string) Arm {
	var sum Arm
	for _, m := range aims {
		a := l[m].arm(f, name)
		sum.Effect += a.Effect / float64(len(aims))
		sum.Spread += a.Spread / float64(len(aims))
	}
	return sum
}
