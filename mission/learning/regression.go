package learning

import (
	"maps"
	"math"
	"slices"
)

// The assumptions before anything is measured, on the scale of natural
// logarithms, where 0.3 is about a third more or less.
const (
	// priorNoise is how much posts of the same kind differ, with the weight of
	// priorPosts observations.
	priorNoise = 0.5
	priorPosts = 6.0
	// priorStep is how much neighbouring parts of the day differ.
	priorStep = 0.3
	// unknownLevel is the spread of the level of a platform without
	// measurements, relative to the others.
	unknownLevel = 1.0
	// farthest bounds how far a post may be from its account's median: a viral
	// one counts as if it had done 4.5 times as well as usual.
	farthest = 1.5
	// fitRounds is the number of iterations over effects, noise and forgetting.
	fitRounds = 2
)

// priors are the spreads of a factor's effects; of a platform's, about its
// median.
var priors = map[Factor]float64{FactorPlatform: 1, FactorAngle: 0.3, FactorFormat: 0.2, FactorHour: 0.5}

// column is an arm in the model: the effect that is to be estimated.
type column struct {
	factor Factor
	name   string
}

// design is the model of a metric.
type design struct {
	obs     []observation
	columns []column
	at      [][]int // the columns of each observation, a factor each
	// current is the probability, for each observation, that its audience is still
	// today's (audience.go).
	current []float64
	changed *AudienceChange
	middle  map[string]float64 // the accounts' medians
	rest    []float64          // each observation minus its account's median
}

// regress estimates the effects of all arms together: a linear regression with a
// normal prior, the ridge of Hoerl and Kennard ("Ridge Regression: Biased
// Estimation for Nonorthogonal Problems", 1970), which also yields the
// uncertainty. Neighbouring hours are drawn near each other, as in Whittaker
// ("On a New Method of Graduation", 1923), including the last and the first of
// the day. A post's weight is reduced by the probability that the audience has
// changed since. obs are in the order of publication.
func regress(obs []observation) Effects {
	d := newDesign(obs)
	noise := priorNoise
	for range fitRounds {
		fitted := d.fitted(d.posterior(noise))
		noise = d.noise(fitted)
		d.forget(fitted, noise)
	}
	b := d.posterior(noise)
	tries, posts := make([]float64, len(d.columns)), 0.0
	for k, at := range d.at {
		posts += d.current[k]
		for _, i := range at {
			tries[i] += d.current[k]
		}
	}
	e := Effects{Posts: int(math.Round(posts)), Changed: d.changed, Arms: map[Factor]map[string]Arm{}}
	for i, c := range d.columns {
		if e.Arms[c.factor] == nil {
			e.Arms[c.factor] = map[string]Arm{}
		}
		effect, spread := b.of(d.contrast(i))
		if c.factor == FactorPlatform {
			effect += d.middle[c.name]
		}
		e.Arms[c.factor][c.name] = Arm{Tries: int(math.Round(tries[i])), Effect: fourDigits(effect), Spread: fourDigits(spread)}
	}
	return e
}

func newDesign(obs []observation) design {
	d := design{obs: obs}
	indexes := map[column]int{}
	index := func(f Factor, name string) int {
		c := column{f, name}
		if _, ok := indexes[c]; !ok {
			indexes[c] = len(d.columns)
			d.columns = append(d.columns, c)
		}
		return indexes[c]
	}
	for _, name := range hourNames { // the first columns, in order, for nothingKnown
		index(FactorHour, name)
	}
	for _, o := range obs {
		d.at = append(d.at, []int{o.hour, index(FactorPlatform, o.platform), index(FactorAngle, o.angle), index(FactorFormat, o.format)})
		d.current = append(d.current, 1)
	}
	d.center()
	return d
}

// center subtracts from the observations the weighted medians of their
// platforms.
func (d *design) center() {
	values, weights := map[string][]float64{}, map[string][]float64{}
	for k, o := range d.obs {
		values[o.platform] = append(values[o.platform], o.value)
		weights[o.platform] = append(weights[o.platform], d.current[k])
	}
	d.middle, d.rest = map[string]float64{}, make([]float64, len(d.obs))
	for p := range values {
		d.middle[p] = weightedMedian(values[p], weights[p])
	}
	for k, o := range d.obs {
		d.rest[k] = min(max(o.value-d.middle[o.platform], -farthest), farthest)
	}
}

// nothingKnown returns the prior.
func (d design) nothingKnown() evidence {
	p := make([][]float64, len(d.columns))
	for i, c := range d.columns {
		p[i] = make([]float64, len(d.columns))
		p[i][i] = 1 / (priors[c.factor] * priors[c.factor])
	}
	const stiff = 1 / (priorStep * priorStep)
	for hour := range hourNames {
		next := (hour + 1) % len(hourNames)
		p[hour][hour] += stiff
		p[next][next] += stiff
		p[hour][next] -= stiff
		p[next][hour] -= stiff
	}
	return evidence{precision: p, weighted: make([]float64, len(d.columns))}
}

// posterior returns the distribution that follows from the observations, weighted by
// current.
func (d design) posterior(noise float64) posterior {
	e := d.nothingKnown()
	for k, o := range d.obs {
		e.add(d.at[k], d.rest[k], d.current[k]*o.weight/(noise*noise))
	}
	return e.posterior()
}

// fitted returns the expected value of each observation under a posterior.
func (d design) fitted(b posterior) []float64 {
	effects, fitted := make([]float64, len(d.columns)), make([]float64, len(d.obs))
	for i := range effects {
		column := make([]float64, len(d.columns))
		column[i] = 1
		effects[i], _ = b.of(column)
	}
	for k, at := range d.at {
		for _, i := range at {
			fitted[k] += effects[i]
		}
	}
	return fitted
}

// noise returns how much observations differ from their fitted values.
func (d design) noise(fitted []float64) float64 {
	squares, weights := priorPosts*priorNoise*priorNoise, priorPosts
	for k, o := range d.obs {
		left, weight := d.rest[k]-fitted[k], d.current[k]*o.weight
		squares += weight * left * left
		weights += weight
	}
	return math.Sqrt(squares / weights)
}

// contrast returns the sum of columns that is an arm's effect: its own minus
// the mean of its factor's, since only that can be estimated; a platform's
// level is that of a post that is average in everything else.
func (d design) contrast(of int) []float64 {
	arms := map[Factor]float64{}
	for _, c := range d.columns {
		arms[c.factor]++
	}
	v := make([]float64, len(d.columns))
	own := d.columns[of].factor
	for i, c := range d.columns {
		switch {
		case own == FactorPlatform && c.factor != own:
			v[i] = 1 / arms[c.factor]
		case own != FactorPlatform && c.factor == own:
			v[i] = -1 / arms[own]
		}
	}
	v[of]++
	return v
}

// fourDigits rounds what is stored: more digits would be noise, and take space.
func fourDigits(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
