package mission

import (
	"math"
	"testing"
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

func TestRates(t *testing.T) {
	sum := Metrics{Impressions: 100, Likes: 5, EngagementRate: 5}.Plus(Metrics{Impressions: 300, Shares: 3, EngagementRate: 1})
	if got := sum[EngagementRate]; math.Abs(got-2) > 1e-9 {
		t.Errorf("got the rate %v of both, want 2", got)
	}
	if _, ok := (Metrics{Likes: 3}).Plus(nil)[EngagementRate]; ok {
		t.Error("got a rate without impressions")
	}
}
