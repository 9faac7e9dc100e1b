package learning

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/mission"
)

// Accounts of one platform take turns like platforms, and what is learned is learned for
// each of them.
func TestPlansForAccounts(t *testing.T) {
	m := mission.Mission{
		ID: "msn_1", Objectives: []string{"One", "Two"}, Platforms: []mission.Platform{mission.Mastodon}, DurationDays: 30, StartsAt: &time.Time{},
		Constraints: mission.Constraints{Cadence: mission.Daily, PostsPerDay: 1, Timezone: "UTC"}, KPIs: []mission.KPI{{Metric: mission.Likes, Target: 10, Platform: mission.EveryPlatform}},
	}
	m.Constraints.PostsPerDay = 4
	m.IntegrationIDs = []string{"int_a", "int_b"}
	to := mission.NewBrief(m, mission.Brand{}).Destinations([]mission.Integration{
		{ID: "int_a", Platform: mission.Mastodon, Label: "German", Account: &mission.Account{Handle: "@a"}},
		{ID: "int_b", Platform: mission.Mastodon, Account: &mission.Account{Name: "Bee"}},
	})
	counts := func(l Model) map[string]int {
		n := map[string]int{}
		for cycle := range 6 {
			for _, s := range NewPlan(jobOf(m, cycle), to, l).Slots {
				n[s.IntegrationID]++
			}
		}
		return n
	}
	if got := counts(nil); !reflect.DeepEqual(got, map[string]int{"int_a": 12, "int_b": 12}) {
		t.Errorf("in turn the accounts get %v", got)
	}
	var posts []mission.Content
	for i := range 60 {
		at := time.Date(2026, 1, 1, 12, i, 0, 0, time.UTC)
		c := mission.Content{ID: string(rune('A' + i)), Platform: mission.Mastodon, Angle: mission.AngleTip, Format: mission.FormatPost, PublishedAt: &at, IntegrationID: "int_a", Metrics: mission.Metrics{mission.Likes: 10}}
		if i%2 == 0 {
			c.IntegrationID, c.Metrics = "int_b", mission.Metrics{mission.Likes: 200}
		}
		posts = append(posts, c)
	}
	l := Fit(posts, time.UTC)
	if a, b := l[mission.Likes].level(to[0]).Effect, l[mission.Likes].level(to[1]).Effect; b-a < 2 {
		t.Errorf("the levels of the accounts are %.1f and %.1f", a, b)
	}
	if got := counts(l); got["int_b"] < 2*got["int_a"] {
		t.Errorf("the accounts get %v, although the second has twenty times the likes", got)
	}
	reasons := NewPlan(jobOf(m, 1), to, l).Reasons
	if !slices.ContainsFunc(reasons, func(r string) bool {
		return strings.Contains(r, "Mastodon (German, @a)") && strings.Contains(r, "Mastodon (Bee)") && strings.Contains(r, "accounts")
	}) {
		t.Errorf("no reason names the accounts: %q", reasons)
	}
}
