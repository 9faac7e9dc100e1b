package learning

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

// Of any posts, those are the best that are above the median of their account's, at most half of
// them; and a plan repeats none more often than once, none of another account or within its cooldown,
// not more than its share, and none if it is off.
func TestPlansRepeatTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMission(t)
		m.Objectives, m.Platforms = []string{"a"}, []mission.Platform{mission.Twitter, mission.Mastodon}
		e := &mission.Evergreen{CooldownDays: rapid.IntRange(7, 20).Draw(t, "cooldown"), Share: rapid.IntRange(1, 50).Draw(t, "share"), Rewrite: mission.RewriteWhereRefused}
		if rapid.Bool().Draw(t, "on") {
			m.Constraints.Evergreen = e
		}
		cycle := rapid.IntRange(0, 3).Draw(t, "cycle")
		j := jobOf(m, cycle)
		var posts []mission.Content
		for i := range rapid.IntRange(0, 60).Draw(t, "posts") {
			p := rapid.SampledFrom(m.Platforms).Draw(t, "platform")
			at := j.Window.Start.Add(-time.Duration(rapid.IntRange(1, 30).Draw(t, "days")) * 24 * time.Hour)
			c := measuredPost(p, mission.AngleTip, mission.FormatPost, at, mission.Metrics{mission.Likes: float64(rapid.IntRange(0, 500).Draw(t, "likes")), mission.Impressions: 1000})
			c.ID, c.Status, c.Origin = fmt.Sprintf("cnt_%02d", i), mission.ContentPublished, mission.OriginWriter
			posts = append(posts, c)
		}
		best := Best(j, posts, Fit(posts, time.UTC))
		for _, p := range m.Platforms {
			of := func(list []mission.Content) int {
				return len(slices.DeleteFunc(slices.Clone(list), func(c mission.Content) bool { return c.Platform != p }))
			}
			if all, n := of(posts), of(best); n > all/2 || all < leastPeers && n > 0 {
				t.Fatalf("%d of %d posts on %s are the best", n, all, p)
			}
		}
		var known []mission.Original
		for _, c := range best {
			o := mission.Original{Content: c, Planned: mission.Slot{Objective: "a"}}
			if rapid.Bool().Draw(t, "repeated") {
				o.Repeated = new(c.PublishedAt.Add(7 * 24 * time.Hour))
			}
			known = append(known, o)
		}
		plan := planOf(j, nil)
		got := Repeating(plan, j, known, func(o mission.Original, s mission.Slot) bool { return o.Content.Platform == s.Platform })
		var repeated []string
		for i, s := range got.Slots {
			if s.Repeats == "" {
				if s != plan.Slots[i] {
					t.Fatalf("a slot that repeats nothing changes to %+v", s)
				}
				continue
			}
			k := slices.IndexFunc(known, func(o mission.Original) bool { return o.Content.ID == s.Repeats })
			o := known[k]
			if slices.Contains(repeated, s.Repeats) || o.Content.Platform != s.Platform || s.Angle != o.Content.Angle || s.Format != o.Content.Format {
				t.Fatalf("%+v repeats %+v", s, o)
			}
			last := *o.Content.PublishedAt
			if o.Repeated != nil {
				last = *o.Repeated
			}
			if s.At.Sub(last) < e.Cooldown() {
				t.Fatalf("%s is repeated at %s, within %d days", last, s.At, e.CooldownDays)
			}
			repeated = append(repeated, s.Repeats)
		}
		if most := m.Constraints.Evergreen.Repeats(cycle, len(plan.Slots)); len(repeated) > most || len(got.Reasons) != len(plan.Reasons)+min(1, len(repeated)) {
			t.Fatalf("%d of %d posts repeat one, %d may: %q", len(repeated), len(got.Slots), most, got.Reasons)
		}
	})
}

// The best post is repeated where it fits, and the plan says so.
func TestTheBestPostIsRepeated(t *testing.T) {
	m := started(t, time.Unix(1e9, 0), func(m *mission.Mission) {
		m.Platforms, m.Objectives, m.Constraints.PostsPerDay = []mission.Platform{mission.Mastodon, mission.Twitter}, []string{"a"}, 2
		m.Constraints.Evergreen = &mission.Evergreen{CooldownDays: 7, Share: 50, Rewrite: mission.RewriteWhereRefused}
	})
	j := jobOf(m, 0)
	var posts []mission.Content
	for i := range leastPeers {
		at := j.Window.Start.Add(-time.Duration(8+i) * 24 * time.Hour)
		c := measuredPost(mission.Twitter, mission.AngleMyth, mission.FormatThread, at, mission.Metrics{mission.Likes: float64(i), mission.Impressions: 1000})
		c.ID, c.Status, c.Origin = fmt.Sprintf("cnt_%d", i), mission.ContentPublished, mission.OriginWriter
		posts = append(posts, c)
	}
	best := Best(j, posts, Fit(posts, time.UTC))
	if len(best) != leastPeers/2 || best[0].ID != "cnt_9" {
		t.Fatalf("got %d posts, %v first", len(best), best)
	}
	var known []mission.Original
	for _, c := range best {
		known = append(known, mission.Original{Content: c, Planned: mission.Slot{Objective: "a"}})
	}
	p := Repeating(planOf(j, nil), j, known, func(mission.Original, mission.Slot) bool { return true })
	want := fmt.Sprintf("As you asked, a post that did better than most is repeated: that of %s.", best[0].PublishedAt.Format(time.DateOnly))
	if p.Slots[0].Repeats != "" || p.Slots[1].Repeats != "cnt_9" || p.Slots[1].Format != mission.FormatThread || !slices.Contains(p.Reasons, want) {
		t.Errorf("got %+v, %q", p.Slots, p.Reasons)
	}
	if few := Best(j, posts[1:], Fit(posts[1:], time.UTC)); len(few) > 0 {
		t.Errorf("of %d posts %d are the best", len(posts)-1, len(few))
	}
}

// Accounts have their best posts repeated alike, however much their figures differ.
func TestTheBestAreOfAllAccounts(t *testing.T) {
	m := started(t, time.Unix(1e9, 0), func(m *mission.Mission) {
		m.Platforms, m.Objectives = []mission.Platform{mission.Mastodon, mission.Bluesky}, []string{"a"}
	})
	var posts []mission.Content
	for i := range leastPeers {
		for _, p := range m.Platforms {
			likes := 100 + float64(i)
			if p == mission.Bluesky {
				likes = float64(i * i * i * i)
			}
			c := measuredPost(p, mission.AngleTip, mission.FormatPost, m.StartsAt.Add(time.Duration(i)*time.Hour), mission.Metrics{mission.Likes: likes})
			c.ID = fmt.Sprint(i, p)
			posts = append(posts, c)
		}
	}
	var got []mission.Platform
	for _, c := range Best(jobOf(m, 0), posts, Fit(posts, time.UTC))[:2] {
		got = append(got, c.Platform)
	}
	if slices.Sort(got); !slices.Equal(got, []mission.Platform{mission.Bluesky, mission.Mastodon}) {
		t.Errorf("the two best posts are on %v", got)
	}
}
