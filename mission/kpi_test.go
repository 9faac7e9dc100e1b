package mission

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func drawMetrics(t *rapid.T) Metrics {
	m := Metrics{}
	for _, metric := range []Metric{Impressions, Likes, Comments, Shares, Clicks} {
		if rapid.Bool().Draw(t, "reported") {
			m[metric] = float64(rapid.IntRange(0, 1000).Draw(t, string(metric)))
		}
	}
	return m
}

// Updating totals by the changes of measurements equals summing them again.
func TestTotalsFollowMeasurements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		totals := PlatformTotals{}
		posts := []Content{{ID: "a", Platform: Twitter}, {ID: "b", Platform: Twitter}, {ID: "c", Platform: Mastodon}}
		for i := range posts {
			posts[i].PublishedAt = &time.Time{}
		}
		for range rapid.IntRange(1, 5).Draw(t, "rounds") {
			measured := map[string]Metrics{}
			for _, c := range posts {
				if rapid.Bool().Draw(t, "measured") {
					measured[c.ID] = drawMetrics(t)
				}
			}
			points := Measurements(posts, measured, time.Time{})
			totals = totals.Measured(posts, points)
			for _, p := range points {
				for i := range posts {
					if posts[i].ID == p.ContentID {
						posts[i].Metrics = p.Metrics
					}
				}
			}
		}
		for _, p := range []Platform{Twitter, Mastodon, EveryPlatform} {
			on := map[Platform]Metrics{Twitter: {}, Mastodon: {}}
			for _, c := range posts {
				if p == EveryPlatform || p == c.Platform {
					on[c.Platform] = on[c.Platform].Plus(c.Metrics)
				}
			}
			if got, want := totals.Of(p), Together(on[Twitter], on[Mastodon]); !maps.EqualFunc(got, want, near) {
				t.Fatalf("%s: got %v, want %v", p, got, want)
			}
		}
	})
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// The rate of several platforms excludes the engagements of those that don't report
// impressions.
func TestRatesOfPlatformsThatReportThem(t *testing.T) {
	got := Together(Metrics{Impressions: 1000, Likes: 30, Comments: 10, EngagementRate: 4}, Metrics{Likes: 500}, Metrics{Impressions: 1000, Shares: 20, EngagementRate: 2})
	if want := (Metrics{Impressions: 2000, Likes: 530, Comments: 10, Shares: 20, EngagementRate: 3}); !maps.Equal(got, want) {
		t.Errorf("together: got %v, want %v", got, want)
	}
}

// A figure that a platform no longer reports keeps its value.
func TestFiguresStay(t *testing.T) {
	got := Metrics{Impressions: 100, Likes: 4, LinkClicks: 7}.renewed(Metrics{Impressions: 200, Likes: 10})
	if want := (Metrics{Impressions: 200, Likes: 10, LinkClicks: 7, EngagementRate: 5}); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestKPIProgress(t *testing.T) {
	begin := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	end := begin.Add(10 * day)
	m := Mission{
		Status: StatusActive, StartsAt: &begin, EndsAt: &end,
		Totals: PlatformTotals{Twitter: {Impressions: 1000, Likes: 40, EngagementRate: 4}, Mastodon: {Likes: 20}},
		KPIs: []KPI{
			{Likes, 100, EveryPlatform}, {Likes, 50, EveryPlatform}, {Likes, 100, Twitter}, {Reach, 100, EveryPlatform}, {EngagementRate, 5, EveryPlatform},
		},
		Trends: Trends{"likes:all": TrendImproving},
	}
	const day4 = 4*24*time.Hour + time.Hour // of ten: a little over four have passed, six have begun or lie ahead
	for i, want := range []struct {
		current, needed float64
		trend           Trend
	}{
		{60, 40.0 / 6, TrendImproving},
		{60, 0, TrendImproving},
		{40, 10, TrendSteady},
		{-1, 100.0 / 6, TrendSteady},
		// 1,000 impressions in five days, so 1,200 are expected: 5 % of 2,200 less 40.
		{4, 100 * (0.05*2200 - 40) / 1200, TrendSteady},
	} {
		p := m.KPIProgress(begin.Add(day4))[i]
		if current := p.Current; want.current < 0 && current != nil || want.current >= 0 && (current == nil || *current != want.current) {
			t.Errorf("%v: got the current value %v", m.KPIs[i], current)
		}
		if p.NeededPerDay == nil || !near(*p.NeededPerDay, want.needed) || p.Trend != want.trend {
			t.Errorf("%v: got %v needed per day and the trend %s", m.KPIs[i], *p.NeededPerDay, p.Trend)
		}
	}
	// In a pause the time is stopped; a mission that is over, or hasn't begun, has no days left.
	paused := m
	paused.Status, paused.PausedAt = StatusPaused, ptr(begin.Add(day4))
	if p := paused.KPIProgress(begin.Add(8 * day))[2]; p.NeededPerDay == nil || !near(*p.NeededPerDay, 10) {
		t.Errorf("in a pause got %v needed per day", p.NeededPerDay)
	}
	for _, s := range []Status{StatusDraft, StatusCompleted} {
		m.Status = s
		if p := m.KPIProgress(begin.Add(day4)); p[0].NeededPerDay != nil || p[1].NeededPerDay == nil {
			t.Errorf("%s: got %v needed per day, and %v of a KPI that is reached", s, p[0].NeededPerDay, p[1].NeededPerDay)
		}
	}
}

// ripe returns the measurements of posts, one an hour, at the age of the trend.
func ripe(p Platform, values ...float64) []Measurement {
	var list []Measurement
	for i, v := range values {
		at := time.Unix(int64(1e9+3600*i), 0)
		list = append(list, Measurement{
			ContentID: string(p) + at.String(), Platform: p, Step: RipeStep, PublishedAt: at, At: at.Add(RipeAge), Metrics: Metrics{Likes: v},
		})
	}
	return list
}

// Noise around one level has a trend one time in twenty, a rise in the noise is found,
// and single outliers change nothing.
func TestTrends(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	k := KPI{Likes, 1000, EveryPlatform}
	trends := func(slope float64) map[Trend]int {
		n := map[Trend]int{}
		for range 1000 {
			peers := Peers{}
			for platform, level := range map[Platform]float64{Twitter: 100, Mastodon: 7} {
				var values []float64
				for i := range 15 {
					values = append(values, level*math.Exp(slope*float64(i)+0.25*r.NormFloat64()))
				}
				peers[PeerKey{Platform: platform, Step: RipeStep}] = ripe(platform, values...)
			}
			n[k.trend(peers)]++
		}
		return n
	}
	if n := trends(0); n[TrendSteady] < 930 {
		t.Errorf("got %v for noise", n)
	}
	if n := trends(0.05); n[TrendImproving] < 950 || n[TrendDeclining] > 0 {
		t.Errorf("got %v for a rise", n)
	}
	if n := trends(-0.05); n[TrendDeclining] < 950 || n[TrendImproving] > 0 {
		t.Errorf("got %v for a fall", n)
	}
	flat := []float64{50, 51, 50, 49, 50, 52, 49, 50, 51, 50}
	for _, spoiled := range []int{0, 9} {
		values := append([]float64{}, flat...)
		values[spoiled] = 5000
		if got := k.trend(Peers{{Twitter, "", RipeStep}: ripe(Twitter, values...)}); got != TrendSteady {
			t.Errorf("got %s with one outlier", got)
		}
	}
	if got := k.trend(Peers{{Twitter, "", RipeStep}: ripe(Twitter, 1, 2, 3, 4, 5, 6, 7)}); got != TrendSteady {
		t.Errorf("got %s for seven posts", got)
	}
}

// Trends are those of the current KPIs, and change when a post reaches their age.
func TestTrendsAreKept(t *testing.T) {
	likes, shares := KPI{Likes, 1, EveryPlatform}, KPI{Shares, 1, Twitter}
	m := Mission{KPIs: []KPI{likes, shares}, Trends: Trends{likes.trendKey(): TrendDeclining, "reach:all": TrendImproving}}
	rising := Peers{{Twitter, "", RipeStep}: ripe(Twitter, 1, 2, 3, 4, 5, 6, 7, 8, 9)}
	if got := m.trends([]Measurement{{Step: 1}}, rising); len(got) != 2 || got.Of(likes) != TrendDeclining || got.Of(shares) != TrendSteady {
		t.Errorf("before a post has the age got %v", got)
	}
	if got := m.trends([]Measurement{{Step: RipeStep}}, rising); got.Of(likes) != TrendImproving {
		t.Errorf("then got %v", got)
	}
}
