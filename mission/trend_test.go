package mission

import "testing"

// A trend is that of the latest posts: a rise long ago that has stayed level since is
// steady, and a level that rises now improves.
func TestTrendsAreOfTheLatestPosts(t *testing.T) {
	k := KPI{Likes, 1000, EveryPlatform}
	trend := func(values []float64) Trend { return k.trend(Peers{{Twitter, "", RipeStep}: ripe(Twitter, values...)}) }
	var rose, rises []float64
	for i := range 70 {
		rose, rises = append(rose, 10+float64(i)), append(rises, 100+float64(i%3))
	}
	for i := range 30 {
		rose, rises = append(rose, 80+float64(i%3)), append(rises, 50+float64(i))
	}
	if got := trend(rose); got != TrendSteady {
		t.Errorf("a rise before the latest 30 posts: got %s", got)
	}
	if got := trend(rises); got != TrendImproving {
		t.Errorf("a rise through the latest 30 posts: got %s", got)
	}
}
