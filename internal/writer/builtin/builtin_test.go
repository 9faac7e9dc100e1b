package builtin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/internal/textlimit"
	"missiond/internal/writer/builtin/builtintest"
	"missiond/mission"
)

// assignment returns an assignment of a small brief, with changes.
func assignment(changes ...func(a *mission.Assignment)) mission.Assignment {
	a := mission.Assignment{
		Brief: mission.Brief{
			Description: "We grow apples near Kent. The press runs in September. We deliver on Fridays. Come to the yard.",
			Brand:       mission.Brand{Name: "Acme"},
		},
		Slot:     mission.Slot{At: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Platform: mission.Mastodon, Format: mission.FormatPost, Objective: "Grow sales by 10 %"},
		Revision: 1,
	}
	for _, change := range changes {
		change(&a)
	}
	return a
}

func write(t testing.TB, changes ...func(a *mission.Assignment)) mission.Draft {
	t.Helper()
	d, err := New().Write(context.Background(), assignment(changes...))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// usesUp fails the test unless a brief is used up.
func usesUp(t *testing.T, a mission.Assignment) {
	t.Helper()
	var failed *mission.WritingError
	if d, err := New().Write(context.Background(), a); !errors.As(err, &failed) || failed.Failure.Code != mission.CodeWriterUsedUp {
		t.Errorf("got %q, %v, want that the brief is used up", d.Text, err)
	}
}

// normal is a text without line breaks.
func normal(text string) string { return strings.Join(strings.Fields(text), " ") }

// brief returns the sentences that a shop's posts may say.
func (s shop) brief() []string {
	all := sentences(s.description)
	for _, f := range s.facts {
		all = append(all, f.Text, f.Text+".")
	}
	if e := s.event; e != nil {
		all = append(append(all, e.Name+", 7. August.", e.Name+", 8–9 août."), sentences(e.Note)...)
	}
	return all
}

// Each sentence of a post is one of its brief; at most one of them is a call, no two posts are the same,
// and each fits its platform. When the brief is used up there is no more.
func TestPostsSayTheBriefAndNothingElse(t *testing.T) {
	const least, most = 5, 60
	for i, s := range shops {
		if n := len(s.sound(t, s.platform, most)); n < least || n == most {
			t.Errorf("%s has %d posts", s.name, n)
		}
		for _, p := range mission.AllPlatforms() {
			if i%3 == 0 { // one of each language
				s.sound(t, p, 2)
			}
		}
	}
}

// sound returns the first posts of a shop's mission on a platform, and fails the test unless they are
// sound.
func (s shop) sound(t *testing.T, p mission.Platform, most int) []mission.Draft {
	t.Helper()
	caps, _ := mission.CapabilitiesOf(p)
	said, posts := mission.TextSet{}, s.posts(t, p, most)
	for _, d := range posts {
		if said.Has(d.Text) {
			t.Errorf("%s says twice: %q", s.name, d.Text)
		}
		said.Add(d.Text)
		if err := textlimit.Check(caps, d); err != nil {
			t.Errorf("%s on %s: %v", s.name, p, err)
		}
		if wrong := s.wrong(d.Text); wrong != "" {
			t.Errorf("%s %s: %q", s.name, wrong, d.Text)
		}
	}
	return posts
}

// wrong returns what is wrong with the text of a post; "" for nothing.
func (s shop) wrong(text string) string {
	if strings.Count(normal(text), s.call) > 1 || s.site != "" && strings.Count(text, s.site) > 1 {
		return "calls more than once"
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line != s.site && !strings.HasPrefix(line, "#") && !quotes(s.brief(), line) {
			return "says what its brief doesn't"
		}
	}
	for _, hidden := range append(s.objectives, "goal", "arget", "Zielgruppe", "Cible", "Objetivo") {
		if strings.Contains(text, hidden) {
			return "shows its readers " + hidden
		}
	}
	return ""
}

// quotes reports whether a line is made of sentences of a brief.
func quotes(brief []string, line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || slices.ContainsFunc(brief, func(s string) bool {
		rest, ok := strings.CutPrefix(line, s)
		return ok && quotes(brief, rest)
	})
}

// A brief's sentences come in turn: none is said again while another one isn't.
func TestSentencesComeInTurn(t *testing.T) {
	for _, s := range shops {
		counts := map[string]int{}
		for _, p := range passages(s.description) {
			if !p.call {
				counts[p.sentences[0]] = 0
			}
		}
		for i, d := range s.posts(t, mission.Mastodon, 3) {
			for sentence := range counts {
				if strings.Contains(normal(d.Text), sentence) {
					counts[sentence]++
				}
			}
			least := slices.Min(valuesOf(counts))
			for sentence, n := range counts {
				if n > least+1 {
					t.Errorf("%s says %q %d times in %d posts", s.name, sentence, n, i+1)
				}
			}
		}
	}
}

func valuesOf(counts map[string]int) (all []int) {
	for _, n := range counts {
		all = append(all, n)
	}
	return all
}

// A post doesn't open as another one of the mission does, as long as there is another sentence.
func TestOpeningsAreNew(t *testing.T) {
	used := mission.TextSet{}
	used.Add("We grow apples near Kent.", "The press runs in September.")
	if d := write(t, func(a *mission.Assignment) { a.UsedOpenings = used }); !strings.HasPrefix(d.Text, "We deliver on Fridays.") {
		t.Errorf("got %q", d.Text)
	}
}

// The objective and the reviewer's instructions decide what comes first.
func TestWhatIsNearestComesFirst(t *testing.T) {
	shorter := func(a *mission.Assignment) { a.Slot.Objective, a.Instructions = "Sell more deliveries", "shorter" }
	for _, change := range []func(a *mission.Assignment){
		shorter, func(a *mission.Assignment) {
			a.Slot.Objective, a.Instructions = "Sell more", "Shorter, and say that we deliver"
		},
	} {
		if d := write(t, change); !strings.HasPrefix(d.Text, "We deliver on Fridays.\n") {
			t.Errorf("got %q", d.Text)
		}
	}
}

// A reviewer may have the sentences of a revision again in another form; without a wish there is
// another text.
func TestRevisions(t *testing.T) {
	first := write(t)
	revised := func(instructions string) func(a *mission.Assignment) {
		return func(a *mission.Assignment) {
			a.UsedTexts, a.Replaced, a.Instructions = mission.TextSet{}, first.Texts(), instructions
			a.UsedTexts.Add(first.Texts()...)
		}
	}
	if got, want := write(t, revised("Without hashtags")).Text, strings.TrimSuffix(first.Text, "\n\n#Acme"); got != want || want == first.Text {
		t.Errorf("got %q, want %q", got, want)
	}
	if d := write(t, revised("")); strings.Contains(d.Text, "We grow apples") && strings.Contains(d.Text, "The press runs") {
		t.Errorf("got again %q", d.Text)
	}
}

// Posts rest on the facts that they state, and on no others.
func TestFactsAreCited(t *testing.T) {
	source, ended := "https://acme.example/press", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	with := func(a *mission.Assignment) {
		a.Brief.Description = "We grow apples."
		a.Facts = []mission.Fact{{Text: "Juice costs 3 € a litre", Source: &source}, {Text: "We won a prize.", ExpiresAt: &ended}}
	}
	d := write(t, with)
	if len(d.Facts) != 1 || d.Facts[0].Text != "Juice costs 3 € a litre" || *d.Facts[0].Source != source || !strings.HasPrefix(d.Text, "We grow apples. Juice costs 3 € a litre.\n") {
		t.Errorf("got %q on %+v", d.Text, d.Facts)
	}
	if d := write(t, with, func(a *mission.Assignment) { a.Facts = a.Facts[1:] }); len(d.Facts) != 0 || strings.Contains(d.Text, "prize") {
		t.Errorf("got %q on %+v", d.Text, d.Facts)
	}
}

// A post that leads up to an event says when it is, in the language of the brief, and what the brief says
// about it.
func TestPostsSayWhenEventsAre(t *testing.T) {
	for _, each := range []struct{ language, last, want string }{
		{"en", "2026-03-03", "Fair, 3 March. Bring a bag."},
		{"en-GB", "2026-03-05", "Fair, 3–5 March."},
		{"de", "2026-03-05", "Fair, 3.–5. März."},
		{"fr", "2026-04-01", "Fair, 3 mars – 1 avril."},
		{"es", "2026-03-05", "Fair, 3–5 de marzo."},
		{"cy", "2026-03-05", "Fair, 2026-03-03 – 2026-03-05."},
	} {
		for _, format := range []mission.Format{mission.FormatPost, mission.FormatThread} {
			led := func(a *mission.Assignment) {
				a.Slot.Format, a.Brief.Constraints.Language = format, &each.language
				a.Slot.Occasion = &mission.Occasion{Name: "Fair", StartsOn: "2026-03-03", EndsOn: each.last, Note: "Bring a bag"}
			}
			if d := write(t, led); !strings.HasPrefix(d.Text, each.want) || !strings.Contains(d.Text, "Bring a bag.") {
				t.Errorf("got %q, want %q", d.Text, each.want)
			}
			if d := write(t, led, func(a *mission.Assignment) { a.Brief.Constraints.ExcludedTopics = []string{"bag"} }); !strings.HasPrefix(d.Text, "Fair, ") {
				t.Errorf("got %q without the note", d.Text)
			}
			if d := write(t, led, func(a *mission.Assignment) { a.Brief.Constraints.ExcludedTopics = []string{"fair"} }); strings.Contains(d.Text, "Fair") {
				t.Errorf("%q mentions an excluded topic", d.Text)
			}
		}
	}
}

// A post keeps the rules of the brand.
func TestBrandRules(t *testing.T) {
	d := write(t, func(a *mission.Assignment) {
		a.Brief.Description += " We have a party 🎉 in May. See https://other.example. Ask for crypto."
		a.Brief.Brand.Emoji, a.Brief.Brand.RequiredWords, a.Brief.Brand.BannedWords = mission.EmojiNone, []string{"press", "organic"}, []string{"deliver"}
		a.Brief.Brand.Hashtags, a.Brief.Constraints.ExcludedTopics = mission.Hashtags{Max: new(1), Always: []string{"#kent"}}, []string{"crypto"}
		a.Brief.Brand.Website = "https://acme.example"
	})
	want := "We grow apples near Kent. The press runs in September.\n\nCome to the yard.\nhttps://acme.example\n\norganic\n\n#kent"
	if d.Text != want {
		t.Errorf("got %q, want %q", d.Text, want)
	}
	_, err := New().Write(context.Background(), assignment(func(a *mission.Assignment) { a.Brief.Constraints.ExcludedTopics = []string{"sales"} }))
	var e *mission.Error
	if !errors.As(err, &e) || e.Param != "objectives" {
		t.Errorf("an objective that is an excluded topic returns %v", err)
	}
}

// Every second post asks for something, and an address in the objective is where it leads.
func TestCalls(t *testing.T) {
	said := mission.TextSet{}
	for i, ends := range []string{"Come to the yard.\nhttps://acme.example/fair", "https://acme.example/fair", "Come to the yard.\nhttps://acme.example/fair"} {
		d := write(t, func(a *mission.Assignment) {
			a.Brief.Brand = mission.Brand{Website: "https://acme.example"}
			a.Slot.Objective, a.UsedTexts = "Lead people to https://acme.example/fair.", said
		})
		if parts := strings.SplitN(d.Text, "\n\n", 2); parts[1] != ends {
			t.Errorf("post %d is %q, want the end %q", i, d.Text, ends)
		}
		said.Add(d.Text)
	}
	d := write(t, func(a *mission.Assignment) { a.Brief.Description = "Come to the yard." })
	if d.Text != "Come to the yard.\n\n#Acme" {
		t.Errorf("of a call alone got %q", d.Text)
	}
}

// What doesn't fit a post is a thread where there are threads, with a passage in each part, and is
// shorter by whole sentences where there are none.
func TestLongBriefs(t *testing.T) {
	long := func(p mission.Platform, f mission.Format) func(a *mission.Assignment) {
		return func(a *mission.Assignment) {
			a.Slot.Platform, a.Slot.Format = p, f
			a.Brief.Description = "We grow apples " + strings.Repeat("and pears ", 15) + "here. They are sweet. We press juice " + strings.Repeat("and cider ", 12) + "here."
		}
	}
	if d := write(t, long(mission.Twitter, mission.FormatThread)); len(d.Parts) != 2 || d.Format != mission.FormatThread || !strings.HasSuffix(d.Parts[0], "They are sweet.") {
		t.Errorf("got %q", d.Texts())
	}
	if d := write(t, long(mission.Twitter, mission.FormatPost)); len(d.Parts) != 0 || !strings.HasPrefix(d.Text, "We grow") || strings.Contains(d.Text, "press") {
		t.Errorf("got %q", d.Texts())
	}
	limited := func(a *mission.Assignment) { a.Limits = mission.TextLimits{MaxLength: 180} }
	if d := write(t, long(mission.Mastodon, mission.FormatPost), limited); strings.Contains(d.Text, "sweet") {
		t.Errorf("got %q", d.Text)
	}
	usesUp(t, assignment(long(mission.Mastodon, mission.FormatPost), func(a *mission.Assignment) { a.Limits = mission.TextLimits{MaxLength: 40} }))
}

// A question isn't asked without its answer.
func TestQuestionsAreAnswered(t *testing.T) {
	p := passages("Is your bike old? We like those best. They last.")[0]
	if got := p.text(1); got != "Is your bike old? We like those best." {
		t.Errorf("got %q", got)
	}
}

// Headings, lists of words and what is about the brief aren't for readers, so a brief of nothing else is
// used up.
func TestNothingToSay(t *testing.T) {
	for _, description := range []string{
		"", "Our bread\nOur hours", "- bread\n- rolls and cake", "We bake:", "Our goal is 500 orders. Target audience: families. We want to grow.",
		"Zielgruppe: Familien. Wir wollen wachsen.", "Nous voulons plus de clients. Objectif : 100.", "Objetivo: 100 pedidos. Queremos crecer.",
	} {
		usesUp(t, assignment(func(a *mission.Assignment) { a.Brief.Description = description }))
	}
}

// A last sentence needs no full stop, and a brief of objectives alone says these.
func TestUnendedSentences(t *testing.T) {
	for _, tt := range []struct {
		description string
		objectives  []string
		want        []string
	}{
		{"Bread, every day from seven to six", nil, []string{"Bread, every day from seven to six."}},
		{"Our bread\nWe bake in Leeds. The oven is from 1921", nil, []string{"We bake in Leeds. The oven is from 1921.", "We bake in Leeds.", "The oven is from 1921."}},
		{"私たちは毎朝パンを焼きます", nil, []string{"私たちは毎朝パンを焼きます。"}},
		{"", []string{"Announce the 2.0 release", "Win 100 followers"}, []string{"Announce the 2.0 release."}},
		{"", []string{"Announce the 2.0 release", "Thank the testers"}, []string{"Announce the 2.0 release. Thank the testers.", "Announce the 2.0 release.", "Thank the testers."}},
		{"We bake in Leeds.", []string{"Announce the 2.0 release"}, []string{"We bake in Leeds."}},
	} {
		said := mission.TextSet{}
		a := assignment(func(a *mission.Assignment) {
			a.Brief = mission.Brief{Description: tt.description, Objectives: tt.objectives}
			a.UsedTexts, a.LatestTexts = said, said
		})
		for _, want := range tt.want {
			d, err := New().Write(t.Context(), a)
			if err != nil || d.Text != want {
				t.Errorf("of %q, %q got %q, %v, want %q", tt.description, tt.objectives, d.Text, err, want)
			}
			said.Add(d.Text)
		}
		usesUp(t, a)
	}
}

func TestRemark(t *testing.T) {
	german := "Wir backen Brot in Leipzig, und der Laden ist jeden Tag offen."
	for stated, remarks := range map[string]bool{"": false, "de": false, "de-AT": false, "en": true} {
		b := mission.Brief{Description: german}
		if stated != "" {
			b.Constraints.Language = &stated
		}
		if f := New().Remark(b); (f != nil) != remarks || f != nil && (f.Code != mission.CodeWriterLanguage || !strings.Contains(f.Message, `"de"`)) {
			t.Errorf("in %q the remark is %+v", stated, f)
		}
	}
}

// What a brief is expected to give it gives: as many posts as are different, without a bound if those are enough.
func TestSupply(t *testing.T) {
	for _, tt := range []struct {
		b     mission.Brief
		facts int
		want  int
	}{
		{mission.Brief{Objectives: []string{"Announce 2.0"}}, 0, 1},
		{mission.Brief{Objectives: []string{"Announce 2.0"}, Description: "We bake bread."}, 0, 1},
		{mission.Brief{Objectives: []string{"Announce 2.0"}, Description: "We bake bread. The shop is open every day."}, 2, 10},
		{mission.Brief{Description: "We bake bread.", Occasions: []mission.Occasion{{Name: "Fair", Note: "Our stall is at the gate."}}}, 0, 6},
		{mission.Brief{Description: builtintest.Description}, 0, math.MaxInt},
	} {
		facts := []mission.Fact{{Text: "Every loaf rests for 24 hours."}, {Text: "The oven burns oak."}}[:tt.facts]
		if got := New().Supply(tt.b, facts); got != tt.want {
			t.Errorf("%+v gives %d, want %d", tt.b, got, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New().Write(ended, assignment()); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context returns %v", err)
	}
	for _, change := range []func(a *mission.Assignment){
		func(a *mission.Assignment) { a.Slot.Platform = "myspace" }, func(a *mission.Assignment) { a.Slot.Format = mission.FormatArticle },
	} {
		if _, err := New().Write(context.Background(), assignment(change)); mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Errorf("got %v", err)
		}
	}
}

// A brief that was stored when more was allowed, or with more cashtags than X takes, is still written for.
func TestDraftsAreSendable(t *testing.T) {
	for _, description := range []string{"We sell b\u00adig \u202ecakes here.", "Compare $AAPL with $TSLA.", "See 👩\u200d💻\u200d at work."} {
		for _, caps := range mission.AllCapabilities() {
			d := write(t, func(a *mission.Assignment) {
				a.Slot.Platform, a.Slot.Format, a.Brief.Description = caps.Platform, caps.Formats[len(caps.Formats)-1], description
			})
			if err := textlimit.Check(caps, d); err != nil {
				t.Errorf("%s, %q: %q, %v", caps.Platform, description, d.Texts(), err)
			}
		}
	}
}

// Whatever a brief says, a draft fits its platform, says nothing again, is the same each time, and is all of
// the brief.
func TestDraftsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := rapid.SampledFrom(mission.AllCapabilities()).Draw(t, "platform")
		word := rapid.StringOfN(rapid.SampledFrom([]rune("abcéßдж京都豆です")), 1, 12, -1)
		sentence := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(word, 1, 30).Draw(t, "words"), " ") + rapid.SampledFrom([]string{".", "!", "?", "。", "", ":"}).Draw(t, "end")
		})
		all := rapid.SliceOfN(sentence, 0, 8).Draw(t, "sentences")
		a := assignment(func(a *mission.Assignment) {
			a.Slot.Platform, a.Slot.Format = caps.Platform, rapid.SampledFrom(caps.Formats).Draw(t, "format")
			a.Brief.Description, a.Slot.Objective = strings.Join(all, " "), rapid.String().Draw(t, "objective")
			a.Brief.Brand.Name, a.Instructions = rapid.String().Draw(t, "name"), rapid.SampledFrom([]string{"", "shorter", "no hashtags", "kürzer"}).Draw(t, "instructions")
			a.UsedTexts = mission.TextSet{}
			a.LatestTexts = a.UsedTexts
		})
		for range 4 {
			d, err := New().Write(context.Background(), a)
			var failed *mission.WritingError
			if errors.As(err, &failed) {
				return
			}
			if err == nil {
				err = textlimit.Check(caps, d)
			}
			if again, _ := New().Write(context.Background(), a); err != nil || fmt.Sprint(again) != fmt.Sprint(d) || a.UsedTexts.Has(d.Text) {
				t.Fatalf("got %q and %q, %v", d.Text, again.Text, err)
			}
			for line := range strings.SplitSeq(d.Text, "\n") {
				if !strings.HasPrefix(line, "#") && !quotes(sentences(stopped(a.Brief.Description)), line) {
					t.Fatalf("%q isn't of the brief", line)
				}
			}
			a.UsedTexts.Add(d.Texts()...)
		}
	})
}

func FuzzWrite(f *testing.F) {
	f.Add("We bake bread. Come by.", "Sell bread", "politics")
	f.Fuzz(func(t *testing.T, description, objective, excluded string) {
		a := assignment(func(a *mission.Assignment) {
			a.Brief.Description, a.Slot.Objective = strings.ToValidUTF8(description, ""), strings.ToValidUTF8(objective, "")
			a.Brief.Constraints.ExcludedTopics = []string{excluded}
		})
		d, err := New().Write(context.Background(), a)
		var failed *mission.WritingError
		if errors.As(err, &failed) || mission.CodeOf(err) == mission.CodeInvalidRequest {
			return
		}
		caps, _ := mission.CapabilitiesOf(a.Slot.Platform)
		if err == nil {
			err = textlimit.Check(caps, d)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

func ExampleWriter_Write() {
	d, err := New().Write(context.Background(), assignment())
	fmt.Println(d.Text, err)
	// Output:
	// We grow apples near Kent. The press runs in September.
	//
	// Come to the yard.
	//
	// #Acme <nil>
}

// Twelve sentences are enough for posts without end: no post is like one of the latest sixty.
func TestTwelveSentencesAreNeverUsedUp(t *testing.T) {
	const window, posts = 60, 100
	var latest []string
	for n := range posts {
		said := mission.TextSet{}
		said.Add(latest...)
		caps, _ := mission.CapabilitiesOf(mission.Twitter)
		d := write(t, func(a *mission.Assignment) {
			a.Slot.Platform, a.Slot.Format = caps.Platform, caps.Formats[n%len(caps.Formats)]
			a.Brief.Description, a.UsedTexts, a.LatestTexts = builtintest.Description, said, said
		})
		latest = append(latest, d.Texts()...)
		latest = latest[max(0, len(latest)-window):]
	}
}
