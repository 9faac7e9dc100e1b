package checks

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"missiond/mission"
)

// Whatever a text has: each rule has one result, what is wrong has words, the words for a model have
// nothing of the text, and the same text is checked alike.
func TestAnyText(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		" 20 %", " €30", " $1,200.50", "guaranteed", "Аcme", " https://evil.test", " @you", " GB33BUKB20201555555555", "\u202e", "👨‍👩‍👧", "#tag ", "日本語", "POLITICS",
	}))
	rapid.Check(t, func(t *rapid.T) {
		secret := "zq" + rapid.StringMatching(`[a-z]{8}`).Draw(t, "secret")
		d := post(strings.Join(rapid.SliceOfN(piece, 1, 6).Draw(t, "pieces"), " ") + " " + secret)
		b := New(assignment(nil))
		v := b.Verdict(d)
		if len(v.Checks) != len(mission.AllRules()) || !v.Equal(b.Verdict(d)) {
			t.Fatalf("got %+v", v)
		}
		for i, c := range v.Checks {
			if c.Rule != mission.AllRules()[i] || c.Passed == (c.Message != nil) || !c.Passed && *c.Message == "" {
				t.Fatalf("got %+v", c)
			}
		}
		broken := 0
		for _, f := range b.Check(d) {
			broken++
			if strings.Contains(f.Hint, secret) || f.Hint == "" {
				t.Fatalf("the hint is %q", f.Hint)
			}
		}
		for _, c := range v.Checks {
			if !c.Passed {
				broken--
			}
		}
		if broken != 0 {
			t.Fatalf("%d rules are broken in one of the results alone: %+v", broken, v)
		}
	})
}

// A text is like itself, as much as the other is like it, and not like one with which it has no words.
func TestLikeness(t *testing.T) {
	words := rapid.SliceOfN(rapid.StringMatching(`[a-m]{3,6}`), 12, 40)
	others := rapid.SliceOfN(rapid.StringMatching(`[n-z]{3,6}`), 12, 40)
	rapid.Check(t, func(t *rapid.T) {
		one, two := shinglesOf(strings.Join(words.Draw(t, "one"), " ")), shinglesOf(strings.Join(words.Draw(t, "two"), " "))
		other := shinglesOf(strings.Join(others.Draw(t, "other"), " "))
		if one.likeness(one) != 1 || one.likeness(two) != two.likeness(one) || one.likeness(other) != 0 {
			t.Fatalf("got %f, %f and %f, %f", one.likeness(one), one.likeness(two), two.likeness(one), one.likeness(other))
		}
	})
	text := "we make lists for small teams that ship every week and like to know what is next before it is there so that nobody has to ask for it twice in a meeting"
	for _, tt := range []struct {
		from, to []string
		like     bool
	}{
		{nil, nil, true},
		{[]string{"lists", "meeting"}, []string{"boards", "call"}, true},
		{[]string{"lists", "week", "before", "twice"}, []string{"boards", "month", "until", "again"}, false},
	} {
		changed := text
		for i := range tt.from {
			changed = strings.Replace(changed, tt.from[i], tt.to[i], 1)
		}
		b := New(assignment(func(a *mission.Assignment) { a.LatestTexts = mission.TextSet{}; a.LatestTexts.Add(text + ".") }))
		rules, _ := broken(b, post(changed))
		if like := strings.Contains(strings.Join(rules, " "), string(mission.RuleLikeness)); like != tt.like {
			t.Errorf("%q is like it: %t", changed, like)
		}
		replaced := New(assignment(func(a *mission.Assignment) {
			a.LatestTexts, a.Replaced = mission.TextSet{}, []string{text + "."}
			a.LatestTexts.Add(text + ".")
		}))
		if rules, _ := broken(replaced, post(changed)); len(rules) > 0 {
			t.Errorf("%q breaks %v, though it replaces the other", changed, rules)
		}
	}
}

func FuzzFigures(f *testing.F) {
	for _, text := range []string{"20 %", "€1.200,50", "$ 1,200", "5 million dollars", "٢٠٪", "US$10k", "1’000 CHF", "0,0,0 %"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		for _, w := range figuresIn(text) {
			if w.number == "" || w.unit == "" || strings.Trim(w.number, "0123456789.kmbn") != "" && !strings.ContainsAny(w.number, "abcdefghijklmnopqrstuvwxyz") {
				t.Errorf("%q has %+v", text, w)
			}
		}
		for _, number := range ibansIn(text) {
			if !isIBAN(number) {
				t.Errorf("%q has %q", text, number)
			}
		}
	})
}
