package mission

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// NewPlan plans a job's posts: a slot each, the objectives in turn from one
// cycle to the next, and platform, format, angle and hour as the mission's
// learning prefers for the KPIs of the job's brief; in turn where nothing was
// learned. The same job and learning give the same plan.
//
// It prefers by Thompson sampling (Thompson, "On the Likelihood that One
// Unknown Probability Exceeds Another", 1933; Agrawal, Goyal, "Thompson
// Sampling for Contextual Bandits with Linear Payoffs", 2013): it draws each
// choice's effect from what is believed of it and takes the best drawn, so that
// what is uncertain is tried as often as it may be the best.
func NewPlan(j Job, learned Learning) Plan {
	s := strategist{job: j, learned: learned}
	p := Plan{Slots: []Slot{}}
	slots, numbers := s.slots()
	for i, at := range slots {
		r := s.chance("post", i)
		platform, objective := s.aimed(r, i, numbers[i])
		angle, format := s.approach(r, platform, numbers[i])
		p.Slots = append(p.Slots, Slot{
			Position: i, At: at, Platform: j.Brief.Platforms[platform], Format: format, Angle: angle,
			Objective: j.Brief.Objectives[objective],
		})
	}
	p.Reasons = s.explain(p.Slots)
	return p
}

// strategist makes one job's plan.
type strategist struct {
	job     Job
	learned Learning
}

// chance is a source that is the same for the same post of the same cycle.
func (s strategist) chance(what string, position int) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(what + " " + s.job.MissionID))
	return rand.New(rand.NewPCG(h.Sum64(), uint64(s.job.Cycle)<<16+uint64(position)))
}

func (k KPI) counts(p Platform) bool { return k.Platform == EveryPlatform || k.Platform == p }

// aims are the metrics that a post on a platform works for: those of the KPIs
// that count it, as far as anything is known of them, or else how much its
// readers engage. Empty where nothing is known.
func (s strategist) aims(p Platform) []Metric {
	var aims []Metric
	for _, k := range s.job.Brief.KPIs {
		if s.learned.knows(k.Metric) && k.counts(p) && reports(p, k.Metric) {
			aims = append(aims, k.Metric)
		}
	}
	otherwise := EngagementRate
	if !reports(p, Impressions) {
		otherwise = Likes
	}
	if s.learned.knows(otherwise) && len(aims) == 0 {
		aims = append(aims, otherwise)
	}
	return aims
}

func reports(p Platform, m Metric) bool {
	caps, _ := CapabilitiesOf(p)
	return slices.Contains(caps.Metrics, m)
}

// approach chooses the angle and format of post n on a platform, given by its
// index. In turn, each platform goes through the angles, beginning apart from the
// others, and its formats alternate and move on by one with each round of angles,
// so that each angle meets each format. After all of these, when the mission's turns have come around
// too, they move on by one, so that each meets each objective and part of the day.
func (s strategist) approach(r *rand.Rand, platform, n int) (Angle, Format) {
	p := s.job.Brief.Platforms[platform]
	caps, _ := CapabilitiesOf(p)
	angles, platforms := AllAngles(), len(s.job.Brief.Platforms)
	aims := s.aims(p)
	if len(aims) > 0 {
		return choose(r, s.learned, aims, FactorAngle, angles), choose(r, s.learned, aims, FactorFormat, caps.Formats)
	}
	all, whole := platforms*len(angles)*len(caps.Formats), s.turns().whole()
	turn := n/platforms + n/(all/greatestCommonDivisor(all, whole)*whole)
	apart := max(1, len(angles)/platforms)
	return angles[(turn+platform*apart)%len(angles)], caps.Formats[(turn+turn/len(angles))%len(caps.Formats)]
}

// choose takes the choice whose effect, drawn from what is believed of it, is
// best.
func choose[T ~string](r *rand.Rand, l Learning, aims []Metric, f Factor, choices []T) T {
	return best(choices, func(c T) float64 { return l.arm(aims, f, string(c)).draw(r) })
}

func (a Arm) draw(r *rand.Rand) float64 { return a.Effect + a.Spread*r.NormFloat64() }

// best returns the first of the choices that have the highest score.
func best[T any](choices []T, score func(T) float64) T {
	top, highest := choices[0], math.Inf(-1)
	for _, c := range choices {
		if x := score(c); x > highest {
			top, highest = c, x
		}
	}
	return top
}

// moving are the KPIs that another choice of platforms brings on. A rate is
// not: more posts don't raise it, and platforms count impressions each in
// their own way.
func (s strategist) moving() []KPI {
	return slices.DeleteFunc(slices.Clone(s.job.Brief.KPIs), func(k KPI) bool {
		return !s.learned.knows(k.Metric) || k.Metric == EngagementRate || len(s.job.Brief.Platforms) == 1
	})
}

// turns are those of the job's mission, as if nothing were learned.
func (s strategist) turns() turns {
	b := s.job.Brief
	parts := b.Constraints.PostsPerDay
	if !s.learnsHours() {
		parts = max(parts, len(b.Constraints.PostingTimes))
	}
	return turns{parts: parts, platforms: len(b.Platforms), objectives: len(b.Objectives)}
}

// aimed chooses the platform and the objective, by their indexes, of the post at
// a position, whose number is n. Every second post goes to the platforms in turn,
// so that none has less than half of its share; the others go where the KPIs are
// to gain most. Each half has its own turns: of two days, a part of the day is in
// the one half on the first, and in the other on the second.
func (s strategist) aimed(r *rand.Rand, position, n int) (platform, objective int) {
	t, kpis := s.turns(), s.moving()
	if len(kpis) == 0 {
		return t.platform(n), t.objective(n)
	}
	cycle, perDay := s.job.Cycle-1, s.job.Brief.Constraints.PostsPerDay
	t.parts, n = perDay, cycle/2*perDay+position
	if (cycle+position)%2 == 0 {
		return t.platform(n), t.objective(n)
	}
	t.platforms = 1
	return s.promising(r, kpis), t.objective(n)
}

// promising is the platform, by its index, where KPIs are to gain most.
func (s strategist) promising(r *rand.Rand, kpis []KPI) int {
	platforms := s.job.Brief.Platforms
	luck := make([]float64, len(platforms))
	for i := range luck {
		luck[i] = r.NormFloat64()
	}
	gains := make([]float64, len(platforms))
	for _, k := range kpis {
		share := make([]float64, len(platforms))
		sum := 0.0
		for i, p := range platforms {
			if k.counts(p) && reports(p, k.Metric) {
				level := s.learned[k.Metric].level(p)
				share[i] = math.Exp(level.Effect + level.Spread*luck[i])
				sum += share[i]
			}
		}
		for i := range gains {
			if sum > 0 {
				gains[i] += share[i] / sum
			}
		}
	}
	return slices.Index(gains, slices.Max(gains))
}

// hourAims are the metrics that hours are chosen for; empty where too little
// was measured: until then slots are spread evenly, the first at once.
func (s strategist) hourAims() []Metric {
	var aims []Metric
	for _, p := range s.job.Brief.Platforms {
		aims = append(aims, s.aims(p)...)
	}
	return aims
}

// learnsHours reports whether enough was measured for hours to be chosen.
func (s strategist) learnsHours() bool { return len(s.hourAims()) > 0 }

// slots are the instants of the job's posts: the tenant's posting times, and
// for the rest the hours that the learning prefers, which also chooses among the
// posting times where there are more than posts. The numbers are the posts' among
// all of the mission's, by which they take turns.
func (s strategist) slots() (slots []time.Time, numbers []int) {
	c, w, cycle := s.job.Brief.Constraints, s.job.Window, s.job.Cycle-1
	for i := range c.PostsPerDay {
		numbers = append(numbers, cycle*c.PostsPerDay+i)
	}
	aims := s.hourAims()
	if len(aims) == 0 {
		if len(c.PostingTimes) > c.PostsPerDay { // each time is a part of the day
			slices.SortStableFunc(numbers, func(a, b int) int { return c.timed(w, a).Compare(c.timed(w, b)) })
		}
		return c.Slots(w, cycle), numbers
	}
	r, zone := s.chance("hour", 0), c.Zone()
	likings := make([]float64, len(hourNames))
	for i, name := range hourNames {
		likings[i] = s.learned.arm(aims, FactorHour, name).draw(r)
	}
	return c.slotsBy(w, cycle, func(t time.Time) float64 { return between(likings, timeOfDay(t.In(zone)).Hours()) }), numbers
}

// between reads the likings of the parts of the day at an hour, straight from
// the middle of one to the middle of the next.
func between(likings []float64, hour float64) float64 {
	place := hour/hoursInBin - 0.5 + float64(len(likings))
	before := int(place)
	share := place - float64(before)
	return (1-share)*likings[before%len(likings)] + share*likings[(before+1)%len(likings)]
}
