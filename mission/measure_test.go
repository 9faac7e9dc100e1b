package mission

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// measuredPosts are n posts of a platform whose engagement rate is around 4 %.
func measuredPosts(r *rand.Rand, n int) ([]Content, map[string]Metrics) {
	var posts []Content
	measured := map[string]Metrics{}
	for i := range n {
		c := Content{ID: fmt.Sprintf("cnt_%d", i), Platform: Twitter}
		seen := math.Floor(2000 * math.Exp(0.25*r.NormFloat64()))
		posts = append(posts, c)
		measured[c.ID] = Metrics{Impressions: seen, Likes: math.Floor(0.04 * math.Exp(0.25*r.NormFloat64()) * seen)}
	}
	return posts, measured
}

// A KPI is told of when it reaches its target, and once; new KPIs again.
func TestKPIAchievedOnce(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	m := Mission{ID: "msn_1", KPIs: []KPI{{Likes, 100, EveryPlatform}, {Likes, 30, Mastodon}, {EngagementRate, 5, EveryPlatform}}}
	posts := []Content{{ID: "a", Platform: Twitter}, {ID: "b", Platform: Mastodon}}
	measure := func(a, b Metrics) []KPIAchievedData {
		r := m.Measure(posts, map[string]Metrics{"a": a, "b": b}, now)
		m.Totals, m.Achieved = r.Totals, r.Achieved
		posts[0].Metrics, posts[1].Metrics = a, b
		var told []KPIAchievedData
		for _, e := range r.Events {
			told = append(told, e.Data.(KPIAchievedData))
		}
		return told
	}
	for i, step := range []struct {
		a, b Metrics
		want []KPIAchievedData
	}{
		{Metrics{Likes: 20, Impressions: 1000}, Metrics{Likes: 10}, nil},
		{Metrics{Likes: 60, Impressions: 1000}, Metrics{Likes: 30}, []KPIAchievedData{
			{"msn_1", Likes, Mastodon, 30, 30}, {"msn_1", EngagementRate, EveryPlatform, 5, 9},
		}},
		{Metrics{Likes: 80, Impressions: 9000}, Metrics{Likes: 30}, []KPIAchievedData{{"msn_1", Likes, EveryPlatform, 100, 110}}},
		{Metrics{Likes: 900, Impressions: 9000}, Metrics{Likes: 40}, nil},
	} {
		if told := measure(step.a, step.b); !slices.Equal(told, step.want) {
			t.Errorf("step %d tells of %+v, want %+v", i, told, step.want)
		}
	}
	m.KPIs = []KPI{{Likes, 500, EveryPlatform}}
	if told := measure(posts[0].Metrics, posts[1].Metrics); len(told) != 1 || len(m.Achieved) != 1 {
		t.Errorf("a new KPI is told of %d times; %v are kept", len(told), m.Achieved)
	}
}

// A post that does far better or worse than its mission's others is told of
// once; the ordinary spread, few posts, and posts that nobody saw are not.
func TestUnusualPosts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	alarms := 0
	const missions, size = 200, 50
	for range missions {
		posts, measured := measuredPosts(r, size)
		alarms += len(Mission{}.Measure(posts, measured, now).Unusual)
	}
	if alarms > missions*size/1000 {
		t.Errorf("%d false alarms in %d posts", alarms, missions*size)
	}
	for name, factor := range map[string]float64{"far better": 9, "far worse": 1.0 / 9} {
		posts, measured := measuredPosts(r, 20)
		measured["cnt_7"] = Metrics{Impressions: 2000, Likes: math.Floor(80 * factor)}
		got := Mission{ID: "msn_1"}.Measure(posts, measured, now)
		if !slices.Equal(got.Unusual, []string{"cnt_7"}) || len(got.Events) != 1 {
			t.Errorf("%s: %v are unusual", name, got.Unusual)
		}
		d := got.Events[0].Data.(AnomalyDetectedData)
		if d.ContentID != "cnt_7" || d.MissionID != "msn_1" || d.Value >= d.UsualLow && d.Value <= d.UsualHigh || d.UsualLow > 4 || d.UsualHigh < 4 {
			t.Errorf("%s: %+v", name, d)
		}
		posts[7].Unusual = true
		if again := (Mission{}).Measure(posts, measured, now); len(again.Unusual) != 0 {
			t.Errorf("%s: it is told of again", name)
		}
	}
	posts, measured := measuredPosts(r, leastPosts-1)
	measured["cnt_7"] = Metrics{Impressions: 2000, Likes: 1900}
	if got := (Mission{}).Measure(posts, measured, now); len(got.Unusual) != 0 {
		t.Error("few posts have an unusual one")
	}
	posts, measured = measuredPosts(r, 20)
	measured["cnt_7"] = Metrics{Impressions: 3, Likes: 3}
	measured["cnt_8"] = Metrics{Likes: 4000}
	if got := (Mission{}).Measure(posts, measured, now); len(got.Unusual) != 0 {
		t.Errorf("%v are unusual", got.Unusual)
	}
}

// Each event type has a schema with a description and an example of its own.
func TestEveryEventTypeHasASchema(t *testing.T) {
	kinds := EventKinds()
	if len(kinds) != 16 {
		t.Errorf("there are %d event types, want the interface's 16", len(kinds))
	}
	for _, k := range append(kinds, EventWebhookTest.Kind()) {
		if k.Description == "" || len(k.Schema) == 0 {
			t.Errorf("%s: %q", k.Type, k.Description)
		}
	}
}
