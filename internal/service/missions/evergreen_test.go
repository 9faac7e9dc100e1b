package missions_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/testkit"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// paidPen writes each text for a price, and remembers the posts that it is to say again.
type paidPen struct {
	world.PlainWriter

	again []string
}

const penPrice = 100

func (p *paidPen) Price(mission.Assignment) mission.Micros { return penPrice }

func (p *paidPen) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	if a.Original != nil {
		p.again = append(p.again, a.Original.ID)
	}
	d, err := p.PlainWriter.Write(ctx, a)
	d.Cost = penPrice
	return d, err
}

// evergreenFor makes a mission that repeats posts after a week, with six posts a day.
func evergreenFor(days int, on ...mission.Platform) func(in *mission.CreateInput) {
	return func(in *mission.CreateInput) {
		in.Platforms, in.DurationDays, in.Constraints.PostsPerDay = on, &days, new(6)
		in.Constraints.Evergreen = &mission.EvergreenInput{CooldownDays: new(7), Share: new(34)}
	}
}

// repeats returns the posts of a mission that repeat others, and fails the test if one of these isn't one
// that may be repeated.
func repeats(w *world.World, id string) (all []mission.Content) {
	w.T.Helper()
	last := map[string]time.Time{}
	for _, c := range w.Published(id) {
		if c.Repeats == "" {
			continue
		}
		o := w.Content(c.Repeats)
		if o.Repeats != "" || o.Status != mission.ContentPublished || o.Platform != c.Platform || o.Angle != c.Angle || o.Format != c.Format {
			w.T.Errorf("%+v repeats %+v", c, o)
		}
		from := *o.PublishedAt
		if before, ok := last[o.ID]; ok {
			from = before
		}
		if c.ScheduledAt.Sub(from) < 7*24*time.Hour {
			w.T.Errorf("the post of %s is repeated at %s", from, c.ScheduledAt)
		}
		last[o.ID] = *c.ScheduledAt
		all = append(all, c)
	}
	return all
}

// After the cooldown a mission's best posts are repeated: word for word and for nothing where that is
// allowed, in the writer's words and at its price where a platform refuses twins.
func TestTheBestPostsAreRepeated(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		pen := &paidPen{}
		w.Writer = pen
		m := w.Create(evergreenFor(13, mission.Twitter, mission.Mastodon))
		w.Over(m.ID)
		on := map[mission.Platform]int{}
		for _, c := range repeats(w, m.ID) {
			on[c.Platform]++
			o := w.Content(c.Repeats)
			same := c.Platform == mission.Mastodon
			if same != (c.Text == o.Text) || same != (c.Cost == 0) {
				t.Errorf("on %s %q repeats %q for %d", c.Platform, c.Text, o.Text, c.Cost)
			}
			r, err := w.Missions.Record(context.Background(), w.Tenant, c.ID)
			if w.Must(err); r.Repeats == nil || *r.Repeats != o.ID || c.Metrics == nil {
				t.Errorf("the record names %v, the post has %v", r.Repeats, c.Metrics)
			}
		}
		if on[mission.Twitter] == 0 || on[mission.Mastodon] == 0 || len(pen.again) != on[mission.Twitter] {
			t.Errorf("%v posts repeat one, the writer was asked for %d", on, len(pen.again))
		}
		perDay := map[int]int{}
		for _, c := range w.Posts(m.ID) {
			if c.Repeats != "" {
				perDay[int(c.ScheduledAt.Sub(world.Began)/(24*time.Hour))]++
			}
		}
		for day, n := range perDay {
			if n > 3 { // a third of six, and one that another day leaves
				t.Errorf("day %d has %d repeats", day, n)
			}
		}
		if n := len(w.Posts(m.ID)); n != 13*6 {
			t.Errorf("%d posts are made, want %d", n, 13*6)
		}
	})
}

// Without evergreen nothing is repeated, and an update begins it with the next cycle.
func TestEvergreenIsOff(t *testing.T) {
	testkit.Full(t)
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(func(in *mission.CreateInput) {
			evergreenFor(14, mission.Mastodon)(in)
			in.Constraints.Evergreen = nil
		})
		w.Pass(12*24*time.Hour + time.Hour)
		if all := repeats(w, m.ID); len(all) > 0 {
			t.Errorf("%d posts repeat one", len(all))
		}
		in := mission.UpdateInput{}
		in.Constraints.Evergreen = mission.Some(mission.EvergreenInput{CooldownDays: new(7), Rewrite: new(mission.RewriteAlways)})
		w.Must(of(w.Missions.UpdateMission(context.Background(), w.Tenant, m.ID, in)))
		w.Over(m.ID)
		all := repeats(w, m.ID)
		if len(all) == 0 {
			t.Error("no post repeats one")
		}
		for _, c := range all {
			if c.Text == w.Content(c.Repeats).Text {
				t.Errorf("%q isn't rewritten", c.Text)
			}
		}
	})
}

// What breaks today's rules isn't repeated: neither when the plan is made, nor when the rules change
// after it; its slot has another post then. A repeat is reviewed like every post.
func TestRepeatsKeepTheRules(t *testing.T) {
	testkit.Full(t)
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(evergreenFor(16, mission.Mastodon))
		w.Pass(12 * 24 * time.Hour)
		before := len(repeats(w, m.ID))
		if before == 0 {
			t.Fatal("no post repeats one")
		}
		in := mission.UpdateInput{}
		in.Constraints.RequireApproval = mission.Some(true)
		w.Must(of(w.Missions.UpdateMission(ctx, w.Tenant, m.ID, in)))
		w.Pass(24 * time.Hour)
		waiting := 0
		for _, c := range w.Posts(m.ID) {
			if c.Repeats == "" || c.Status != mission.ContentPendingReview {
				continue
			}
			waiting++
			why, err := w.Missions.ContentWhy(ctx, w.Tenant, c.ID)
			if w.Must(err); why.Reasons[0].Code != mission.ReasonReview || why.Reasons[len(why.Reasons)-1].Code != mission.ReasonRepeats {
				t.Errorf("got %+v", why)
			}
			fresh, err := w.Missions.RegenerateContent(ctx, w.Tenant, c.ID, "", nil)
			if w.Must(err); fresh.Text == c.Text || fresh.Repeats != c.Repeats {
				t.Errorf("%+v is regenerated as %+v", c, fresh)
			}
		}
		if waiting == 0 {
			t.Error("no repeat waits for review")
		}
		in = mission.UpdateInput{}
		in.Constraints.ExcludedTopics = []string{"Show what we make"}
		w.Must(of(w.Missions.UpdateMission(ctx, w.Tenant, m.ID, in)))
		in = mission.UpdateInput{}
		in.Objectives = []string{"Tell how we work"}
		w.Must(of(w.Missions.UpdateMission(ctx, w.Tenant, m.ID, in)))
		known := len(w.Posts(m.ID))
		w.Pass(24 * time.Hour)
		if posts := w.Posts(m.ID); len(posts) != known+6 {
			t.Errorf("%d posts are made, want 6", len(posts)-known)
		} else {
			for _, c := range posts[known:] {
				if c.Repeats != "" {
					t.Errorf("%+v repeats a post that mentions an excluded topic", c)
				}
			}
		}
	})
}

// A repeat that a plan has is replaced by another post if its brand has banned a word of it by the time
// that it is its turn.
func TestARepeatThatIsBannedMeanwhile(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(evergreenFor(14, mission.Mastodon))
		w.Pass(10 * 24 * time.Hour)
		banned, at := "", mission.Slot{}
		w.Writer = &paidPen{PlainWriter: world.PlainWriter{Fail: func(a mission.Assignment) error {
			j := w.Job(w.Mission(m.ID))
			i := slices.IndexFunc(j.Plan.Slots, func(s mission.Slot) bool { return s.Repeats != "" && s.Position > a.Slot.Position })
			if banned != "" || i < 0 {
				return nil
			}
			at = j.Plan.Slots[i]
			words := strings.Fields(w.Content(at.Repeats).Text)
			banned = words[len(words)-1]
			rule(w, mission.BrandInput{BannedWords: []string{banned}})
			return nil
		}}}
		w.Pass(3 * 24 * time.Hour)
		if banned == "" {
			t.Fatal("no plan has a repeat after another post")
		}
		posts, err := w.DB.Contents(ctx, w.Tenant.TenantID, store.ContentFilter{MissionID: m.ID}, store.Page{Limit: 1000})
		w.Must(err)
		i := slices.IndexFunc(posts.List, func(c mission.Content) bool { return c.ScheduledAt.Equal(at.At) })
		if i < 0 || posts.List[i].Repeats != "" || posts.List[i].Angle != at.Angle || strings.Contains(posts.List[i].Text, banned) {
			t.Errorf("the slot %+v has %+v", at, posts.List)
		}
	})
}
