package missions_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// wrongParam returns the field that an error names; "" if it is no invalid request.
func wrongParam(err error) string {
	var wrong *mission.Error
	if !errors.As(err, &wrong) || wrong.Code != mission.CodeInvalidRequest {
		return ""
	}
	return wrong.Param
}

// rule sets what the brand of the world's tenant has.
func rule(w *world.World, in mission.BrandInput) {
	w.T.Helper()
	_, err := w.Parts.Accounts.UpdateTenant(context.Background(), w.Tenant, mission.TenantInput{Brand: &in})
	w.Must(err)
}

// A banned word holds at once for everybody, as an excluded topic does.
func TestBannedWordsHoldAtOnce(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(fourADay)
		w.Step()
		c := w.Posts(m.ID)[1]
		setText(w, c.ID, "All about synergies.")
		rule(w, mission.BrandInput{BannedWords: []string{"synergy"}})
		w.Step()
		held := w.Content(c.ID)
		if held.Status != mission.ContentPendingReview || held.Verdict.Passed() || held.Verdict.Failure().Code != mission.CodeBannedWord {
			t.Errorf("got the post %s, %+v", held.Status, held.Verdict)
		}
		if _, err := w.Missions.ApproveContent(ctx, w.Tenant, c.ID, nil); mission.CodeOf(err) != mission.CodeConflict || !strings.Contains(err.Error(), "synergy") {
			t.Errorf("it is approved: %v", err)
		}
		why, err := w.Missions.ContentWhy(ctx, w.Tenant, c.ID)
		w.Must(err)
		if !slices.ContainsFunc(why.Reasons, func(r mission.Reason) bool {
			return r.Code == mission.ReasonExcluded && strings.Contains(r.Message, "synergy")
		}) {
			t.Errorf("the reasons are %+v", why.Reasons)
		}
		text := "Our #Synergy."
		if _, err := w.Missions.EditContent(ctx, w.Tenant, c.ID, missions.EditInput{Text: &text}); wrongParam(err) != "text" {
			t.Errorf("it is edited: %v", err)
		}
		if _, err := w.Missions.CreateContent(ctx, w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: m.Platforms[0], Text: &text}); wrongParam(err) != "text" {
			t.Errorf("a person's post is made: %v", err)
		}
		rule(w, mission.BrandInput{BannedWords: []string{}})
		w.Step()
		if v := w.Content(c.ID).Verdict; !v.Passed() {
			t.Errorf("without the word got %+v", v)
		}
	})
}

// citing cites all facts that it is given.
type citing struct {
	world.PlainWriter

	given *[]int
}

func (c citing) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	*c.given = append(*c.given, len(a.Holding()))
	d, err := c.PlainWriter.Write(ctx, a)
	for _, f := range a.Holding() {
		d.Facts = append(d.Facts, f.Cited())
	}
	return d, err
}

// A post rests on facts that hold in its slot, and isn't published if it was moved behind their end, or
// if they are removed.
func TestFactsExpire(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		var given []int
		w.Writer = citing{given: &given}
		expired, source := w.Clock.Now().Add(7*time.Hour), "https://press.example/study"
		past := w.Clock.Now().Add(-time.Hour)
		short, long := mission.Fact{Text: "It is the newest.", ExpiresAt: &expired}, mission.Fact{Text: "It is round.", Source: &source}
		rule(w, mission.BrandInput{Facts: []mission.Fact{short, long, {Text: "It was new.", ExpiresAt: &past}}})
		m := w.Create(fourADay)
		w.Step()
		posts := w.Posts(m.ID)
		if !slices.Equal(given, []int{2, 2, 1, 1}) || len(posts[1].Facts) != 2 || *posts[1].Facts[1].Source != source {
			t.Fatalf("the writer was given %v facts, and the post has %+v", given, posts[1].Facts)
		}
		if c := w.Content(posts[0].ID); c.Status != mission.ContentPublished {
			t.Errorf("before the fact expires got the post %s", c.Status)
		}
		_, err := w.Missions.RescheduleContent(ctx, w.Tenant, posts[1].ID, w.Clock.Now().Add(8*time.Hour))
		w.Must(err)
		w.Clock.Advance(8 * time.Hour)
		w.Step()
		held := w.Content(posts[1].ID)
		if held.Status != mission.ContentPendingReview || held.Verdict.Failure().Code != mission.CodeFactExpired {
			t.Errorf("with an expired fact got the post %s, %+v", held.Status, held.Verdict)
		}
		text := "A round thing for everyone."
		edited, err := w.Missions.EditContent(ctx, w.Tenant, held.ID, missions.EditInput{Text: &text})
		w.Must(err)
		if len(edited.Facts) != 1 || edited.Facts[0].Text != long.Text || !edited.Verdict.Passed() {
			t.Errorf("edited, it rests on %+v: %+v", edited.Facts, edited.Verdict)
		}
		revisions, err := w.Missions.Revisions(ctx, w.Tenant, held.ID, store.TextPage{})
		w.Must(err)
		if len(revisions) != 2 || len(revisions[1].Facts) != 2 {
			t.Errorf("the revisions are %+v", revisions)
		}
		rule(w, mission.BrandInput{Facts: []mission.Fact{}})
		w.Step()
		if c := w.Content(posts[3].ID); c.Status != mission.ContentPendingReview || c.Verdict.Failure().Code != mission.CodeFactExpired {
			t.Errorf("without the fact got the post %s, %+v", c.Status, c.Verdict)
		}
	})
}

// boastful writes a price that stands nowhere, for some positions.
type boastful struct {
	world.PlainWriter

	at []int
}

func (b boastful) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := b.PlainWriter.Write(ctx, a)
	if slices.Contains(b.at, a.Slot.Position) {
		d.Text += " Now at 20 % off."
	}
	return d, err
}

// A post whose text breaks a rule is left out: its slot stays empty, the cycle says why, and goes on,
// also without any post.
func TestPostsThatBreakARuleAreLeftOut(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		for _, out := range [][]int{{0, 2}, {0, 1, 2, 3}} {
			w.Writer = boastful{at: out}
			m := w.Create(fourADay)
			w.Step()
			m = w.Mission(m.ID)
			_, stage := contentStage(w, m)
			if m.Status != mission.StatusActive || m.Counts.Generated != 4-len(out) {
				t.Errorf("got the mission %s with %d posts", m.Status, m.Counts.Generated)
			}
			if stage.Status != mission.RunCompleted || stage.Error == nil || stage.Error.Code != mission.CodeWriterBrokeRule || !strings.Contains(stage.Error.Message, "prices") {
				t.Errorf("got the stage %+v, %+v", stage, stage.Error)
			}
			w.Over(m.ID)
			if n := len(w.Published(m.ID)); n != 4-len(out) || w.Mission(m.ID).Status != mission.StatusCompleted {
				t.Errorf("%d posts were published of a mission that is %s", n, w.Mission(m.ID).Status)
			}
		}
	})
}

// People are told what breaks a rule that binds writers alone, and go on.
func TestPeopleAreTold(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		ctx := context.Background()
		m := w.Create(fourADay)
		w.Step()
		text := "All of this at 20 % off, for everyone who comes by on Saturday: https://elsewhere.example"
		c, err := w.Missions.CreateContent(ctx, w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: m.Platforms[0], Text: &text})
		w.Must(err)
		broken := func(c mission.Content) (rules []mission.Rule) {
			for _, check := range c.Verdict.Checks {
				if !check.Passed {
					rules = append(rules, check.Rule)
				}
			}
			return rules
		}
		want := []mission.Rule{mission.RuleLinks, mission.RulePrices}
		if c.Status != mission.ContentScheduled || !slices.Equal(broken(c), want) || len(c.Verdict.Checks) != len(mission.AllRules()) || !c.Verdict.Passed() {
			t.Errorf("the post is %s: %+v", c.Status, c.Verdict)
		}
		again := text + " Bring your friends."
		c, err = w.Missions.EditContent(ctx, w.Tenant, c.ID, missions.EditInput{Text: &again})
		w.Must(err)
		if c.Status != mission.ContentScheduled || !slices.Equal(broken(c), want) {
			t.Errorf("edited, the post is %s: %+v", c.Status, c.Verdict)
		}
		other := text + " Bring your dogs."
		c, err = w.Missions.CreateContent(ctx, w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: m.Platforms[0], Text: &other})
		w.Must(err)
		if !slices.Contains(broken(c), mission.RuleLikeness) {
			t.Errorf("a post like another got %+v", c.Verdict)
		}
	})
}
