package learning

import (
	"cmp"
	"math"
	"slices"
)

// evidence is what the prior and the observations say about the columns of a
// model: the precision of a normal distribution, and the precision times its
// mean.
type evidence struct {
	precision [][]float64
	weighted  []float64
}

// add adds an observation, with a precision, of the sum of some columns.
func (e evidence) add(columns []int, value, precision float64) {
	for _, i := range columns {
		e.weighted[i] += precision * value
		for _, j := range columns {
			e.precision[i][j] += precision
		}
	}
}

// posterior is the normal distribution of the columns that follows from evidence:
// lower is the Cholesky factor of its precision, solved solves lower x =
// evidence.weighted.
type posterior struct {
	lower  [][]float64
	solved []float64
}

func (e evidence) posterior() posterior {
	n := len(e.precision)
	lower, all := make([][]float64, n), make([]float64, n*(n+1)/2)
	for i, row := range e.precision {
		lower[i], all = all[:i+1], all[i+1:]
		for j := range i + 1 {
			x := row[j] - dot(lower[i][:j], lower[j][:j])
			if i == j {
				lower[i][i] = math.Sqrt(x)
			} else {
				lower[i][j] = x / lower[j][j]
			}
		}
	}
	b := posterior{lower: lower}
	b.solved = b.solve(e.weighted)
	return b
}

// solve solves lower x = v.
func (b posterior) solve(v []float64) []float64 {
	x := make([]float64, len(v))
	for i, row := range b.lower {
		x[i] = (v[i] - dot(row[:i], x[:i])) / row[i]
	}
	return x
}

// of returns the mean and the standard deviation of a sum of columns.
func (b posterior) of(v []float64) (mean, spread float64) {
	x := b.solve(v)
	return dot(x, b.solved), math.Sqrt(dot(x, x))
}

// logDensity returns the logarithm of the marginal likelihood of the posterior's
// observations, up to terms that depend on the observations alone. It lacks the
// normalization of the prior, which is the logDensity without observations.
func (b posterior) logDensity() float64 {
	sum := dot(b.solved, b.solved) / 2
	for i, row := range b.lower {
		sum -= math.Log(row[i])
	}
	return sum
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

// weightedMedian returns the value that has half of the weight on either side;
// the mean of two values that split it evenly.
func weightedMedian(values, weights []float64) float64 {
	order := make([]int, len(values))
	total := 0.0
	for i := range order {
		order[i] = i
		total += weights[i]
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(values[i], values[j]), cmp.Compare(weights[i], weights[j]))
	})
	sum := 0.0
	for at, i := range order {
		sum += weights[i]
		switch {
		case at+1 < len(order) && math.Abs(2*sum-total) <= 1e-9*total:
			return (values[i] + values[order[at+1]]) / 2
		case 2*sum > total:
			return values[i]
		}
	}
	return values[order[len(order)-1]]
}
