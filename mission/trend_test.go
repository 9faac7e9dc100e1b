package mission

import "testing"

// A trend is of the latest posts: what rose long ago and has stayed the same
// since is steady, and what was the same long ago and rises now improves.
func TestTrendsAreOfTheLatestPosts(t *testing.T) {
	k := KPI{Likes, 1000, EveryPlatform}
	trend := func(values []float64) Trend { return k.trend(Peers{{Twitter, RipeStep}: ripe(Twitter, values...)}) }
	var rose, rises []float64
	for i := range 70 {
		rose, rises = append(rose, 10+float64(i)), append(rises, 100+float64(i%3))
	}
	for i := range 30 {
		rose, rises = append(rose, 80+float64(i%3)), append(rises, 50+float64(i))
	}
	if got := trend(rose); got != TrendSteady {
		t.Errorf("what rose before the latest 30 posts is %s", got)
	}
	if got := trend(rises); got != TrendImproving {
		t.Errorf("what rises through the latest 30 posts is %s", got)
	}
}
