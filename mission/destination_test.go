package mission

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// planOf returns the plan of a job whose tenant has no integrations.
func planOf(j Job, l Learning) Plan { return NewPlan(j, j.Brief.Destinations(nil), l) }

func TestDestinations(t *testing.T) {
	account := func(id string, p Platform, change func(i *Integration)) Integration {
		i := Integration{ID: id, Platform: p, Status: IntegrationConnected, Account: &Account{ID: id, Handle: "@" + id}}
		if change != nil {
			change(&i)
		}
		return i
	}
	gone := func(i *Integration) { i.DeletedAt = &time.Time{} }
	usual := func(i *Integration) { i.Default = true }
	tests := map[string]struct {
		accounts []Integration
		chosen   []string
		want     string
	}{
		"no integrations":                 {nil, nil, "twitter mastodon"},
		"the defaults":                    {[]Integration{account("a", Twitter, usual), account("b", Twitter, nil)}, nil, "twitter/a mastodon"},
		"chosen ones":                     {[]Integration{account("a", Twitter, usual), account("b", Twitter, nil), account("c", Mastodon, usual)}, []string{"b"}, "twitter/b mastodon/c"},
		"several of a platform":           {[]Integration{account("a", Twitter, usual), account("b", Twitter, nil)}, []string{"b", "a"}, "twitter/a twitter/b mastodon"},
		"one that was disconnected":       {[]Integration{account("a", Twitter, usual), account("b", Twitter, gone)}, []string{"b"}, "twitter/b mastodon"},
		"one of several was disconnected": {[]Integration{account("a", Twitter, usual), account("b", Twitter, gone), account("c", Twitter, nil)}, []string{"b", "c"}, "twitter/c mastodon"},
		"one that needs its owner":        {[]Integration{account("a", Twitter, func(i *Integration) { i.Default, i.Status = true, IntegrationNeedsReconnect })}, nil, "twitter/a mastodon"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := Brief{Platforms: []Platform{Twitter, Mastodon}, IntegrationIDs: tt.chosen}
			var keys []string
			for _, d := range b.Destinations(tt.accounts) {
				keys = append(keys, d.key())
				if d.IntegrationID != "" && d.Handle != "@"+d.IntegrationID {
					t.Errorf("%s has the handle %q", d.key(), d.Handle)
				}
			}
			if got := strings.Join(keys, " "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestCheckChosen(t *testing.T) {
	known := map[string]Integration{
		"int_a": {ID: "int_a", Platform: Twitter, Account: &Account{ID: "1"}},
		"int_b": {ID: "int_b", Platform: Bluesky, Account: &Account{ID: "2"}},
		"int_c": {ID: "int_c", Platform: Twitter},
	}
	for id, ok := range map[string]bool{"int_a": true, "int_b": false, "int_c": false, "int_d": false} {
		err := Mission{Platforms: []Platform{Twitter, Mastodon}, IntegrationIDs: []string{"int_a", id}[:2]}.CheckChosen(known)
		var e *Error
		if errors.As(err, &e) == ok || !ok && e.Param != "integration_ids[1]" {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// Accounts of one platform take turns like platforms, and what is learned is learned for
// each of them.
func TestPlansForAccounts(t *testing.T) {
	m := Mission{
		ID: "msn_1", Objectives: []string{"One", "Two"}, Platforms: []Platform{Mastodon}, DurationDays: 30, StartsAt: &time.Time{},
		Constraints: (*ConstraintsInput)(nil).withDefaults(), KPIs: []KPI{{Metric: Likes, Target: 10, Platform: EveryPlatform}},
	}
	m.Constraints.PostsPerDay = 4
	m.IntegrationIDs = []string{"int_a", "int_b"}
	to := NewBrief(m, Brand{}).Destinations([]Integration{
		{ID: "int_a", Platform: Mastodon, Label: "German", Account: &Account{Handle: "@a"}},
		{ID: "int_b", Platform: Mastodon, Account: &Account{Name: "Bee"}},
	})
	counts := func(l Learning) map[string]int {
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
	var posts []Content
	for i := range 60 {
		at := time.Date(2026, 1, 1, 12, i, 0, 0, time.UTC)
		c := Content{ID: string(rune('A' + i)), Platform: Mastodon, Angle: AngleTip, Format: FormatPost, PublishedAt: &at, IntegrationID: "int_a", Metrics: Metrics{Likes: 10}}
		if i%2 == 0 {
			c.IntegrationID, c.Metrics = "int_b", Metrics{Likes: 200}
		}
		posts = append(posts, c)
	}
	l := Learn(posts, time.UTC)
	if a, b := l[Likes].level(to[0]).Effect, l[Likes].level(to[1]).Effect; b-a < 2 {
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
