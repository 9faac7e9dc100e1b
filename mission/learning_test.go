package mission

import (
	"maps"
	"math"
	"strings"
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

// Moving totals by what was measured anew gives what adding everything up
// again would.
func TestTotalsFollowMeasurements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		totals := PlatformTotals{}
		posts := []Content{{ID: "a", Platform: Twitter}, {ID: "b", Platform: Twitter}, {ID: "c", Platform: Mastodon}}
		for range rapid.IntRange(1, 5).Draw(t, "rounds") {
			measured := map[string]Metrics{}
			for i := range posts {
				m := maps.Clone(posts[i].Metrics)
				if m == nil {
					m = Metrics{}
				}
				maps.Copy(m, drawMetrics(t)) // a metric once reported stays reported
				measured[posts[i].ID] = m
			}
			totals = totals.Measured(posts, measured)
			for i := range posts {
				posts[i].Metrics = measured[posts[i].ID]
			}
		}
		for _, p := range []Platform{Twitter, Mastodon, EveryPlatform} {
			want := Metrics{}
			for _, c := range posts {
				if p == EveryPlatform || p == c.Platform {
					want = want.Plus(c.Metrics)
				}
			}
			if got := totals.Of(p); !maps.Equal(got, want) {
				t.Fatalf("%s has %v, want %v", p, got, want)
			}
		}
	})
}

func TestKPIProgress(t *testing.T) {
	k := KPI{Metric: Likes, Target: 100, Platform: EveryPlatform}
	for _, tt := range []struct {
		now, before Metrics
		current     float64
		trend       Trend
	}{
		{Metrics{Likes: 10}, nil, 10, TrendImproving},
		{Metrics{Likes: 106}, Metrics{Likes: 100}, 106, TrendImproving},
		{Metrics{Likes: 104}, Metrics{Likes: 100}, 104, TrendSteady},
		{Metrics{Likes: 90}, Metrics{Likes: 100}, 90, TrendDeclining},
	} {
		if p := k.Progress(tt.now, tt.before); p.Current == nil || *p.Current != tt.current || p.Trend != tt.trend {
			t.Errorf("from %v to %v is %+v", tt.before, tt.now, p)
		}
	}
	if p := k.Progress(Metrics{Shares: 1}, nil); p.Current != nil || p.Trend != TrendSteady {
		t.Errorf("a metric that nobody reports is %+v", p)
	}
}

func TestCompletedSummary(t *testing.T) {
	m := Mission{
		ID: "msn_1", Counts: ContentCounts{Published: 3}, KPIs: []KPI{
			{Likes, 10, EveryPlatform}, {Likes, 10, Mastodon}, {Reach, 1, EveryPlatform},
		},
		Totals: PlatformTotals{Twitter: {Impressions: 100, Likes: 9, Shares: 2}, Mastodon: {Likes: 5}},
	}
	want := MissionSummary{ContentPublished: 3, TotalImpressions: 100, TotalEngagements: 16, KPIsAchieved: 1, KPIsTotal: 3}
	if got := completedData(m).Summary; got != want {
		t.Errorf("the summary is %+v, want %+v", got, want)
	}
}

// A plan takes platforms and objectives in turn, from one cycle to the next,
// and only formats that the platform takes.
func TestPlansTakeTurns(t *testing.T) {
	m := started(t, time.Unix(1e9, 0), func(m *Mission) {
		m.Platforms, m.Objectives, m.Constraints.PostsPerDay = []Platform{Twitter, LinkedIn, Mastodon}, []string{"a", "b"}, 2
	})
	var platforms, objectives []string
	for cycle := range 3 {
		m.NextCycle = cycle
		for _, s := range NewPlan(NewJob("job_1", m, m.window(cycle), Brand{}, *m.StartsAt), nil).Slots {
			platforms, objectives = append(platforms, string(s.Platform)), append(objectives, s.Objective)
			caps, _ := CapabilitiesOf(s.Platform)
			if s.Format != caps.Formats[0] && s.Format != caps.Formats[1] {
				t.Errorf("%s gets a %s", s.Platform, s.Format)
			}
		}
	}
	if got := strings.Join(platforms, " "); got != "twitter linkedin mastodon twitter linkedin mastodon" {
		t.Errorf("the platforms are %s", got)
	}
	if got := strings.Join(objectives, ""); got != "ababab" {
		t.Errorf("the objectives are %s", got)
	}
}

// The better arm is taken more often the longer one looks, and what was never
// tried comes first.
func TestLearningPrefersWhatWorks(t *testing.T) {
	likes := map[Angle]float64{AngleHowTo: 10, AngleQuestion: 11, AngleStory: 9, AngleInsight: 10, AngleTip: 16, AngleMyth: 8}
	var posts []Content
	taken := map[Angle]int{}
	for i := range 120 {
		angle := choose(Learn(posts), armAngle, AllAngles())
		if i < len(AllAngles()) && angle != AllAngles()[i] {
			t.Fatalf("choice %d is %s, though %s was never tried", i, angle, AllAngles()[i])
		}
		taken[angle]++
		posts = append(posts, Content{Platform: Mastodon, Angle: angle, Format: FormatPost, Metrics: Metrics{Likes: likes[angle]}})
	}
	for angle, n := range taken {
		if angle != AngleTip && (n >= taken[AngleTip] || n < 3) {
			t.Errorf("%s is taken %d times, the best angle %d times", angle, n, taken[AngleTip])
		}
	}
	reasons := strings.Join(Learn(posts).Explain(), " ")
	if !strings.Contains(reasons, `"tip" did +`) {
		t.Errorf("it explains itself: %s", reasons)
	}
	if got := Learn(nil).Explain(); len(got) != 1 || !strings.Contains(got[0], "Nothing is measured yet") {
		t.Errorf("before the first measurement it says %v", got)
	}
}

func TestRates(t *testing.T) {
	sum := Metrics{Impressions: 100, Likes: 5, EngagementRate: 5}.Plus(Metrics{Impressions: 300, Shares: 3, EngagementRate: 1})
	if got := sum[EngagementRate]; math.Abs(got-2) > 1e-9 {
		t.Errorf("the rate of both is %v, want 2", got)
	}
	if _, ok := (Metrics{Likes: 3}).Plus(nil)[EngagementRate]; ok {
		t.Error("without impressions there is a rate")
	}
}
