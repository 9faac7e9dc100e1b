package mission

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestEvergreenIsChecked(t *testing.T) {
	for name, test := range map[string]struct {
		in    *EvergreenInput
		param string
	}{
		"off":                  {nil, ""},
		"the defaults":         {&EvergreenInput{}, ""},
		"the least":            {&EvergreenInput{CooldownDays: new(7), Share: new(1)}, ""},
		"the most":             {&EvergreenInput{CooldownDays: new(365), Share: new(50), Rewrite: new(RewriteAlways)}, ""},
		"too short":            {&EvergreenInput{CooldownDays: new(6)}, "cooldown_days"},
		"too long":             {&EvergreenInput{CooldownDays: new(366)}, "cooldown_days"},
		"no share":             {&EvergreenInput{Share: new(0)}, "share"},
		"too many":             {&EvergreenInput{Share: new(51)}, "share"},
		"an unknown rewriting": {&EvergreenInput{Rewrite: new(Rewriting("never"))}, "rewrite"},
	} {
		t.Run(name, func(t *testing.T) {
			in := UpdateInput{}
			in.Constraints.Evergreen = Optional[EvergreenInput]{Given: true, Value: test.in}
			got, err := "", in.Check()
			if e := new(Error); errors.As(err, &e) {
				got = e.Param
			}
			if want := test.param; want != "" && got != "constraints.evergreen."+want || want == "" && err != nil {
				t.Errorf("got a problem with %q: %v", got, err)
			}
		})
	}
}

// A mission's evergreen is filled with the defaults, kept by an update that doesn't name it, copied
// and removed.
func TestEvergreenOfAMission(t *testing.T) {
	in := CreateInput{
		Name: "x", Objectives: []string{"x"}, Platforms: []Platform{Mastodon}, DurationDays: new(1),
		Constraints: &ConstraintsInput{Evergreen: &EvergreenInput{Share: new(5)}},
	}
	m, _, err := New("msn_1", "tnt_1", in, time.Unix(1e9, 0))
	if err != nil || *m.Constraints.Evergreen != (Evergreen{60, 5, RewriteWhereRefused}) {
		t.Fatalf("got %+v, %v", m.Constraints.Evergreen, err)
	}
	update := UpdateInput{Name: Some("y")}
	if c, err := m.Update(update, time.Unix(1e9, 0)); err != nil || *c.To.Constraints.Evergreen != *m.Constraints.Evergreen {
		t.Errorf("an update of the name leaves %+v, %v", c.To.Constraints.Evergreen, err)
	}
	if e := m.Copy().Constraints.Evergreen.withDefaults(); *e != *m.Constraints.Evergreen {
		t.Errorf("the copy has %+v", e)
	}
	update.Constraints.Evergreen.Given = true
	if c, err := m.Update(update, time.Unix(1e9, 0)); err != nil || c.To.Constraints.Evergreen != nil {
		t.Errorf("null leaves %+v, %v", c.To.Constraints.Evergreen, err)
	}
}

// Never more than the share of a cycle's slots, rounded up, repeat a post, of a round of cycles
// exactly the share, and of any number of cycles one more at most in each of the rounds' halves; none if
// it is off.
func TestRepeatsKeepTheShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &Evergreen{CooldownDays: 7, Share: rapid.IntRange(1, MaxRepeatShare).Draw(t, "share")}
		slots, sum := rapid.IntRange(1, MaxPostsPerDay).Draw(t, "slots"), 0
		const cycles = 400 // whole rounds, whatever the share
		for cycle := range cycles {
			n := e.Repeats(cycle, slots)
			if n < 0 || n*whole >= slots*e.Share+whole {
				t.Fatalf("%d of %d slots of cycle %d repeat a post, at a share of %d", n, slots, cycle, e.Share)
			}
			if sum += n; sum*whole > (cycle+1)*slots*e.Share+2*whole {
				t.Fatalf("%d of the slots of %d cycles of %d repeat a post, at a share of %d", sum, cycle+1, slots, e.Share)
			}
		}
		if sum*whole != cycles*slots*e.Share {
			t.Fatalf("%d of %d slots repeat a post, at a share of %d", sum, cycles*slots, e.Share)
		}
		if n := (*Evergreen)(nil).Repeats(sum, slots); n != 0 {
			t.Fatalf("%d slots repeat a post", n)
		}
	})
}

// A cycle with one slot is in turn one with a repeat and one without, so that two destinations that take
// the cycles in turn both have repeats.
func TestRepeatsChangeTheirTurn(t *testing.T) {
	e, of := &Evergreen{Share: 50}, [2]int{}
	for cycle := range 40 {
		of[cycle%2] += e.Repeats(cycle, 1)
	}
	if of != [2]int{10, 10} {
		t.Errorf("the destinations have %v repeats", of)
	}
}

func TestMayRepeat(t *testing.T) {
	published := time.Unix(1e9, 0)
	at := published.Add(10 * day)
	german := "de"
	for name, test := range map[string]struct {
		change func(b *Brief, o *Original)
		want   bool
	}{
		"allowed":             {func(*Brief, *Original) {}, true},
		"off":                 {func(b *Brief, _ *Original) { b.Constraints.Evergreen = nil }, false},
		"failed":              {func(_ *Brief, o *Original) { o.Content.Status = ContentFailed }, false},
		"a person's":          {func(_ *Brief, o *Original) { o.Content.Origin = OriginPerson }, false},
		"a repeat":            {func(_ *Brief, o *Original) { o.Content.Repeats = "cnt_2" }, false},
		"too fresh":           {func(b *Brief, _ *Original) { b.Constraints.Evergreen.CooldownDays = 11 }, false},
		"just rested":         {func(b *Brief, _ *Original) { b.Constraints.Evergreen.CooldownDays = 10 }, true},
		"repeated lately":     {func(_ *Brief, o *Original) { o.Repeated = new(at.Add(-7*day + 1)) }, false},
		"repeated long ago":   {func(_ *Brief, o *Original) { o.Repeated = new(at.Add(-7 * day)) }, true},
		"an event":            {func(_ *Brief, o *Original) { o.Planned.Occasion = &Occasion{} }, false},
		"an objective of old": {func(b *Brief, _ *Original) { b.Objectives = []string{"b"} }, false},
		"an avoided angle":    {func(b *Brief, _ *Original) { b.Constraints.Guidance = &Guidance{AvoidAngles: []Angle{AngleTip}} }, false},
		"another language":    {func(b *Brief, _ *Original) { b.Constraints.Language = &german }, false},
		"changed there":       {func(_ *Brief, o *Original) { o.Content.Readback = &Readback{Differs: []ShownOther{{}}} }, false},
		"a first comment":     {func(_ *Brief, o *Original) { o.Content.Comment = NewComment("More.") }, true},
		"which is refused": {func(_ *Brief, o *Original) {
			o.Content.Comment, o.Content.Platform = NewComment("More."), Twitter
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := Brief{Objectives: []string{"a"}, Constraints: Constraints{Evergreen: &Evergreen{7, 20, RewriteWhereRefused}}}
			o := Original{
				Content: Content{ID: "cnt_1", Status: ContentPublished, Origin: OriginWriter, Platform: Mastodon, Angle: AngleTip, PublishedAt: &published},
				Planned: Slot{Objective: "a"},
			}
			test.change(&b, &o)
			if got := b.MayRepeat(o, at); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// An original's own words are its text without the line that it disclosed by.
func TestRepeatedDraft(t *testing.T) {
	c := Content{Format: FormatThread, Text: "One.\n\nTwo.\n\nBy AI", Parts: []string{"One.", "Two.\n\nBy AI"}, Disclosed: Disclosed{Line: "By AI"}}
	if d := c.RepeatedDraft(); d.Text != "One.\n\nTwo." || d.Parts[1] != "Two." || c.Parts[1] == "Two." {
		t.Errorf("got %+v of %+v", d, c)
	}
}
