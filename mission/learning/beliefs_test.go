package learning

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

// Beliefs are the learning in numbers: effects as percent of the average, levels
// as what a post brings, in the order of the interface.
func TestBeliefs(t *testing.T) {
	l := Model{
		mission.Likes: {Posts: 9, Arms: map[Factor]map[string]Arm{
			FactorPlatform: {"mastodon": {5, math.Log(10.5), 0.1}, "twitter/int_1": {4, math.Log(4.5), 0.2}, "twitter": {0, 0, 1}},
			FactorAngle:    {"tip": {3, 0, 0.1}, "how_to": {6, 0.5, 0.1}, "myth": {0, 0.9, 0.3}},
			FactorFormat:   {"post": {9, 0, 0}},
		}},
		mission.EngagementRate: {Posts: 6, Arms: map[Factor]map[string]Arm{
			FactorPlatform: {"twitter": {3, math.Log(2), 0.1}, "linkedin": {3, math.Log(3), 0.1}},
			FactorHour:     {"21-24": {1, 0.2, 0.1}, "00-03": {5, 0.1, 0.1}},
		}},
		mission.Clicks: {Posts: 5, Arms: map[Factor]map[string]Arm{FactorAngle: {"tip": {3, 0.4, 0.1}, "story": {2, -0.4, 0.1}}}},
	}
	want := []string{
		"engagement_rate 6", "platform twitter/ 2 [1.644 2.433] metric of 3", "platform linkedin/ 3 [2.466 3.65] metric of 3",
		"hour 00-03/ 10.52 [-9.154 34.45] percent of 5", "hour 21-24/ 22.14 [0.4008 48.59] percent of 1, preferred",
		"clicks 5", "angle story/ -32.97 [-44.9 -18.45] percent of 2", "angle tip/ 49.18 [22.63 81.48] percent of 3", // too few to prefer
		"likes 9", "platform twitter/ 0.5 [0 6.599] metric of 0", "platform twitter/int_1 4 [2.541 6.16] metric of 4", "platform mastodon/ 10 [8.131 12.27] metric of 5, preferred",
		"angle how_to/ 64.87 [35.53 100.6] percent of 6, preferred", "angle tip/ 0 [-17.8 21.65] percent of 3", "angle myth/ 146 [36.62 342.8] percent of 0",
		"format post/ - percent of 9",
	}
	var got []string
	for _, m := range l.Beliefs() {
		got = append(got, fmt.Sprintf("%s %d", m.Metric, m.Observations))
		for _, b := range m.Beliefs {
			got = append(got, b.text())
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

func (b Belief) text() string {
	interval, preferred := "-", ""
	if b.Mean != nil {
		interval = fmt.Sprintf("%.4g [%.4g %.4g]", *b.Mean, *b.Low, *b.High)
	}
	if b.Preferred {
		preferred = ", preferred"
	}
	return fmt.Sprintf("%s %s/%s %s %s of %d%s", b.Factor, b.Choice, b.IntegrationID, interval, b.Unit, b.Observations, preferred)
}

// Whatever was measured, each belief's mean is in its interval, at most one
// choice of a factor is preferred, and none has a larger mean.
func TestBeliefsAreOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		posts := drawPosts(t, []mission.Platform{mission.Twitter, mission.Mastodon, mission.LinkedIn})
		for _, m := range Fit(posts, time.UTC).Beliefs() {
			best, preferred := map[Factor]float64{}, map[Factor]Belief{}
			for _, b := range m.Beliefs {
				if b.Mean == nil {
					continue
				}
				if *b.Low > *b.Mean || *b.Mean > *b.High || math.IsNaN(*b.Mean) || math.IsInf(*b.High, 0) {
					t.Fatalf("%s: %s", m.Metric, b.text())
				}
				if most, ok := best[b.Factor]; b.Observations > 0 && (!ok || *b.Mean > most) {
					best[b.Factor] = *b.Mean
				}
				if b.Preferred {
					if other, ok := preferred[b.Factor]; ok {
						t.Fatalf("%s: both %s and %s are preferred", m.Metric, other.text(), b.text())
					}
					preferred[b.Factor] = b
				}
			}
			for f, b := range preferred {
				if *b.Mean < best[f] || b.Observations == 0 || m.Observations < leastLearned {
					t.Fatalf("%s: %s is preferred of %d posts; the best is %g", m.Metric, b.text(), m.Observations, best[f])
				}
			}
		}
	})
}

// Of many accounts those with the most posts are shown.
func TestBeliefsAreBounded(t *testing.T) {
	arms := map[string]Arm{}
	for i := range maxAccounts + 20 {
		arms[fmt.Sprintf("twitter/int_%03d", i)] = Arm{Tries: i, Effect: 1, Spread: 0.1}
	}
	shown := Model{mission.Likes: {Posts: 70, Arms: map[Factor]map[string]Arm{FactorPlatform: arms}}}.Beliefs()[0].Beliefs
	if len(shown) != maxAccounts || shown[0].IntegrationID != "int_020" || shown[maxAccounts-1].IntegrationID != "int_069" {
		t.Errorf("%d accounts are shown, from %s to %s", len(shown), shown[0].IntegrationID, shown[len(shown)-1].IntegrationID)
	}
}
