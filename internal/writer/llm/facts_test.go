package llm

import (
	"context"
	"strings"
	"testing"

	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
)

// withFacts gives the brand two facts.
func withFacts(a *mission.Assignment) {
	a.Facts = []mission.Fact{{Text: "Acme costs 9 EUR a month."}, {Text: "Half of the teams, 50 %, save time.", Source: ptr("https://press.test/study")}}
}

// A text that states facts names them; their figures and sources are allowed then alone.
func TestFactsAreCited(t *testing.T) {
	says := func(text, facts string) act { return llmtest.Says(`{"text":"` + text + `","facts":` + facts + `}`) }
	fine := says("Lists for teams, for 9 EUR a month.", "[1]")
	for name, tt := range map[string]struct {
		acts  []act
		brief func(a *mission.Assignment)
		calls int
		cited string
		code  string
	}{
		"one":              {acts: []act{fine}, brief: withFacts, calls: 1, cited: "Acme costs 9 EUR a month."},
		"one twice":        {acts: []act{says("It saves time: https://press.test/study", "[2,2]")}, brief: withFacts, calls: 1, cited: "Half of the teams, 50 %, save time."},
		"none":             {acts: []act{says("Lists for teams.", "[]")}, brief: withFacts, calls: 1},
		"null":             {acts: []act{says("Lists for teams.", "null")}, brief: withFacts, calls: 1},
		"missing":          {acts: []act{llmtest.Writes("Lists for teams.")}, brief: withFacts, calls: 1},
		"a silent fact":    {acts: []act{says("Only 9 EUR a month.", "[2]"), fine}, brief: withFacts, calls: 2, cited: "Acme costs 9 EUR a month."},
		"silent twice":     {acts: []act{says("Only 9 EUR a month.", "[]")}, brief: withFacts, calls: 2, code: mission.CodeWriterBrokeRule},
		"another price":    {acts: []act{says("Only 8 EUR a month.", "[1]")}, brief: withFacts, calls: 2, code: mission.CodeWriterBrokeRule},
		"none of that":     {acts: []act{says("Lists for teams.", "[3]")}, brief: withFacts, calls: 2, code: mission.CodeWriterInvalid},
		"nought":           {acts: []act{says("Lists for teams.", "[0]")}, brief: withFacts, calls: 2, code: mission.CodeWriterInvalid},
		"words":            {acts: []act{says("Lists for teams.", `["one"]`)}, brief: withFacts, calls: 2, code: mission.CodeWriterInvalid},
		"without any":      {acts: []act{says("Lists for teams.", "[1]")}, calls: 2, code: mission.CodeWriterInvalid},
		"a promise":        {acts: []act{says("It works, guaranteed.", "[1,2]")}, brief: withFacts, calls: 2, code: mission.CodeWriterBrokeRule},
		"a foreign source": {acts: []act{says("It saves time: https://press.test/study/2", "[2]")}, brief: withFacts, calls: 2, code: mission.CodeWriterBrokeRule},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t, tt.acts...)
			d, err := s.writer(t, nil).Write(context.Background(), assignment(tt.brief))
			var cited []string
			for _, f := range d.Facts {
				cited = append(cited, f.Text)
			}
			if codeOf(err) != tt.code || len(s.Seen()) != tt.calls || strings.Join(cited, " ") != tt.cited {
				t.Errorf("got %v, %v after %d calls", cited, err, len(s.Seen()))
			}
		})
	}
}

// A model is told of the brand's rules where there are any, and of facts as data.
func TestModelIsToldOfTheBrand(t *testing.T) {
	plain, full := newOrder(assignment(nil)), newOrder(assignment(branded))
	for _, word := range []string{"examples", "required_words", "banned_words", "emoji at", "no emoji", "facts may"} {
		if strings.Contains(plain.talk[0].text, word) {
			t.Errorf("a model is told of %s where there are none", word)
		}
	}
	for _, word := range []string{"brand.examples", "brand.required_words", "banned_words", "no emoji", "facts may", "brand.hashtags"} {
		if !strings.Contains(full.talk[0].text, word) {
			t.Errorf("a model isn't told of %s", word)
		}
	}
	if text := full.talk[1].text; !strings.Contains(text, `"facts":[{"number":1,"states":"Acme costs 9 EUR."}]`) || !strings.Contains(text, `"banned_words":["synergy"]`) {
		t.Errorf("got %s", text)
	}
	threaded := newOrder(assignment(func(a *mission.Assignment) { branded(a); thread(a) }))
	if size := len(encode(threaded.schema())); size > schemaSize {
		t.Errorf("a schema has %d bytes", size)
	}
}

// A post that is said again is in the material, without the line that it disclosed by, and the rules say
// what becomes of it; other posts have neither.
func TestAPostIsSaidAgain(t *testing.T) {
	again := newOrder(assignment(func(a *mission.Assignment) {
		a.Original = &mission.Content{Text: "We planted trees.\n\nBy AI", Disclosed: mission.Disclosed{Line: "By AI"}}
	}))
	if rules, given := again.talk[0].text, again.talk[1].text; !strings.Contains(rules, "- post.repeats is a post") || !strings.Contains(given, `"repeats":["We planted trees."]`) {
		t.Errorf("got %s\n%s", rules, given)
	}
	if plain := newOrder(assignment(nil)); strings.Contains(plain.talk[0].text+plain.talk[1].text, "repeats") {
		t.Error("a post that repeats none is told of one")
	}
}
