package learning

import (
	"math"
	"time"
)

// AudienceChange is when a mission's audience seems to have changed.
type AudienceChange struct {
	// At is when the first post was published to the changed audience.
	At time.Time `json:"at"`
	// Sure is the probability of a change, above changeShown.
	Sure float64 `json:"p"`
}

// How old observations are discounted. For each cut that splits the
// observations into those before and those after a change, a change is compared
// with no change by how probable either makes the observations with the effects
// unknown: a Bayes factor of models (Kass, Raftery, "Bayes Factors", 1995), for
// a change at an unknown point (Chernoff, Zacks, "Estimating the Current Mean
// of a Normal Distribution which is Subjected to Changes in Time", 1964). An
// observation's weight is multiplied by the probability that no change came
// after it. A linear bandit forgets in this way (Russac, Vernade, Cappé,
// "Weighted Linear Bandits for Non-Stationary Environments", 2019), but here by
// evidence instead of by age: while nothing contradicts the old posts, they
// count in full.
const (
	// steadyFor is how long audiences are assumed to stay the same, on average.
	steadyFor = 180 * 24 * time.Hour
	// leastSince is the least number of observations after a change.
	leastSince = 3
	// farthestOdd bounds how far, in standard deviations, an observation may be
	// from its fitted value: single viral posts are not a change.
	farthestOdd = 2.5
	// cutGrowth is the ratio by which each cut lies further back than the one
	// after it: the further back, the less neighbouring cuts differ.
	cutGrowth = 1.2
	// changeShown is the probability above which a change is reported.
	changeShown = 0.5
)

// cuts returns where a change may have occurred: before the observations with
// these indexes, the latest first.
func (d design) cuts() []int {
	var cuts []int
	for back := float64(leastSince); int(back) < len(d.obs); back = max(back+1, back*cutGrowth) {
		cuts = append(cuts, len(d.obs)-int(back))
	}
	return cuts
}

// changes returns the probability, given the noise, that the audience changed
// at each cut. d.rest is tamed.
func (d design) changes(cuts []int, noise float64) []float64 {
	logs := make([]float64, len(cuts))
	before, after := d.nothingKnown(), d.nothingKnown()
	nothing, done := before.posterior().logDensity(), 0
	for i := len(cuts) - 1; i >= 0; i-- {
		d.addTo(before, done, cuts[i], noise)
		since := d.obs[cuts[i]].at.Sub(d.obs[done].at)
		logs[i] = before.posterior().logDensity() + math.Log(-math.Expm1(-float64(since)/float64(steadyFor)))
		done = cuts[i]
	}
	d.addTo(before, done, len(d.obs), noise)
	unchanged, done := before.posterior().logDensity(), len(d.obs)
	highest := 0.0
	for i, cut := range cuts {
		d.addTo(after, cut, done, noise)
		logs[i] += after.posterior().logDensity() - nothing - unchanged
		highest, done = max(highest, logs[i]), cut
	}
	sum, odds := math.Exp(-highest), make([]float64, len(cuts))
	for i, x := range logs {
		odds[i] = math.Exp(x - highest)
		sum += odds[i]
	}
	for i := range odds {
		odds[i] /= sum
	}
	return odds
}

// addTo adds the observations from up to, not including, to to the evidence
// with full weight.
func (d design) addTo(e evidence, from, to int, noise float64) {
	for k := from; k < to; k++ {
		e.add(d.at[k], d.rest[k], d.obs[k].weight/(noise*noise))
	}
}

// tamed returns d with observations clamped to farthestOdd from their fitted
// values.
func (d design) tamed(fitted []float64, noise float64) design {
	rest := make([]float64, len(d.rest))
	for k, x := range d.rest {
		rest[k] = fitted[k] + min(max(x-fitted[k], -farthestOdd*noise), farthestOdd*noise)
	}
	d.rest = rest
	return d
}

// forget computes how much of each observation still counts, given their fitted
// values and the noise.
func (d *design) forget(fitted []float64, noise float64) {
	cuts := d.cuts()
	changes := d.tamed(fitted, noise).changes(cuts, noise)
	counts, next, top := 1.0, len(d.obs), 0
	for i, cut := range cuts {
		for k := cut; k < next; k++ {
			d.current[k] = counts
		}
		counts, next = max(counts-changes[i], 0), cut
		if changes[i] > changes[top] {
			top = i
		}
	}
	for k := range next {
		d.current[k] = counts
	}
	d.changed = nil
	if 1-counts > changeShown {
		d.changed = &AudienceChange{At: d.obs[cuts[top]].at, Sure: fourDigits(1 - counts)}
	}
	d.center()
}
