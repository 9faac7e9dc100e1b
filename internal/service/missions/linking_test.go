package missions_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// linking makes a mission on Bluesky whose links get a parameter and are tracked.
func linking(in *mission.CreateInput) {
	world.OneDay(in)
	in.Platforms, in.Constraints.PostingTimes = []mission.Platform{mission.Bluesky}, []string{"20:00"}
	in.Links = &mission.LinksInput{UTM: &mission.UTMInput{Campaign: new("{mission}"), Content: new("{content_id}")}, Track: in.Platforms}
}

// compose makes a person's post that goes out at once.
func compose(w *world.World, m mission.Mission, text, comment string) mission.Content {
	w.T.Helper()
	in := missions.ContentInput{MissionID: m.ID, Platform: m.Platforms[0], Text: &text, ScheduledAt: new(w.Clock.Now().Add(time.Hour))}
	if comment != "" {
		in.FirstComment = &comment
	}
	c, err := w.Missions.CreateContent(w.T.Context(), w.Tenant, in)
	w.Must(err)
	return c
}

// sandboxTexts returns what the sandbox has of a post, part by part, with its first comment.
func sandboxTexts(w *world.World, c mission.Content) (texts []string) {
	w.T.Helper()
	posts, err := w.DB.SandboxPosts(context.Background(), c.MissionID)
	w.Must(err)
	slices.SortFunc(posts, func(a, b store.SandboxPost) int { return a.Part - b.Part })
	for _, p := range posts {
		if p.ContentID == c.ID {
			texts = append(texts, p.Body)
		}
	}
	return texts
}

// What goes out has tracked links, the text stays as it was written, and the record says both.
func TestTrackedLinksGoOut(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(linking)
		c := compose(w, m, "New: https://acme.com/2.0?a=b#top and https://acme.com.", "More: https://acme.com/2.0?a=b#top")
		sent := c.SentTexts()[0]
		if targets, err := w.DB.LinkTargets(t.Context(), []string{c.TrackedLinks()[0].Code}, w.Clock.Now()); err != nil || len(targets) != 0 {
			t.Errorf("a link that wasn't sent leads to %v, %v", targets, err)
		}
		w.Until("the comment is out", func() bool { n := w.Content(c.ID).Comment; return n.Status == mission.CommentPublished })
		out := w.Content(c.ID)
		links := out.TrackedLinks()
		if len(links) != 2 || out.Text != c.Text {
			t.Fatalf("the post has %+v, and says %q", links, out.Text)
		}
		want := []string{"New: https://go.acme.com/l/" + links[0].Code + " and https://go.acme.com/l/" + links[1].Code + ".", "More: https://go.acme.com/l/" + links[0].Code}
		if got := sandboxTexts(w, out); !slices.Equal(got, want) || sent != want[0] {
			t.Errorf("%q went out, want %q", got, want)
		}
		targets, err := w.DB.LinkTargets(t.Context(), []string{links[0].Code, links[1].Code, "aaaaaaaaaaaaaaaa"}, w.Clock.Now())
		w.Must(err)
		query := "utm_campaign=test-mission&utm_content=" + c.ID
		if len(targets) != 2 || targets[links[0].Code] != "https://acme.com/2.0?a=b&"+query+"#top" || targets[links[1].Code] != "https://acme.com?"+query {
			t.Errorf("the links lead to %v", targets)
		}
		r, err := w.Missions.Record(t.Context(), w.Tenant, c.ID)
		w.Must(err)
		if r.Publications[0].Text != want[0] || r.Revisions[0].Text != c.Text {
			t.Errorf("the record has %+v", r)
		}
		w.Pass(mission.FirstMeasure)
		if r, err = w.Missions.Record(t.Context(), w.Tenant, c.ID); err != nil || r.Readback.State != mission.ReadbackAsApproved {
			t.Errorf("its platform shows %+v, %v", r.Readback, err)
		}
	})
}

// What is sent again is the very same, whatever the mission says by then; what is written next isn't.
func TestLinksAreDecidedWithTheText(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(linking)
		c := compose(w, m, "New: https://acme.com/2.0", "")
		_, err := w.Missions.UpdateMission(t.Context(), w.Tenant, m.ID, mission.UpdateInput{Links: mission.LinksUpdate{Track: []mission.Platform{}, Campaign: mission.Some("other"), Content: mission.Optional[string]{Given: true}}})
		w.Must(err)
		taken := claim(w, runUntil(w, mission.TaskContentPublish, c.ID))
		call, err := w.Parts.Pipeline.OpenPost(t.Context(), taken)
		w.Must(err)
		again, err := w.Parts.Pipeline.OpenPost(t.Context(), taken) // the call was never answered
		w.Must(err)
		first, second := call.Content.NextPart().Text, again.Content.NextPart().Text
		if !again.LookUp || first != second || !strings.HasPrefix(first, "New: https://go.acme.com/l/") {
			t.Errorf("%q was sent, and is looked up as %q", first, second)
		}
		next := compose(w, m, "New: https://acme.com/2.0", "")
		if sent := next.SentTexts()[0]; sent != "New: https://acme.com/2.0?utm_campaign=other" || len(next.TrackedLinks()) != 0 {
			t.Errorf("the next post goes out as %q", sent)
		}
		setText(w, next.ID, "Again: https://acme.com/3.0")
		if sent := w.Content(next.ID).SentTexts()[0]; sent != "Again: https://acme.com/3.0?utm_campaign=other" {
			t.Errorf("the edited post goes out as %q", sent)
		}
	})
}

// A text counts as it goes out: by its tracked links, or with its parameters.
func TestLinkLengthsAreChecked(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		long := "See https://acme.com/" + strings.Repeat("a", 300)
		w.Tenant.UserID = ""
		for track, fits := range map[bool]bool{true: true, false: false} {
			m := w.Create(func(in *mission.CreateInput) {
				linking(in)
				if !track {
					in.Links.Track = nil
				}
			})
			_, err := w.Missions.CreateContent(t.Context(), w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: mission.Bluesky, Text: &long})
			if (err == nil) != fits {
				t.Errorf("tracked: %v, got %v", track, err)
			}
		}
		m := w.Create(func(in *mission.CreateInput) { linking(in); in.Links.Track = nil })
		text := strings.Repeat("a", 250) + " https://acme.com"
		c := compose(w, m, "Short", "")
		_, err := w.Missions.EditContent(t.Context(), w.Tenant, c.ID, missions.EditInput{Text: &text})
		if mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("an edit whose parameters are too long: %v", err)
		}
	})
}

// The writer's posts have tracked links too, and a rewritten one has new ones.
func TestWritersLinks(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		site := "https://acme.com" // a writer's post links to nothing else
		_, err := w.Parts.Accounts.UpdateTenant(t.Context(), w.Tenant, mission.TenantInput{Brand: &mission.BrandInput{Website: &site}})
		w.Must(err)
		m := w.Create(func(in *mission.CreateInput) {
			linking(in)
			world.NeedsApproval(in)
			in.Objectives = []string{"Show https://acme.com/2.0"}
		})
		w.Step()
		c := w.Posts(m.ID)[0]
		links := c.TrackedLinks()
		if len(links) != 1 || !strings.HasSuffix(links[0].Target, "utm_content="+c.ID) {
			t.Fatalf("the writer's post %q has %+v", c.Text, links)
		}
		c, err = w.Missions.RegenerateContent(t.Context(), w.Tenant, c.ID, "", nil)
		w.Must(err)
		if again := c.TrackedLinks(); len(again) != 1 || again[0].Code == links[0].Code || again[0].Target != links[0].Target {
			t.Errorf("rewritten it has %+v, before %+v", again, links)
		}
	})
}

// Clicks are the metric of posts whose platform reports none, and the KPI's; where it reports them
// both are known. Links lead on for 400 days when their mission is deleted.
func TestClicksAreMeasured(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(func(in *mission.CreateInput) {
			linking(in)
			in.Platforms = []mission.Platform{mission.Bluesky, mission.LinkedIn}
			in.Links.Track = in.Platforms
			in.KPIs = []mission.KPIInput{{Metric: mission.LinkClicks, Target: new(5.0), Platform: new(mission.Bluesky)}}
		})
		c := compose(w, m, "New: https://acme.com/2.0 and https://acme.com/2.0", "")
		w.Until("it is out", func() bool { return w.Content(c.ID).Status == mission.ContentPublished })
		code, day := w.Content(c.ID).TrackedLinks()[0].Code, w.Clock.Now().Format(time.DateOnly)
		add := func(uses ...store.LinkUse) {
			w.Must(w.DB.Tx(t.Context(), func(tx store.Tx) error { return tx.AddLinkClicks(t.Context(), uses) }))
		}
		add(store.LinkUse{Code: code, Day: day, Clicks: 4}, store.LinkUse{Code: "aaaaaaaaaaaaaaaa", Day: day, Clicks: 9})
		add(store.LinkUse{Code: code, Day: day, Clicks: 2}, store.LinkUse{Code: code, Day: "2040-01-01", Clicks: 1})
		links, err := w.Missions.LinksOf(t.Context(), w.Tenant, []mission.Content{w.Content(c.ID)})
		w.Must(err)
		if l := links[c.ID]; len(l) != 1 || l[0].URL != "https://acme.com/2.0" || *l[0].Clicks != 7 {
			t.Errorf("the post has the links %+v", l)
		}
		w.Pass(time.Hour)
		if got := w.Content(c.ID).Metrics[mission.LinkClicks]; got != 7 {
			t.Errorf("the post was measured with %v clicks", got)
		}
		k := w.Mission(m.ID).KPIProgress(w.Clock.Now())[0]
		if k.Current == nil || *k.Current != 7 || !slices.Equal(k.ReportedBy, []mission.Platform{mission.Bluesky}) || !slices.Contains(w.Events(m.ID), mission.EventKPIAchieved) {
			t.Errorf("the KPI is %+v", k)
		}
		w.Over(m.ID)
		w.Must(w.Missions.DeleteMission(t.Context(), w.Tenant, m.ID))
		for _, tt := range []struct {
			after time.Duration
			leads bool
		}{{0, true}, {mission.RecordLife - time.Second, true}, {mission.RecordLife, false}} {
			targets, err := w.DB.LinkTargets(t.Context(), []string{code}, w.Clock.Now().Add(tt.after))
			if w.Must(err); (len(targets) == 1) != tt.leads {
				t.Errorf("%s after its mission was deleted the link leads to %v", tt.after, targets)
			}
		}
		w.Must(w.DB.Tx(t.Context(), func(tx store.Tx) error {
			_, err := tx.DropTrackedLinks(t.Context(), w.Clock.Now().Add(mission.RecordLife), 100)
			return err
		}))
		if left, err := w.DB.LinkClicks(t.Context(), w.Tenant.TenantID, []string{c.ID}); err != nil || len(left) != 0 {
			t.Errorf("the clicks of an expired link are left: %v, %v", left, err)
		}
	})
}
