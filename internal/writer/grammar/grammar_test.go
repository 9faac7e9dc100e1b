package grammar

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"missiond/internal/textlimit"
	"missiond/mission"
)

func assignment(change func(a *mission.Assignment)) mission.Assignment {
	a := mission.Assignment{
		Brief: mission.Brief{MissionName: "Spring", Brand: mission.Brand{Name: "Acme"}},
		Slot: mission.Slot{
			Platform: mission.Twitter, Format: mission.FormatPost, Angle: mission.AngleTip, Objective: "Increase brand awareness",
		},
		Revision: 1,
	}
	if change != nil {
		change(&a)
	}
	return a
}

func write(t testing.TB, a mission.Assignment) mission.Draft {
	t.Helper()
	d, err := New().Write(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Whatever a tenant states, a draft is within its platform's limits, valid
// text without leftovers of the grammar, and the same each time.
func TestDraftsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(mission.AllPlatforms()).Draw(t, "platform")
		caps, _ := mission.CapabilitiesOf(p)
		tone := rapid.SampledFrom([]string{"", "playful", "bold", "professional", "warm and friendly", "casual"}).Draw(t, "tone")
		a := assignment(func(a *mission.Assignment) {
			a.Slot.Platform, a.Slot.Format = p, rapid.SampledFrom(caps.Formats).Draw(t, "format")
			a.Slot.Angle = rapid.SampledFrom(append(mission.AllAngles(), "unheard of")).Draw(t, "angle")
			a.Slot.Objective = rapid.StringN(0, 500, -1).Draw(t, "objective")
			a.Brief.Constraints.Tone = &tone
			a.Brief.Brand = mission.Brand{Name: rapid.String().Draw(t, "brand"), Website: rapid.String().Draw(t, "website")}
			a.Instructions = rapid.SampledFrom([]string{"", "shorter", "no hashtags", "no emoji", "ask a question"}).Draw(t, "instructions")
			a.Seed, a.Revision = rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 9).Draw(t, "revision")
		})
		d, err := New().Write(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if err := textlimit.Check(caps, d); err != nil {
			t.Fatalf("%q: %v", d.Text, err)
		}
		if !utf8.ValidString(d.Text) || strings.Contains(d.Text, "{topic}") && !strings.Contains(a.Slot.Objective, "{topic}") {
			t.Fatalf("the text is %q", d.Text)
		}
		again, err := New().Write(context.Background(), a)
		if err != nil || again.Text != d.Text {
			t.Fatalf("the second time it is %q, %v", again.Text, err)
		}
	})
}

// Two hundred posts of a mission are nearly all different.
func TestPostsVary(t *testing.T) {
	for _, p := range mission.AllPlatforms() {
		seen := map[string]bool{}
		const posts = 200
		for i := range posts {
			seen[write(t, assignment(func(a *mission.Assignment) {
				a.Slot.Platform, a.Seed, a.Slot.Angle = p, uint64(i), mission.AllAngles()[i%6]
			})).Text] = true
		}
		if len(seen) < posts*95/100 {
			t.Errorf("on %s only %d of %d posts differ", p, len(seen), posts)
		}
	}
}

func TestTopics(t *testing.T) {
	for objective, want := range map[string]string{
		"Increase brand awareness":    "brand awareness",
		"Launch the new API!":         "new API",
		"Promote our new product":     "our new product",
		"Show what we make":           "what we make",
		"Grow":                        "Grow",
		"drive\n\n signups ":          "signups",
		"Markenbekanntheit steigern.": "Markenbekanntheit steigern",
		"SEO":                         "SEO",
		"…":                           "what we do",
		"":                            "what we do",
		strings.Repeat("word ", 100):  strings.TrimSpace(strings.Repeat("word ", 12)),
	} {
		if got := topicOf(objective); got != want {
			t.Errorf("the topic of %q is %q, want %q", objective, got, want)
		}
	}
}

func TestHashtags(t *testing.T) {
	for topic, want := range map[string]string{
		"brand awareness": "#BrandAwareness #Brand", "our new API": "", "über uns": "#Über", "2027 2028": "", "what we do": "",
	} {
		if got := strings.Join(hashtags(topic, 2), " "); got != want {
			t.Errorf("the hashtags of %q are %q, want %q", topic, got, want)
		}
	}
}

// Excluded topics never stand in a text; an objective that is one is refused.
func TestExcludedTopics(t *testing.T) {
	for seed := range uint64(100) {
		a := assignment(func(a *mission.Assignment) {
			a.Seed = seed
			a.Brief.Constraints.ExcludedTopics = []string{"calendar", "One Person", "tool"}
		})
		if topic, found := textlimit.Mentions(write(t, a).Text, a.Brief.Constraints.ExcludedTopics); found {
			t.Fatalf("a post mentions %q", topic)
		}
	}
	_, err := New().Write(context.Background(), assignment(func(a *mission.Assignment) {
		a.Brief.Constraints.ExcludedTopics = []string{"Brand  Awareness"}
	}))
	var e *mission.Error
	if !errors.As(err, &e) || e.Param != "objectives" {
		t.Errorf("an objective that is an excluded topic answers %v", err)
	}
	if _, found := textlimit.Mentions("A stool is not a tool-box", []string{"box"}); !found {
		t.Error("a word behind a hyphen isn't found")
	}
	if _, found := textlimit.Mentions("A stool", []string{"tool", ""}); found {
		t.Error("a part of a word is found")
	}
}

func TestWishes(t *testing.T) {
	with := func(instructions string, seed uint64) mission.Draft {
		return write(t, assignment(func(a *mission.Assignment) {
			tone := "playful"
			a.Seed, a.Instructions, a.Revision, a.Brief.Constraints.Tone = seed, instructions, 2, &tone
		}))
	}
	for seed := range uint64(50) {
		if text := with("No hashtags please", seed).Text; strings.Contains(text, "#") {
			t.Errorf("without hashtags: %q", text)
		}
		if text := with("a question, please", seed).Text; !strings.Contains(text, "?") {
			t.Errorf("with a question: %q", text)
		}
		for _, e := range emoji[playful] {
			if text := with("no emoji", seed).Text; strings.Contains(text, e) {
				t.Errorf("without emoji: %q", text)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New().Write(ended, assignment(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context answers %v", err)
	}
	for _, a := range []mission.Assignment{
		assignment(func(a *mission.Assignment) { a.Slot.Platform = "myspace" }),
		assignment(func(a *mission.Assignment) { a.Slot.Format = mission.FormatArticle }),
	} {
		if _, err := New().Write(context.Background(), a); mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("%s on %s answers %v", a.Slot.Format, a.Slot.Platform, err)
		}
	}
}

func FuzzWrite(f *testing.F) {
	f.Add("Increase brand awareness", "playful", "politics", uint64(1))
	f.Fuzz(func(t *testing.T, objective, tone, excluded string, seed uint64) {
		a := assignment(func(a *mission.Assignment) {
			a.Slot.Objective, a.Seed = strings.ToValidUTF8(objective, ""), seed
			a.Brief.Constraints.Tone, a.Brief.Constraints.ExcludedTopics = &tone, []string{excluded}
		})
		d, err := New().Write(context.Background(), a)
		if err == nil {
			caps, _ := mission.CapabilitiesOf(a.Slot.Platform)
			err = textlimit.Check(caps, d)
		} else if mission.CodeOf(err) == mission.CodeInvalidRequest {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

func ExampleWriter_Write() {
	d, err := New().Write(context.Background(), assignment(nil))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(d.Text)
}
