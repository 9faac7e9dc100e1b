package mission

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Arm kinds of Learning.
const (
	armAngle  = "angle:"
	armFormat = "format:"
)

// Arm is how often a choice was tried and how well it did.
type Arm struct {
	Tries float64 `json:"tries"`
	// Sum adds up the rewards of the tries.
	Sum float64 `json:"sum"`
}

// Learning is what a mission has learned from its measured posts: an arm for
// each angle and format, by "angle:tip" and the like. Rewards are engagement
// rates in percent where the platform reports impressions, else engagements.
type Learning map[string]Arm

// Learn computes the learning from the mission's measured posts, from
// scratch, so that learning twice from the same posts is the same.
func Learn(posts []Content) Learning {
	// Rewards are relative to the platform's mean, for platforms differ more
	// than angles do.
	sums, counts := map[Platform]float64{}, map[Platform]float64{}
	for _, c := range posts {
		if r, ok := reward(c.Metrics); ok {
			sums[c.Platform] += r
			counts[c.Platform]++
		}
	}
	l := Learning{}
	for _, c := range posts {
		r, ok := reward(c.Metrics)
		if mean := sums[c.Platform] / counts[c.Platform]; ok && mean > 0 {
			l.add(armAngle+string(c.Angle), r/mean)
			l.add(armFormat+string(c.Format), r/mean)
		}
	}
	return l
}

func reward(m Metrics) (float64, bool) {
	if _, reported := m[Impressions]; reported {
		return m.Rate()
	}
	_, ok := m[Likes]
	return m.Engagements(), ok
}

func (l Learning) add(arm string, reward float64) {
	a := l[arm]
	l[arm] = Arm{Tries: a.Tries + 1, Sum: a.Sum + reward}
}

// pretend counts a choice as tried with its mean, so that one plan doesn't put
// every post on the same arm.
func (l Learning) pretend(a Angle, f Format) Learning {
	next := Learning{}
	for k, v := range l {
		next[k] = v
	}
	for _, arm := range []string{armAngle + string(a), armFormat + string(f)} {
		next.add(arm, next[arm].mean())
	}
	return next
}

func (a Arm) mean() float64 {
	if a.Tries == 0 {
		return 1
	}
	return a.Sum / a.Tries
}

// exploration weighs trying against using what worked; rewards are around 1.
const exploration = 0.35

// choose takes the choice with the highest upper confidence bound (UCB1: Auer,
// Cesa-Bianchi, Fischer, "Finite-time Analysis of the Multiarmed Bandit
// Problem", 2002). What was never tried comes first, in the order given.
func choose[T ~string](l Learning, kind string, choices []T) T {
	total := 0.0
	for _, c := range choices {
		total += l[kind+string(c)].Tries
	}
	bound := func(c T) float64 {
		a := l[kind+string(c)]
		if a.Tries == 0 {
			return math.Inf(1)
		}
		return a.mean() + exploration*math.Sqrt(2*math.Log(total)/a.Tries)
	}
	best := choices[0]
	for _, c := range choices[1:] {
		if bound(c) > bound(best) {
			best = c
		}
	}
	return best
}

// Explain tells in words what the learning prefers.
func (l Learning) Explain() []string {
	reasons := []string{}
	for _, kind := range []string{armAngle, armFormat} {
		type named struct {
			name string
			arm  Arm
		}
		var arms []named
		for name, arm := range l {
			if rest, ok := strings.CutPrefix(name, kind); ok && arm.Tries > 0 {
				arms = append(arms, named{rest, arm})
			}
		}
		if len(arms) < 2 {
			continue
		}
		best := slices.MaxFunc(arms, func(a, b named) int {
			return cmp.Or(cmp.Compare(a.arm.mean(), b.arm.mean()), cmp.Compare(b.name, a.name))
		})
		reasons = append(reasons, explainArm(kind, best.name, best.arm))
	}
	if len(reasons) == 0 {
		reasons = append(reasons, "Nothing is measured yet, so every angle and format gets its turn.")
	}
	return reasons
}

func explainArm(kind, name string, a Arm) string {
	return fmt.Sprintf("The %s %q did %+.0f %% against the platform's mean over %.0f posts.",
		strings.TrimSuffix(kind, ":"), name, 100*(a.mean()-1), a.Tries)
}
