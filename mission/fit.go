package mission

import (
	"maps"
	"math"
	"slices"
)

// What is taken for granted before anything is measured; all on the scale of
// natural logarithms, where 0.3 is about a third more or less.
const (
	// priorNoise is how much posts of the same kind differ, believed as firmly
	// as if priorPosts had told it.
	priorNoise = 0.5
	priorPosts = 6.0
	// priorStep is how much neighbouring parts of the day differ.
	priorStep = 0.3
	// unknownLevel is the spread of what a platform has that nothing is known
	// of, against the others.
	unknownLevel = 1.0
	// farthest is how far a post may be from its platform's median: one that
	// went round the world counts as if it had done 4.5 times as well as usual.
	farthest = 1.5
	// noiseRounds are those in which noise and effects are brought together.
	noiseRounds = 3
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
	at      [][]int            // the columns of each observation, a factor each
	middle  map[string]float64 // the platforms' medians
	rest    []float64          // what an observation has more than its platform's median
}

// fit estimates the effects of all arms together: a linear regression with a
// normal prior, the ridge of Hoerl and Kennard ("Ridge Regression: Biased
// Estimation for Nonorthogonal Problems", 1970), which tells how sure it is
// besides. Neighbouring hours are held near each other, as in Whittaker ("On a
// New Method of Graduation", 1923), the last and the first of the day too.
func fit(obs []observation) Effects {
	d := newDesign(obs)
	noise := priorNoise
	var effects []float64
	var covariance [][]float64
	for range noiseRounds {
		effects, covariance = d.solve(noise)
		noise = d.noise(effects)
	}
	e := Effects{Posts: len(obs), Arms: map[Factor]map[string]Arm{}}
	tries := make([]int, len(d.columns))
	for _, at := range d.at {
		for _, i := range at {
			tries[i]++
		}
	}
	for i, c := range d.columns {
		if e.Arms[c.factor] == nil {
			e.Arms[c.factor] = map[string]Arm{}
		}
		v := d.contrast(i)
		effect := dot(v, effects)
		if c.factor == FactorPlatform {
			effect += d.middle[c.name]
		}
		e.Arms[c.factor][c.name] = Arm{
			Tries: tries[i], Effect: fourDigits(effect), Spread: fourDigits(math.Sqrt(max(quadratic(v, covariance), 0))),
		}
	}
	return e
}

func newDesign(obs []observation) design {
	d := design{obs: obs}
	places := map[column]int{}
	place := func(f Factor, name string) int {
		c := column{f, name}
		if _, ok := places[c]; !ok {
			places[c] = len(d.columns)
			d.columns = append(d.columns, c)
		}
		return places[c]
	}
	for _, name := range hourNames { // the first columns, in order, for priorPrecision
		place(FactorHour, name)
	}
	byPlatform := map[string][]float64{}
	for _, o := range obs {
		byPlatform[o.platform] = append(byPlatform[o.platform], o.value)
		d.at = append(d.at, []int{o.hour, place(FactorPlatform, o.platform), place(FactorAngle, o.angle), place(FactorFormat, o.format)})
	}
	d.middle = map[string]float64{}
	for p, values := range byPlatform {
		d.middle[p] = median(values)
	}
	for _, o := range obs {
		d.rest = append(d.rest, min(max(o.value-d.middle[o.platform], -farthest), farthest))
	}
	return d
}

// priorPrecision is the inverse of the covariance that is believed before.
func (d design) priorPrecision() [][]float64 {
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
	return p
}

// solve answers the mean and the covariance of what is believed of the columns.
func (d design) solve(noise float64) (mean []float64, covariance [][]float64) {
	precision := d.priorPrecision()
	told := make([]float64, len(d.columns))
	for k, at := range d.at {
		weight := d.obs[k].weight / (noise * noise)
		for _, i := range at {
			told[i] += weight * d.rest[k]
			for _, j := range at {
				precision[i][j] += weight
			}
		}
	}
	covariance = inverse(precision)
	mean = make([]float64, len(told))
	for i := range mean {
		mean[i] = dot(covariance[i], told)
	}
	return mean, covariance
}

// noise is how much posts differ from what the effects say.
func (d design) noise(effects []float64) float64 {
	squares, weights := priorPosts*priorNoise*priorNoise, priorPosts
	for k, at := range d.at {
		left := d.rest[k]
		for _, i := range at {
			left -= effects[i]
		}
		squares += d.obs[k].weight * left * left
		weights += d.obs[k].weight
	}
	return math.Sqrt(squares / weights)
}

// contrast answers which sum of the columns an arm's effect is: its own less
// the mean of its factor's, for only that can be known; a platform's level is
// that of a post which is average in all else.
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

// inverse inverts a positive definite matrix, in place (Gauss, Jordan), which
// needs no pivots for such.
func inverse(a [][]float64) [][]float64 {
	for k := range a {
		pivot := a[k][k]
		a[k][k] = 1
		for j := range a[k] {
			a[k][j] /= pivot
		}
		for i := range a {
			if factor := a[i][k]; i != k && factor != 0 {
				a[i][k] = 0
				for j := range a[i] {
					a[i][j] -= factor * a[k][j]
				}
			}
		}
	}
	return a
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

// quadratic is the variance of a sum of columns.
func quadratic(v []float64, covariance [][]float64) float64 {
	sum := 0.0
	for i, x := range v {
		if x != 0 {
			sum += x * dot(covariance[i], v)
		}
	}
	return sum
}

// fourDigits rounds what is kept: more would be noise, and take room.
func fourDigits(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
