package mission

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// measuredThrough draws ripe posts through an account, an hour apart.
func measuredThrough(t *rapid.T, account string, level float64) ([]Content, []Measurement) {
	var posts []Content
	var points []Measurement
	for i, likes := range rapid.SliceOfN(rapid.IntRange(0, 500), 0, 30).Draw(t, account) {
		at := monday.Add(time.Duration(i) * time.Hour)
		c := Content{ID: fmt.Sprint(account, i), Platform: Mastodon, IntegrationID: account, PublishedAt: &at}
		posts = append(posts, c)
		points = append(points, Measurements([]Content{c}, map[string]Metrics{c.ID: {Likes: level * float64(likes)}}, at.Add(RipeAge))...)
	}
	return posts, points
}

// What is said of an account's posts is the same whatever another account of the platform
// has: which are unusual, and what a day brought. Its level doesn't change the trend.
func TestAccountsAreNotCompared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := KPI{Metric: Likes, Target: 1e9, Platform: EveryPlatform}
		m := Mission{ID: "msn_1", Platforms: []Platform{Mastodon}, KPIs: []KPI{k}}
		posts, points := measuredThrough(t, "int_a", 1)
		others, theirs := measuredThrough(t, "int_b", 1)
		scaled := slices.Clone(theirs)
		for i := range scaled {
			scaled[i].Metrics = Metrics{Likes: 1024 * scaled[i].Metrics[Likes]}
		}
		now := monday.Add(100 * time.Hour)
		alone := m.Assess(posts, points, peersOf(points), now)
		both := func(theirs []Measurement) Assessment {
			return m.Assess(slices.Concat(posts, others), slices.Concat(points, theirs), peersOf(slices.Concat(points, theirs)), now)
		}
		got, far := both(theirs), both(scaled)
		ours := func(a Assessment) (unusual []string, days []Figures) {
			for _, id := range a.Unusual {
				if id[:5] == "int_a" {
					unusual = append(unusual, id)
				}
			}
			for _, d := range a.Days {
				if d.IntegrationID == "int_a" {
					days = append(days, d)
				}
			}
			return unusual, days
		}
		unusual, days := ours(got)
		if !reflect.DeepEqual(unusual, alone.Unusual) || !reflect.DeepEqual(days, alone.Days) {
			t.Fatalf("beside another account got %v and %v, alone %v and %v", unusual, days, alone.Unusual, alone.Days)
		}
		if a, b := got.Trends.Of(k), far.Trends.Of(k); a != b {
			t.Fatalf("the trend is %s, and %s where the other account has more readers", a, b)
		}
		if sum := NewReport(nil, FiguresFilter{}, GroupByPlatform, got.Days); sum.Posts != len(posts)+len(others) || sum.Totals[Likes] != got.Totals.Of(Mastodon)[Likes] {
			t.Fatalf("the accounts' days amount to %d posts with %v, want %v", sum.Posts, sum.Totals, got.Totals)
		}
	})
}

// The measurements that are needed are those of the points' accounts and, for trends,
// those of all accounts of the mission.
func TestPeersNeeded(t *testing.T) {
	point := func(account string, step int) Measurement {
		return Measurement{Platform: Mastodon, IntegrationID: account, Step: step}
	}
	measured := []Destination{{Platform: Mastodon, IntegrationID: "int_a"}, {Platform: Mastodon, IntegrationID: "int_b"}}
	for want, points := range map[string][]Measurement{
		"int_a/1 int_b/2": {point("int_a", 1), point("int_b", 2), point("int_a", 1)},
		fmt.Sprintf("int_a/%d int_b/%[1]d", RipeStep): {point("int_b", RipeStep)},
	} {
		keys := map[string]bool{}
		for _, k := range PeersNeeded(points, measured) {
			keys[fmt.Sprintf("%s/%d", k.IntegrationID, k.Step)] = true
		}
		if got := slices.Sorted(maps.Keys(keys)); fmt.Sprint(got) != "["+want+"]" {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}
