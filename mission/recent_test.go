package mission

import (
	"testing"
	"time"
)

func TestRecentSince(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for since, want := range map[time.Time]time.Time{
		now.Add(-time.Hour):       now.Add(-time.Hour),
		now.Add(-7 * day):         now.Add(-7 * day),
		now.Add(-7*day - 1):       now.Add(-7 * day),
		now.Add(-365 * day):       now.Add(-7 * day),
		now.Add(time.Nanosecond):  now,
		now.Add(24 * time.Hour):   now,
		now.Add(-time.Nanosecond): now.Add(-time.Millisecond),
	} {
		if got := RecentSince(since, now); !got.Equal(want) {
			t.Errorf("since %s got %s, want %s", since, got, want)
		}
	}
}

func TestBestPost(t *testing.T) {
	post := func(id string, likes, shares, impressions float64) Content {
		return Content{ID: id, Metrics: Metrics{Likes: likes, Shares: shares, Impressions: impressions}}
	}
	for want, posts := range map[string][]Content{
		"":           {post("nothing", 0, 0, 0), {ID: "unmeasured"}},
		"engaging":   {post("liked", 5, 0, 1000), post("engaging", 3, 4, 10)},
		"seen":       {post("less", 5, 0, 10), post("seen", 4, 1, 11), post("also", 5, 0, 10)},
		"first":      {post("first", 5, 0, 10), post("second", 5, 0, 10)},
		"impression": {post("", 0, 0, 0), post("impression", 0, 0, 1)},
	} {
		if got := BestPost(posts); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
