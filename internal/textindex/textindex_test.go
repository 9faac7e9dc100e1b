package textindex_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"missiond/internal/textindex"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for _, equal := range [][]string{
		{"münchen", "München", "MÜNCHEN", "Mu\u0308nchen", "MU\u0308NCHEN"},
		{"straße", "STRAẞE", "Straße"},
		{"οδός", "ΟΔΌΣ", "οδόσ"},
		{"istanbul", "İstanbul", "ISTANBUL", "ıstanbul"},
		{"tiếng việt", "TIẾNG VIỆT", norm.NFD.String("Tiếng Việt")},
		{"カタカナ", "ｶﾀｶﾅ"},
		{"abc 123", "ＡＢＣ　１２３", "𝗔𝗕𝗖 𝟭𝟮𝟯"},
		{"한국어", norm.NFD.String("한국어")},
		{"❤", "❤️", "❤︎"},
		{"donaudampf", "Donau\u00addampf", "donau\u200bdampf"},
	} {
		for _, s := range equal {
			if got := textindex.Fold(s); got != textindex.Fold(equal[0]) {
				t.Errorf("Fold(%q) = %q, want that of %q, %q", s, got, equal[0], textindex.Fold(equal[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"München", "Munchen"}, {"straße", "strasse"}, {"हिन्दी", "हन्दी"}, {"が", "か"}} {
		if textindex.Fold(pair[0]) == textindex.Fold(pair[1]) {
			t.Errorf("%q and %q are the same", pair[0], pair[1])
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for search, want := range map[string][]string{
		"":                     nil,
		" \t\u3000\u200b ":     nil,
		"New  YORK":            {"york", "new"},
		"port import Port imp": {"import"},
		"100% _x_ \"a\" -b":    {"100%", "_x_", `"a"`, "-b"},
		"東京　タワー":               {"タワー", "東京"},
	} {
		if got := textindex.Words(search); !slices.Equal(got, want) {
			t.Errorf("Words(%q) = %q, want %q", search, got, want)
		}
	}
}

func TestGrams(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "ab": 0, "東": 0, "a b": 0, "abc": 1, "abcd": 2, "abc abc": 1, "東京": 1, "東京都": 2, "ai東": 1, "東ai": 1, "🎉": 1, "a🎉b": 1,
		"aai東京": 3, "mün": 1, "münc": 2, "東abcd": 3, "c++": 1,
	} {
		if got := textindex.Grams("ten_1", text); len(got) != want {
			t.Errorf("%q has %d grams, want %d", text, len(got), want)
		}
	}
	if slices.Equal(textindex.Grams("ten_1", "abc"), textindex.Grams("ten_2", "abc")) {
		t.Error("two tenants have a gram in common")
	}
	// Databases keep them.
	if got, want := textindex.Grams("ten_1", "süß 東京"), []int32{-1382258368, 1170136070}; !slices.Equal(got, want) {
		t.Errorf("the grams are %d, want %d", got, want)
	}
}

// alphabet has characters of every kind, in several cases and encodings.
var alphabet = []rune("abcABC ßẞüÜ\u0308u東京タワーｶﾞ한국\u1112\u1161\u11abไทยعر\u064eب🎉❤\ufe0f\u200d𝗕Ａ1%_\"'\\*()-:İıſσςΣ\u3000\u00a0")

func drawText(t *rapid.T, label string, least, most int) string {
	return rapid.StringOfN(rapid.RuneFrom(alphabet), least, most, -1).Draw(t, label)
}

// A text that contains a word has its grams, folding is done once, and every word of a text is found in it.
func TestTextsHaveTheGramsOfTheirWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := textindex.Fold(drawText(t, "text", 0, 40))
		if again := textindex.Fold(text); again != text {
			t.Fatalf("folded twice, %q is %q", text, again)
		}
		grams := textindex.Grams("ten_1", text)
		words := textindex.Words(drawText(t, "search", 0, 6))
		if rapid.Bool().Draw(t, "within") && text != "" {
			runes := []rune(text)
			from := rapid.IntRange(0, len(runes)-1).Draw(t, "from")
			to := rapid.IntRange(from, len(runes)).Draw(t, "to")
			words = strings.Fields(string(runes[from:to]))
			if !textindex.Matches(text, words) {
				t.Fatalf("%q doesn't contain %q", text, words)
			}
		}
		if !textindex.Matches(text, words) {
			return
		}
		for _, g := range textindex.Grams("ten_1", words...) {
			if !slices.Contains(grams, g) {
				t.Fatalf("%q contains %q but not all of its grams", text, words)
			}
		}
	})
}
