// Package report makes figures of what was measured, and a table of figures.
package report

import (
	"math"
	"slices"
	"time"
)

// Percentile returns the smallest of the durations that at least a share of
// them (0.99) doesn't exceed; 0 where there are none. It sorts them.
func Percentile(durations []time.Duration, share float64) time.Duration {
	if len(durations) == 0 {
		return 0
	}
	slices.Sort(durations)
	i := int(math.Ceil(share*float64(len(durations)))) - 1
	return durations[min(max(i, 0), len(durations)-1)]
}

// Spread is a figure of several rounds.
type Spread struct{ Median, Least, Most float64 }

// SpreadOf returns the spread of the rounds' figures; the zero Spread where
// there are none.
func SpreadOf(rounds []float64) Spread {
	if len(rounds) == 0 {
		return Spread{}
	}
	sorted := slices.Sorted(slices.Values(rounds))
	middle := sorted[len(sorted)/2]
	if len(sorted)%2 == 0 {
		middle = (middle + sorted[len(sorted)/2-1]) / 2
	}
	return Spread{Median: middle, Least: sorted[0], Most: sorted[len(sorted)-1]}
}

// Ratios divides figures of the same rounds: what one side did by what the
// other did beside it.
func Ratios(ours, limit []float64) []float64 {
	var ratios []float64
	for i := range min(len(ours), len(limit)) {
		if limit[i] > 0 {
			ratios = append(ratios, ours[i]/limit[i])
		}
	}
	return ratios
}
