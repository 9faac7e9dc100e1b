package mission

import (
	"math"
	"time"
)

// AudienceChange is when a mission's audience seems to have changed.
type AudienceChange struct {
	// At is when the first post met the audience that it has since.
	At time.Time `json:"at"`
	// Sure is how probable a change is, above changeShown.
	Sure float64 `json:"p"`
}

// What is forgotten. Each way to part the observations in those before and
// those after a change is held to no change at all, by how probable either
// makes what was observed with the effects unknown: a Bayes factor of models
// (Kass, Raftery, "Bayes Factors", 1995), for a change at an unknown point (Chernoff,
// Zacks, "Estimating the Current Mean of a Normal Distribution which is
// Subjected to Changes in Time", 1964). An observation keeps as much of its
// weight as it is probable that no change came after it. So a linear bandit
// forgets (Russac, Vernade, Cappé, "Weighted Linear Bandits for Non-Stationary
// Environments", 2019), but by evidence instead of by age: while nothing
// contradicts the old posts, they count in full.
const (
	// steadyFor is how long audiences are believed to stay the same, on average.
	steadyFor = 180 * day
	// leastSince are the observations at least that a change is believed on.
	leastSince = 3
	// farthestOdd is how far, in standard deviations, a post may be from what it
	// would have: single posts that went round the world are no change.
	farthestOdd = 2.5
	// cutGrowth is by how much further back each cut lies than the one after it:
	// the further back, the less one place differs from the next.
	cutGrowth = 1.2
	// changeShown is the probability above which a change is told of.
	changeShown = 0.5
)

// cuts are where a change may have come: before the observations of these
// places, the latest first.
func (d design) cuts() []int {
	var cuts []int
	for back := float64(leastSince); int(back) < len(d.obs); back = max(back+1, back*cutGrowth) {
		cuts = append(cuts, len(d.obs)-int(back))
	}
	return cuts
}

// changes returns how probable it is, given the noise, that the audience
// changed at each cut. d.rest is tamed.
func (d design) changes(cuts []int, noise float64) []float64 {
	logs := make([]float64, len(cuts))
	before, after := d.nothingKnown(), d.nothingKnown()
	nothing, done := before.belief().logDensity(), 0
	for i := len(cuts) - 1; i >= 0; i-- {
		d.addTo(before, done, cuts[i], noise)
		since := d.obs[cuts[i]].at.Sub(d.obs[done].at)
		logs[i] = before.belief().logDensity() + math.Log(-math.Expm1(-float64(since)/float64(steadyFor)))
		done = cuts[i]
	}
	d.addTo(before, done, len(d.obs), noise)
	unchanged, done := before.belief().logDensity(), len(d.obs)
	highest := 0.0
	for i, cut := range cuts {
		d.addTo(after, cut, done, noise)
		logs[i] += after.belief().logDensity() - nothing - unchanged
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

// addTo adds observations to evidence, in full.
func (d design) addTo(e evidence, from, to int, noise float64) {
	for k := from; k < to; k++ {
		e.add(d.at[k], d.rest[k], d.obs[k].weight/(noise*noise))
	}
}

// tamed returns d with observations at most farthestOdd from what is fitted.
func (d design) tamed(fitted []float64, noise float64) design {
	rest := make([]float64, len(d.rest))
	for k, x := range d.rest {
		rest[k] = fitted[k] + min(max(x-fitted[k], -farthestOdd*noise), farthestOdd*noise)
	}
	d.rest = rest
	return d
}

// forget finds what is kept of the observations, given what is fitted to them
// and the noise about it.
func (d *design) forget(fitted []float64, noise float64) {
	cuts := d.cuts()
	changes := d.tamed(fitted, noise).changes(cuts, noise)
	kept, next, top := 1.0, len(d.obs), 0
	for i, cut := range cuts {
		for k := cut; k < next; k++ {
			d.kept[k] = kept
		}
		kept, next = max(kept-changes[i], 0), cut
		if changes[i] > changes[top] {
			top = i
		}
	}
	for k := range next {
		d.kept[k] = kept
	}
	d.changed = nil
	if 1-kept > changeShown {
		d.changed = &AudienceChange{At: d.obs[cuts[top]].at, Sure: fourDigits(1 - kept)}
	}
	d.center()
}
