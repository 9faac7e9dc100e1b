package learning

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"missiond/mission"
)

// NewPlan plans a job's posts: a slot each, the objectives in turn from one
// cycle to the next, and destination, format, angle and hour as the mission's
// learning prefers for the KPIs of the job's brief, or in turn if nothing was
// learned. Slots in blackouts, and outside of the window of a part of a day, are left out. The same job and learning yield the same plan.
//
// It prefers by Thompson sampling (Thompson, "On the Likelihood that One
// Unknown Probability Exceeds Another", 1933; Agrawal, Goyal, "Thompson
// Sampling for Contextual Bandits with Linear Payoffs", 2013): it draws each
// choice's effect from its posterior and takes the best drawn, so that an
// uncertain choice is tried as often as it may be the best.
func NewPlan(j mission.Job, to []mission.Destination, learned Model) mission.Plan {
	s := strategist{job: j, to: to, learned: learned}
	p := mission.Plan{Slots: []mission.Slot{}}
	slots, numbers := s.slots()
	for i, n := range j.Slots(slots) {
		at, number := slots[n], numbers[n]
		r := s.chance("post", i)
		destination, objective := s.aimed(r, i, number)
		angle, format := s.approach(r, destination, number)
		d := to[destination]
		p.Slots = append(p.Slots, mission.Slot{
			Position: i, At: at, Platform: d.Platform, IntegrationID: d.IntegrationID, AccountHandle: d.Handle, Format: format, Angle: angle,
			Objective: j.Brief.Objectives[objective], Occasion: j.Brief.Ahead(at, number),
		})
	}
	p.Reasons = s.explain(p.Slots)
	return p
}

// strategist makes one job's plan.
type strategist struct {
	job     mission.Job
	to      []mission.Destination // of the job's brief
	learned Model
}

// chance returns a random source that is the same for the same post of the same
// cycle.
func (s strategist) chance(what string, position int) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(what + " " + s.job.MissionID))
	return rand.New(rand.NewPCG(h.Sum64(), uint64(s.job.Cycle)<<16+uint64(position)))
}

// aims returns the metrics that a post on a platform is optimized for: those of
// the KPIs that count it and about which something is known, or else
// engagement. Empty if nothing is known.
func (s strategist) aims(p mission.Platform) []mission.Metric {
	var aims []mission.Metric
	for _, k := range s.job.Brief.KPIs {
		if s.learned.knows(k.Metric) && k.Counts(p) && reports(p, k.Metric) {
			aims = append(aims, k.Metric)
		}
	}
	otherwise := mission.EngagementRate
	if !reports(p, mission.Impressions) {
		otherwise = mission.Likes
	}
	if s.learned.knows(otherwise) && len(aims) == 0 {
		aims = append(aims, otherwise)
	}
	return aims
}

func reports(p mission.Platform, m mission.Metric) bool {
	caps, _ := mission.CapabilitiesOf(p)
	return slices.Contains(caps.Metrics, m)
}

// approach chooses the angle and format of post n for a destination, given by its
// index. In turn, each destination goes through the angles, starting at a
// different one than the others, and its formats alternate and are shifted by
// one with each round of angles, so that each angle meets each format. After
// all of these, once the mission's turns have repeated too, they are shifted by
// one, so that each meets each objective and part of the day.
func (s strategist) approach(r *rand.Rand, destination, n int) (mission.Angle, mission.Format) {
	p := s.to[destination].Platform
	caps, _ := mission.CapabilitiesOf(p)
	guidance := s.job.Brief.Constraints.Guidance
	angles, all := guidance.Angles(n), len(s.to)
	aims := s.aims(p)
	if len(aims) > 0 {
		return choose(r, s.learned, aims, FactorAngle, angles), choose(r, s.learned, aims, FactorFormat, caps.Formats)
	}
	if guidance.GuidesAngles() { // the turns are those of all
		return angles[r.IntN(len(angles))], caps.Formats[r.IntN(len(caps.Formats))]
	}
	choices, whole := all*len(angles)*len(caps.Formats), s.turns().whole()
	turn := n/all + n/(choices/greatestCommonDivisor(choices, whole)*whole)
	apart := max(1, len(angles)/all)
	return angles[(turn+destination*apart)%len(angles)], caps.Formats[(turn+turn/len(angles))%len(caps.Formats)]
}

// choose returns the choice whose effect, drawn from its posterior, is best.
func choose[T ~string](r *rand.Rand, l Model, aims []mission.Metric, f Factor, choices []T) T {
	return best(choices, func(c T) float64 { return l.arm(aims, f, string(c)).draw(r) })
}

func (a Arm) draw(r *rand.Rand) float64 { return a.Effect + a.Spread*r.NormFloat64() }

// best returns the first choice with the highest score.
func best[T any](choices []T, score func(T) float64) T {
	top, highest := choices[0], math.Inf(-1)
	for _, c := range choices {
		if x := score(c); x > highest {
			top, highest = c, x
		}
	}
	return top
}

// moving returns the KPIs that the choice of destinations affects. Rates are left
// out: more posts don't raise them, and each platform counts impressions in its
// own way.
func (s strategist) moving() []mission.KPI {
	return slices.DeleteFunc(slices.Clone(s.job.Brief.KPIs), func(k mission.KPI) bool {
		return !s.learned.knows(k.Metric) || k.Metric == mission.EngagementRate || len(s.to) == 1
	})
}

// turns returns the turns of the job's mission, as if nothing were learned.
func (s strategist) turns() turns {
	b := s.job.Brief
	parts := b.Constraints.PostsPerDay
	if !s.learnsHours() {
		parts = max(parts, len(b.Constraints.PostingTimes))
	}
	return turns{parts: parts, destinations: len(s.to), objectives: len(b.Objectives)}
}

// aimed chooses the destination and the objective, by their indexes, of the post
// at a position, whose number is n. Every second post goes to the destinations in
// turn, so that none has less than half of its share; the others go where the
// KPIs are expected to gain most. Each half has its own turns, alternating by
// day: a part of the day that is in one half on the first day is in the other
// on the second.
func (s strategist) aimed(r *rand.Rand, position, n int) (destination, objective int) {
	t, kpis := s.turns(), s.moving()
	if len(kpis) == 0 {
		return t.destination(n), t.objective(n)
	}
	cycle, perDay := s.job.Cycle-1, s.job.Brief.Constraints.PostsPerDay
	t.parts, n = perDay, cycle/2*perDay+position
	if (cycle+position)%2 == 0 {
		return t.destination(n), t.objective(n)
	}
	t.destinations = 1
	return s.promising(r, kpis), t.objective(n)
}

// promising returns the destination, by its index, where KPIs are expected to gain
// most.
func (s strategist) promising(r *rand.Rand, kpis []mission.KPI) int {
	luck := make([]float64, len(s.to))
	for i := range luck {
		luck[i] = r.NormFloat64()
	}
	gains := make([]float64, len(s.to))
	for _, k := range kpis {
		share := make([]float64, len(s.to))
		sum := 0.0
		for i, d := range s.to {
			if k.Counts(d.Platform) && reports(d.Platform, k.Metric) {
				level := s.learned[k.Metric].level(d)
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

// hourAims returns the metrics that hours are chosen for; empty if too little
// was measured: until then slots are spread evenly, the first at once.
func (s strategist) hourAims() []mission.Metric {
	var aims []mission.Metric
	for _, p := range s.job.Brief.Platforms {
		aims = append(aims, s.aims(p)...)
	}
	return aims
}

// learnsHours reports whether enough was measured to choose hours.
func (s strategist) learnsHours() bool { return len(s.hourAims()) > 0 }

// slots returns the instants of the job's posts: the tenant's posting times,
// and for the rest the hours that the learning prefers, which also chooses
// among the posting times if there are more than posts. The numbers are the
// posts' among all of the mission's, by which they take turns.
func (s strategist) slots() (slots []time.Time, numbers []int) {
	c, cycle := s.job.Brief.Constraints, s.job.Cycle-1
	w, part := s.job.Day()
	for i := range c.PostsPerDay {
		numbers = append(numbers, cycle*c.PostsPerDay+i)
	}
	aims := s.hourAims()
	if len(aims) == 0 || part {
		if len(c.PostingTimes) > c.PostsPerDay && !c.Guidance.GuidesHours() { // each time is a part of the day
			slices.SortStableFunc(numbers, func(a, b int) int { return c.PostingTime(w, a).Compare(c.PostingTime(w, b)) })
		}
		return c.Slots(w, cycle), numbers
	}
	r, zone := s.chance("hour", 0), c.Zone()
	scores := make([]float64, len(hourNames))
	for i, name := range hourNames {
		scores[i] = s.learned.arm(aims, FactorHour, name).draw(r)
	}
	return c.SlotsBy(w, cycle, func(t time.Time) float64 {
		local := t.In(zone)
		return between(scores, hourOfDay(local)) + c.Guidance.HourScore(local)
	}), numbers
}

// between returns the score of an hour, interpolated linearly between the
// middles of the parts of the day.
func between(scores []float64, hour float64) float64 {
	at := hour/mission.HoursInPart - 0.5 + float64(len(scores))
	before := int(at)
	share := at - float64(before)
	return (1-share)*scores[before%len(scores)] + share*scores[(before+1)%len(scores)]
}

// hourOfDay returns the hour that a local clock shows, with its fraction.
func hourOfDay(local time.Time) float64 {
	shown := time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute + time.Duration(local.Second())*time.Second
	return (shown + time.Duration(local.Nanosecond())).Hours()
}
