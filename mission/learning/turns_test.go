package learning

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"missiond/mission"
)

// spreadOf returns the difference between the largest and the smallest count of
// values, of which there are total.
func spreadOf(counts map[string]int, total int) int {
	least, most := 0, 0
	for i, key := 0, sortedNames(counts); i < len(key); i++ {
		n := counts[key[i]]
		if most = max(most, n); i == 0 || n < least {
			least = n
		}
	}
	if len(counts) < total {
		least = 0
	}
	return most - least
}

// checkTurns checks that the posts of so many parts of the day, platforms and objectives
// take turns evenly.
func checkTurns(t *testing.T, d turns) {
	t.Helper()
	platforms, atPart, onPlatform, ofPart, all := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	whole := d.whole()
	round, _ := d.round()
	for n := range 2 * whole {
		part, platform, objective := n%d.parts, d.destination(n), d.objective(n)
		platforms[fmt.Sprint(platform)]++
		atPart[fmt.Sprint(platform, part)]++
		onPlatform[fmt.Sprint(objective, platform)]++
		ofPart[fmt.Sprint(objective, part)]++
		all[fmt.Sprint(objective, platform, part)]++
		if by := spreadOf(platforms, d.destinations); by > 1 {
			t.Fatalf("%+v: after %d posts the platforms differ by %d: %v", d, n+1, by, platforms)
		}
		if (n+1)%round != 0 {
			continue
		}
		for pairs, total := range map[*map[string]int]int{&atPart: d.destinations * d.parts, &onPlatform: d.objectives * d.destinations, &ofPart: d.objectives * d.parts, &all: whole} {
			if by := spreadOf(*pairs, total); by > 1 {
				t.Fatalf("%+v: after %d posts they differ by %d: %v", d, n+1, by, *pairs)
			}
		}
		if (n+1)%whole == 0 && spreadOf(all, whole) != 0 {
			t.Fatalf("%+v: after %d posts not all are equally frequent: %v", d, n+1, all)
		}
	}
}

// Every objective, platform and part of the day takes its turn, evenly, for any numbers
// of them.
func TestTurnsComeAround(t *testing.T) {
	for parts := 1; parts <= 10; parts++ {
		for platforms := 1; platforms <= 10; platforms++ {
			for objectives := 1; objectives <= 6; objectives++ {
				checkTurns(t, turns{parts, platforms, objectives})
			}
		}
	}
}

// The plans of a mission's cycles take those turns if nothing is learned: also with more
// posting times than posts, which are parts of the day then.
func TestPlansComeAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		posts, times := rapid.IntRange(1, 10).Draw(t, "posts"), rapid.IntRange(0, 12).Draw(t, "times")
		m := started(t, monday, func(m *mission.Mission) {
			m.Platforms = rapid.SliceOfNDistinct(rapid.SampledFrom(mission.AllPlatforms()), 1, 10, rapid.ID).Draw(t, "platforms")
			m.Objectives = strings.Split("abcdef", "")[:rapid.IntRange(1, 6).Draw(t, "objectives")]
			m.Constraints.PostsPerDay, m.DurationDays = posts, 366
			for n := range times {
				m.Constraints.PostingTimes = append(m.Constraints.PostingTimes, fmt.Sprintf("%02d:%02d", (5*n+7)%24, n))
			}
		})
		parts := max(posts, times)
		d := turns{parts: parts, destinations: len(m.Platforms), objectives: len(m.Objectives)}
		round, _ := d.round()
		onPlatform, atPart, ofPart := map[string]int{}, map[string]int{}, map[string]int{}
		n := 0
		for cycle := 0; n < 3*round*d.objectives && n < 2000; cycle++ {
			for i, s := range planOf(jobOf(m, cycle), nil).Slots {
				part := fmt.Sprint(i)
				if times > posts {
					part = s.At.Format("15:04")
				}
				onPlatform[s.Objective+" "+string(s.Platform)]++
				atPart[part+" "+string(s.Platform)]++
				ofPart[part+" "+s.Objective]++
				n++
			}
			if n%leastCommonMultiple(round, posts) != 0 {
				continue
			}
			for pairs, total := range map[*map[string]int]int{&onPlatform: d.objectives * d.destinations, &atPart: parts * d.destinations, &ofPart: parts * d.objectives} {
				if by := spreadOf(*pairs, total); by > 1 {
					t.Fatalf("after %d posts they differ by %d: %v", n, by, *pairs)
				}
			}
		}
	})
}

func leastCommonMultiple(a, b int) int { return a / greatestCommonDivisor(a, b) * b }

// No choice that a plan makes in turn is tied to a part of the day, or to an objective.
func TestAnglesAreTiedToNothing(t *testing.T) {
	for parts := 1; parts <= 6; parts++ {
		for objectives := 1; objectives <= 6; objectives++ {
			m := started(t, monday, func(m *mission.Mission) {
				m.Platforms, m.Objectives = []mission.Platform{mission.Twitter, mission.LinkedIn}, strings.Split("abcdef", "")[:objectives]
				m.Constraints.PostsPerDay, m.DurationDays = parts, 366
			})
			met := map[string]bool{}
			for cycle := range 360 {
				for i, s := range planOf(jobOf(m, cycle), nil).Slots {
					met[fmt.Sprint(s.Angle, i, s.Platform)], met[fmt.Sprint(s.Angle, s.Objective, s.Platform)] = true, true
				}
			}
			if want := len(mission.AllAngles()) * 2 * (parts + objectives); len(met) != want {
				t.Errorf("of %d parts and %d objectives, %d pairs with an angle on a platform of %d ever meet: %v", parts, objectives, len(met), want, sortedNames(met))
			}
		}
	}
}

// If platforms are chosen by what was learned, the posts that they take in turn are
// even, too, and so are all objectives and parts of the day.
func TestLearnedPlansComeAround(t *testing.T) {
	l := Fit(likings.posts(240, mission.Twitter, mission.LinkedIn), monday.Location())
	for posts := 1; posts <= 4; posts++ {
		for objectives := 1; objectives <= 4; objectives++ {
			m := started(t, monday, func(m *mission.Mission) {
				m.Platforms, m.Objectives = []mission.Platform{mission.Twitter, mission.LinkedIn}, strings.Split("abcd", "")[:objectives]
				m.Constraints.PostsPerDay, m.DurationDays, m.KPIs = posts, 366, []mission.KPI{{Metric: mission.Clicks, Target: 1, Platform: mission.Twitter}}
			})
			ofPart, all := map[string]int{}, map[string]int{}
			for cycle := range 4 * objectives * posts {
				for i, s := range planOf(jobOf(m, cycle), l).Slots {
					ofPart[fmt.Sprint(i, s.Objective)]++
					all[fmt.Sprint(i, s.Objective, s.Platform)]++
				}
			}
			if by := spreadOf(ofPart, posts*objectives); by > 2 {
				t.Errorf("%d posts, %d objectives: they differ by %d: %v", posts, objectives, by, ofPart)
			}
			if len(all) != 2*posts*objectives {
				t.Errorf("%d posts, %d objectives: %d of %d ever meet: %v", posts, objectives, len(all), 2*posts*objectives, sortedNames(all))
			}
		}
	}
}
