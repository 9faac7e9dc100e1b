package mission

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestBrandInput(t *testing.T) {
	ptr := func(s string) *string { return &s }
	n := func(n int) *int { return &n }
	use := EmojiUse("many")
	many := func(n int) []string { return slices.Repeat([]string{"x"}, n) }
	for param, in := range map[string]BrandInput{
		"brand.language":           {Language: ptr("english")},
		"brand.examples":           {Examples: many(MaxExamples + 1)},
		"brand.examples[1]":        {Examples: []string{"One.", strings.Repeat("x", MaxExample+1)}},
		"brand.required_words":     {RequiredWords: many(MaxRequiredWords + 1)},
		"brand.required_words[0]":  {RequiredWords: []string{" "}},
		"brand.banned_words":       {BannedWords: many(MaxBannedWords + 1)},
		"brand.banned_words[1]":    {BannedWords: []string{"a", "b\u200bc"}},
		"brand.emoji":              {Emoji: &use},
		"brand.hashtags.max":       {Hashtags: &Hashtags{Max: n(MaxHashtags + 1)}},
		"brand.hashtags.always":    {Hashtags: &Hashtags{Max: n(1), Always: []string{"a", "b"}}},
		"brand.hashtags.always[0]": {Hashtags: &Hashtags{Always: []string{"two words"}}},
		"brand.facts":              {Facts: make([]Fact, MaxFacts+1)},
		"brand.facts[0].text":      {Facts: []Fact{{Text: ""}}},
		"brand.facts[1].text":      {Facts: []Fact{{Text: "It is new."}, {Text: "it  is new."}}},
		"brand.facts[0].source":    {Facts: []Fact{{Text: "It is new.", Source: ptr("https://")}}},
		"brand.excluded_topics[0]": {ExcludedTopics: []string{""}},
		"brand.website":            {Website: ptr("ftp://acme.example")},
	} {
		var wrong *Error
		if err := (TenantInput{Brand: &in}).Check(); !errors.As(err, &wrong) || wrong.Code != CodeInvalidRequest || wrong.Param != param {
			t.Errorf("%s: got %v", param, err)
		}
	}
}

func TestBrandChanges(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	three, few, language, source, until := 3, EmojiFew, "EN-gb", " https://acme.example ", now.Add(time.Hour)
	in := TenantInput{Brand: &BrandInput{
		Language: &language, Examples: []string{" We ship. "}, RequiredWords: []string{"Acme"}, BannedWords: []string{"synergy"}, Emoji: &few,
		Hashtags: &Hashtags{Max: &three, Always: []string{"acme", "#Lists"}}, Facts: []Fact{{Text: " It is new. ", Source: &source, ExpiresAt: &until}, {Text: "It is round."}},
	}}
	changed, fields, err := Tenant{}.Change(in, now)
	b := changed.Brand
	if err != nil || !slices.Equal(fields, []string{
		"brand.language", "brand.examples", "brand.required_words", "brand.banned_words", "brand.emoji", "brand.hashtags", "brand.facts",
	}) {
		t.Errorf("got the fields %v, %v", fields, err)
	}
	if b.Language != "en-GB" || b.Examples[0] != "We ship." || !slices.Equal(b.Hashtags.Always, []string{"#acme", "#Lists"}) || b.Facts[0].Text != "It is new." || b.Facts[0].Address() != "https://acme.example" {
		t.Errorf("got %+v", b)
	}
	if _, fields, _ := changed.Change(in, now); len(fields) != 0 {
		t.Errorf("the same again changes %v", fields)
	}
	if !b.Binding(Brand{}) || b.Binding(b) || (Brand{Emoji: EmojiFew}).Binding(Brand{}) {
		t.Error("other changes have posts checked again")
	}
	order := Assignment{Slot: Slot{At: until.Add(-1)}}.Under(Mission{}.Exclusions(b))
	if facts := order.Holding(); len(facts) != 2 {
		t.Errorf("before its end got %v", facts)
	}
	order.Slot.At = until
	if facts := order.Holding(); len(facts) != 1 || facts[0].Text != "It is round." {
		t.Errorf("at its end got %v", facts)
	}
	cited := []CitedFact{b.Facts[0].Cited(), b.Facts[1].Cited()}
	if f, ok := order.Exclusions().Unheld(cited, until); !ok || f.Text != "It is new." {
		t.Errorf("at its end %v doesn't hold", f)
	}
	if f, ok := order.Exclusions().Unheld(cited, until.Add(-1)); ok {
		t.Errorf("before its end %v doesn't hold", f)
	}
	brief := NewBrief(Mission{}, b)
	if *brief.Constraints.Language != "en-GB" || brief.Brand.Facts != nil || len(b.Facts) != 2 {
		t.Errorf("the brief is %+v", brief)
	}
}

func TestVerdicts(t *testing.T) {
	said := "It has something."
	old := Verdict{ExcludedTopic: "x", TopicsChecked: 1}
	if old.Passed() || old.Failure().Code != CodeExcludedTopic || (Verdict{}).Passed() != true {
		t.Error("a verdict of before is read otherwise")
	}
	first := Verdict{Checks: []Check{{Rule: RuleLinks, Message: &said}, {Rule: RuleBannedWords, Message: &said}}}
	if first.Passed() || first.Failure() != (Failure{Code: CodeBannedWord, Message: said}) {
		t.Errorf("got %+v", first.Failure())
	}
	later := first.With(Verdict{Checks: []Check{{Rule: RuleBannedWords, Passed: true}, {Rule: RuleFacts, Passed: true}}})
	if c, broken := later.Broken(); !later.Passed() || !broken || c.Rule != RuleLinks || len(later.Checks) != 3 {
		t.Errorf("got %+v", later)
	}
	if !later.Equal(later.With(later)) || later.Equal(first) {
		t.Error("verdicts differ otherwise")
	}
}

func TestEmoji(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "Words, 24/7 #1 *": 0, "© ™ ® ↔": 0, "✅": 1, "☀️": 1, "☀\ufe0e": 0, "©️": 1, "👍🏽": 1, "👨‍👩‍👧": 1, "🇩🇪🇫🇷": 2, "🏴󠁧󠁢󠁥󠁮󠁧󠁿": 1, "1️⃣": 1, "🎉🎉 and 🎉": 3, "❤️‍🔥": 1,
	} {
		if got := Emoji(text); got != want {
			t.Errorf("%q has %d emoji, want %d", text, got, want)
		}
	}
}
