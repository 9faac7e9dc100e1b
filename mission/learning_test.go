package mission

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestCompletedSummary(t *testing.T) {
	m := Mission{
		ID: "msn_1", Counts: ContentCounts{Published: 3}, KPIs: []KPI{
			{Likes, 10, EveryPlatform}, {Likes, 10, Mastodon}, {Reach, 1, EveryPlatform},
		},
		Totals: PlatformTotals{Twitter: {Impressions: 100, Likes: 9, Shares: 2}, Mastodon: {Likes: 5}},
	}
	want := MissionSummary{ContentPublished: 3, TotalImpressions: 100, TotalEngagements: 16, KPIsAchieved: 1, KPIsTotal: 3}
	if got := completedData(m).Summary; got != want {
		t.Errorf("got the summary %+v, want %+v", got, want)
	}
}

// A plan takes platforms and objectives in turn, from one cycle to the next, and only
// formats that the platform supports.
func TestPlansTakeTurns(t *testing.T) {
	m := started(t, time.Unix(1e9, 0), func(m *Mission) {
		m.Platforms, m.Objectives, m.Constraints.PostsPerDay = []Platform{Twitter, LinkedIn, Mastodon}, []string{"a", "b"}, 2
	})
	var platforms, objectives []string
	for cycle := range 3 {
		m.NextCycle = cycle
		for _, s := range planOf(NewJob("job_1", m, m.window(cycle), Brand{}, *m.StartsAt), nil).Slots {
			platforms, objectives = append(platforms, string(s.Platform)), append(objectives, s.Objective)
			caps, _ := CapabilitiesOf(s.Platform)
			if s.Format != caps.Formats[0] && s.Format != caps.Formats[1] {
				t.Errorf("%s got a %s", s.Platform, s.Format)
			}
		}
	}
	if got := strings.Join(platforms, " "); got != "twitter linkedin mastodon twitter linkedin mastodon" {
		t.Errorf("got the platforms %s", got)
	}
	if got := strings.Join(objectives, ""); got != "aaabbb" { // both for each platform, both for each part of the day
		t.Errorf("got the objectives %s", got)
	}
}

func TestRates(t *testing.T) {
	sum := Metrics{Impressions: 100, Likes: 5, EngagementRate: 5}.Plus(Metrics{Impressions: 300, Shares: 3, EngagementRate: 1})
	if got := sum[EngagementRate]; math.Abs(got-2) > 1e-9 {
		t.Errorf("got the rate %v of both, want 2", got)
	}
	if _, ok := (Metrics{Likes: 3}).Plus(nil)[EngagementRate]; ok {
		t.Error("got a rate without impressions")
	}
}
