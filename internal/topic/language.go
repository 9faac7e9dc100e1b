package topic

import (
	"unicode"
)

// codes are the ISO 639 codes of latin, in its order.
var codes = [len(latin)]string{"en", "de", "fr", "es", "it", "pt", "nl", "sv", "no", "da", "fi", "hu", "tr", "ro", "ga"}

// scripts are those that one living language is written in, with its code.
var scripts = []struct {
	script *unicode.RangeTable
	code   string
}{
	{unicode.Hangul, "ko"}, {unicode.Thai, "th"}, {unicode.Lao, "lo"}, {unicode.Khmer, "km"}, {unicode.Greek, "el"}, {unicode.Hebrew, "he"},
	{unicode.Georgian, "ka"}, {unicode.Armenian, "hy"}, {unicode.Tamil, "ta"}, {unicode.Telugu, "te"}, {unicode.Kannada, "kn"},
	{unicode.Malayalam, "ml"}, {unicode.Gujarati, "gu"}, {unicode.Gurmukhi, "pa"}, {unicode.Sinhala, "si"}, {unicode.Myanmar, "my"},
}

// Language returns the ISO 639 code of the language that a text is in, or "" if that is
// in doubt. It is known by its script, or by its most frequent words: at least two of
// them, and twice as many as of any other language.
func Language(text string) string {
	folded := fold(text)
	letters, kana, latinLetters := 0, 0, 0
	of := map[string]int{}
	for _, r := range folded {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Latin, r):
			latinLetters++
		}
		for _, s := range scripts {
			if unicode.Is(s.script, r) {
				of[s.code]++
			}
		}
	}
	const some, most = 10, 2 // a tenth, a half
	if kana > 0 && some*kana >= letters && most*latinLetters <= letters {
		return "ja"
	}
	for code, n := range of {
		if most*n > letters {
			return code
		}
	}
	if most*latinLetters <= letters {
		return ""
	}
	return split(folded).latin()
}

// latin returns the code of the language in Latin letters that words are in, or "".
func (t words) latin() string {
	const enough, times = 2, 2
	hits, best := t.frequent(), 0
	for i, n := range hits {
		if n > hits[best] {
			best = i
		}
	}
	for i, n := range hits {
		if i != best && times*n > hits[best] {
			return ""
		}
	}
	if hits[best] < enough {
		return ""
	}
	return codes[best]
}
