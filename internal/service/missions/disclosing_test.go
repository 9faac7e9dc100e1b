package missions_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/internal/textlimit"
	"missiond/mission"
	"missiond/store"
)

// filling is a writer whose texts are as long as it may make them. It records what it may not
// repeat.
type filling struct {
	world.PlainWriter

	mu   sync.Mutex
	used mission.TextSet
}

func (w *filling) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	w.mu.Lock()
	w.used = a.UsedTexts
	w.mu.Unlock()
	d, err := w.PlainWriter.Write(ctx, a)
	caps, _ := a.Capabilities()
	fill := func(text string) string {
		return text + strings.Repeat("x", caps.MaxLength-textlimit.Length(caps, text))
	}
	d.Text = fill(d.Text)
	for i, part := range d.Parts {
		d.Parts[i] = fill(part)
	}
	if len(d.Parts) > 0 {
		d.Text = strings.Join(d.Parts, "\n\n")
	}
	return d, err
}

const robot = "Our robot wrote this."

func withLine(in *mission.CreateInput) {
	in.Disclosure = &mission.DisclosureInput{AIText: new(mission.AITextLine), LineText: new(robot)}
}

func texts(c mission.Content) []string { return append(slices.Clone(c.Parts), c.Text) }

// What a writer wrote ends with the line, within its platform's limits, and stays so when a person
// edits it; what a person wrote alone doesn't.
func TestLineOfDisclosure(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		writer := &filling{}
		w.Writer = writer
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			withLine(in)
			in.Platforms, in.Constraints.PostsPerDay = []mission.Platform{mission.Twitter, mission.Bluesky}, new(8)
		})
		w.Step()
		threads := 0
		posts := w.Posts(m.ID)
		for _, c := range posts {
			last := c.Texts()[len(c.Texts())-1]
			caps, _ := mission.CapabilitiesOf(c.Platform)
			if !strings.HasSuffix(last, "x\n\n"+robot) || !strings.HasSuffix(c.Text, last) || strings.Count(c.Text, robot) != 1 {
				t.Errorf("%s has %q", c.Platform, c.Texts())
			}
			if n := textlimit.Length(caps, last); n != caps.MaxLength || textlimit.Check(caps, mission.Draft{Format: c.Format, Text: c.Text, Parts: c.Parts}) != nil {
				t.Errorf("%s: a text of %d", c.Platform, n)
			}
			if line := c.Disclosure().Line; line == nil || *line != robot {
				t.Errorf("it discloses %v", line)
			}
			if c.Format == mission.FormatThread {
				threads++
			}
		}
		if threads == 0 || threads == len(posts) {
			t.Fatalf("got %d threads of %d posts", threads, len(posts))
		}

		edit := func(c mission.Content, in missions.EditInput) (mission.Content, error) {
			return w.Missions.EditContent(t.Context(), w.Tenant, c.ID, in)
		}
		c := posts[slices.IndexFunc(posts, func(c mission.Content) bool { return c.Format == mission.FormatPost })]
		edited, err := edit(c, missions.EditInput{Text: new("By a person, or nearly.")})
		w.Must(err)
		if want := "By a person, or nearly.\n\n" + robot; edited.Text != want || edited.Disclosed.Line != robot {
			t.Errorf("got %q", edited.Text)
		}
		edited, err = edit(c, missions.EditInput{Text: new(robot + " And a person.")})
		w.Must(err)
		const told = robot + " And a person.\n\n" + robot // what it begins with is no end
		if edited.Text != told {
			t.Errorf("got %q", edited.Text)
		}
		edited, err = edit(c, missions.EditInput{FirstComment: mission.Some("Alone.")})
		w.Must(err)
		if edited.Text != told || edited.Disclosed.Line != robot {
			t.Errorf("got %q", edited.Text)
		}
		caps, _ := mission.CapabilitiesOf(c.Platform)
		_, err = edit(c, missions.EditInput{Text: new(strings.Repeat("y", caps.MaxLength-len(robot)-1))})
		world.WantCode(t, err, mission.CodeInvalidRequest)
		again, err := w.Missions.RegenerateContent(t.Context(), w.Tenant, c.ID, "", nil)
		w.Must(err)
		if !strings.HasSuffix(again.Text, "x\n\n"+robot) || again.Disclosed.Line != robot {
			t.Errorf("got %q", again.Text)
		}
		for text := range writer.used {
			if strings.Contains(text, strings.ToLower(robot)) && !strings.HasPrefix(text, strings.ToLower(robot)) {
				t.Errorf("the writer is told of the line in %q", text)
			}
		}

		own, err := w.Missions.CreateContent(t.Context(), w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: mission.Twitter, Text: new("A person's.")})
		w.Must(err)
		own, err = edit(own, missions.EditInput{Text: new("Still a person's.")})
		w.Must(err)
		if own.Text != "Still a person's." || own.Disclosure().Line != nil {
			t.Errorf("got %q", texts(own))
		}

		_, err = w.Missions.UpdateMission(t.Context(), w.Tenant, m.ID, mission.UpdateInput{Disclosure: mission.DisclosureUpdate{AIText: mission.Some(mission.AITextNone)}})
		w.Must(err)
		edited, err = edit(c, missions.EditInput{Text: new("No line any more.")})
		w.Must(err)
		if edited.Text != "No line any more." || edited.Disclosure().Line != nil {
			t.Errorf("got %q", edited.Text)
		}
	})
}

// A text that has the line within a word or a sentence, or in an earlier part, ends with it all the same,
// and what the post and its record say is what the text has.
func TestLineThatTheTextContains(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Disclosure = &mission.DisclosureInput{AIText: new(mission.AITextLine), LineText: new("KI")}
			in.Objectives = []string{"Visit the KIOSK for bread"}
			in.Platforms, in.Constraints.PostsPerDay = []mission.Platform{mission.Twitter}, new(4)
		})
		w.Step()
		posts := w.Posts(m.ID)
		for _, c := range posts {
			if last := c.Texts()[len(c.Texts())-1]; !strings.HasSuffix(last, "\n\nKI") || !strings.HasSuffix(c.Text, last) {
				t.Errorf("the writer's post is %q", texts(c))
			}
		}
		id := posts[0].ID
		for _, tt := range []struct {
			in         missions.EditInput
			last, line string
		}{
			{missions.EditInput{Text: new("The KIOSK is open.")}, "The KIOSK is open.\n\nKI", "KI"},
			{missions.EditInput{Text: new("We use no KI, we promise.")}, "We use no KI, we promise.\n\nKI", "KI"},
			{missions.EditInput{Text: new("Open again.\n\nki.")}, "Open again.\n\nki.", "ki."},
			{missions.EditInput{Parts: []string{"KI", "Open again."}}, "Open again.\n\nKI", "KI"},
			{missions.EditInput{Parts: []string{"Open again.", "K\u0049"}}, "KI", "KI"},
		} {
			c, err := w.Missions.EditContent(t.Context(), w.Tenant, id, tt.in)
			w.Must(err)
			record, err := w.Missions.Record(t.Context(), w.Tenant, id)
			w.Must(err)
			said := record.Revisions[len(record.Revisions)-1].Disclosure.Line
			if last := c.Texts()[len(c.Texts())-1]; last != tt.last || c.Disclosure().Line == nil || *c.Disclosure().Line != tt.line || said == nil || *said != tt.line {
				t.Errorf("got %q, the post says %v, the record %v", last, c.Disclosure().Line, said)
			}
		}
	})
}

// What a revision discloses is decided when it is written, by its files as they were then, and is
// what its platform is told.
func TestLabelsAreDecidedAtTheEdit(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		red := addPicture(w, "A red bicycle")
		m := w.Create(func(in *mission.CreateInput) {
			world.OneDay(in)
			in.Platforms, in.Disclosure = []mission.Platform{mission.Twitter}, &mission.DisclosureInput{PaidPartnership: new(true)}
		})
		post := func(text string) mission.Content {
			c, err := w.Missions.CreateContent(t.Context(), w.Tenant, missions.ContentInput{
				MissionID: m.ID, Platform: mission.Twitter, Text: &text, Media: []mission.MediaChoice{{MediaID: red.ID}},
			})
			w.Must(err)
			return c
		}
		plain := post("Before it is declared.")
		declare(w, red.ID)
		made := post("After it was declared.")
		_, err := w.Missions.UpdateMission(t.Context(), w.Tenant, m.ID, mission.UpdateInput{Disclosure: mission.DisclosureUpdate{PaidPartnership: mission.Some(false)}})
		w.Must(err)
		later := post("Not paid for.")
		for id, want := range map[string]mission.Labels{
			plain.ID: {PaidPartnership: true}, made.ID: {MadeWithAI: true, PaidPartnership: true}, later.ID: {MadeWithAI: true},
		} {
			c := w.Content(id)
			if got := c.NextPart().Labels; got != want {
				t.Errorf("%q: got %+v, want %+v", c.Text, got, want)
			}
			if got := c.Disclosure(); got.MadeWithAI != want.MadeWithAI || got.PaidPartnership != want.PaidPartnership || got.Line != nil {
				t.Errorf("%q discloses %+v", c.Text, got)
			}
		}
	})
}

// declare says of a file that a model made it.
func declare(w *world.World, id string) {
	w.T.Helper()
	w.Must(w.DB.Tx(context.Background(), func(tx store.Tx) error {
		before, err := tx.LockMedia(context.Background(), w.Tenant.TenantID, id)
		if err != nil {
			return err
		}
		after := before
		after.Provenance.AI = mission.AIDeclared
		return tx.SetMedia(context.Background(), before, after)
	}))
}
