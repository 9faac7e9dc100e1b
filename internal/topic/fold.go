package topic

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// seam separates the words of a hashtag in a folded text: "#GunControl" has one
// where the case changes.
const seam = '\x1f'

// fold returns a text in the form in which texts are compared: without
// invisible characters, in NFKC, case-folded, with seams in its hashtags.
func fold(text string) string {
	text = norm.NFKC.String(visible(strings.ToValidUTF8(text, " ")))
	text = unaccented.Replace(cases.Fold().String(seamed(text)))
	return norm.NFKC.String(text)
}

// unaccented replaces letters that readers don't distinguish: Russian usually
// writes ё as е, and Greek capitals have no accents. Folding turns the Turkish
// capital İ into an i with a dot above.
var unaccented = strings.NewReplacer(
	"i\u0307", "i", "ё", "е", "ά", "α", "έ", "ε", "ή", "η", "ί", "ι", "ό", "ο", "ύ", "υ", "ώ", "ω", "ΐ", "ϊ", "ΰ", "ϋ",
)

// visible returns a text without invisible characters, and without the marks
// that Arabic and Hebrew usually omit.
func visible(text string) string {
	var last rune
	return strings.Map(func(r rune) rune {
		if r == zeroWidthNonJoiner && unicode.Is(unicode.Arabic, last) {
			return '-' // Persian separates words with it
		}
		if unseen(r) {
			return -1
		}
		last = r
		switch r {
		case '’', '‘', 'ʼ', '`', '´':
			return '\''
		case '♯':
			return '#'
		case '™', '℠':
			return ' ' // NFKC turns them into letters
		}
		return r
	}, text)
}

const zeroWidthNonJoiner = '\u200c'

// unseen reports whether r is invisible, or is a mark that may be omitted.
func unseen(r rune) bool {
	switch {
	case r <= unicode.MaxASCII: // most are
		return false
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return true
	case r == 'ـ', r == 'ٰ', r >= 'ً' && r <= 'ٟ': // Arabic: the stretching stroke, vowels
		return true
	case r >= '\u0591' && r <= '\u05bd', r == '\u05bf', r == '\u05c1', r == '\u05c2', r == '\u05c4', r == '\u05c5', r == '\u05c7': // Hebrew: accents, points
		return true
	case r >= 0x1F3FB && r <= 0x1F3FF: // the skin of an emoji
		return true
	}
	return false
}

// seamed returns a text with seams in its hashtags: where a capital begins a
// word, as in "#GunControl" and "#USPolitics", and between letters and digits.
func seamed(text string) string {
	if !strings.ContainsRune(text, '#') {
		return text
	}
	runes := []rune(text)
	var b strings.Builder
	tag := false
	for i, r := range runes {
		if r == '#' {
			tag = true
		} else if !wordly(r) && r != '_' {
			tag = false
		}
		if tag && i > 0 && parts(runes, i) {
			b.WriteRune(seam)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// parts reports whether a word of a hashtag begins at an index.
func parts(runes []rune, i int) bool {
	last, r := runes[i-1], runes[i]
	switch {
	case !wordly(last) || !wordly(r):
		return false
	case unicode.IsUpper(r):
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		return unicode.IsLower(last) || unicode.IsUpper(last) && next
	}
	return unicode.IsDigit(r) && unicode.IsLetter(last) || unicode.IsLetter(r) && unicode.IsDigit(last)
}

// wordly reports whether r is part of a word.
func wordly(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}
