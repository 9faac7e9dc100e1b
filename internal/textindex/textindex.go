// Package textindex says which texts a search finds, and with what an index finds them: it is the same on every
// database, whatever its locale.
//
// A search finds a text that contains each of its words, anywhere, also within words. Texts and searches are compared
// folded (Fold): without regard to case and to how characters are encoded. What indexes hold are a text's grams (Grams):
// pieces of two or three characters. A text that contains a word has all of the word's grams; that it has them doesn't
// mean that it contains the word, so what an index finds is compared with Matches.
package textindex

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text in the form in which texts are compared: in NFKC, which makes one of the ways to encode a
// character (ü, u and ¨), of full and half widths (Ａ, A) and of letters in mathematical fonts (𝗕, B); without case; and
// without characters that can't be seen. Accents count: u isn't ü. Databases keep folded texts: who changes Fold must
// have them written again.
func Fold(text string) string {
	text = strings.Map(foldRune, norm.NFKC.String(strings.ToValidUTF8(text, "\uFFFD")))
	// Case and invisible characters may have kept apart what one character is made of.
	return norm.NFKC.String(text)
}

// foldRune returns a character without its case, or -1 for one that can't be seen. The way over the capital makes one of
// the forms of a letter that has several: σ and ς, s and ſ, i and ı.
func foldRune(r rune) rune {
	switch {
	case r <= unicode.MaxASCII:
		return unicode.ToLower(r)
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		return -1
	case r == '\u0307': // what lower case leaves of the Turkish İ, and what few words need
		return -1
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// Words returns the words of a search, folded: what spaces separate, the longest first, without those that others
// contain.
func Words(search string) []string {
	all := strings.FieldsFunc(Fold(search), unicode.IsSpace)
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	var words []string
	for _, w := range all {
		if !slices.ContainsFunc(words, func(longer string) bool { return strings.Contains(longer, w) }) {
			words = append(words, w)
		}
	}
	return words
}

// Matches reports whether a folded text contains each of the words.
func Matches(folded string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(folded, w) {
			return false
		}
	}
	return true
}

// Grams returns the grams of folded texts, in order, each once: each pair of neighboring characters of which one is of a
// script that is written without spaces, other three neighbors, and each symbol, such as an emoji, by itself. A gram is
// the hash of its characters with the name of an owner, whose texts alone are among those with the gram. There are none
// of a word of one or two letters. Databases keep grams, as they keep folded texts.
func Grams(owner string, folded ...string) []int32 {
	seed := fnv.New32a()
	_, _ = seed.Write([]byte(owner))
	var grams []int32
	for _, text := range folded {
		grams = appendGrams(grams, seed.Sum32(), text)
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

// appendGrams appends the grams of a text. It looks at the last three characters, of which a space ends what is before.
func appendGrams(grams []int32, seed uint32, text string) []int32 {
	var at, n int         // where the run of characters that may be in a gram begins, and how many they are
	var sizes [2]int      // of the last two
	var last, before kind // of the last, and the one before it
	for i, r := range text {
		k, size := kindOf(r), utf8.RuneLen(r)
		switch k {
		case space:
			n = 0
			continue
		case symbol:
			grams = append(grams, hash(seed, text[i:i+size]))
			n = 0
			continue
		case narrow, wide:
		}
		if n == 0 {
			at = i
		}
		n++
		switch {
		case n >= 2 && (k == wide || last == wide):
			grams = append(grams, hash(seed, text[i-sizes[1]:i+size]))
		case n >= 3 && before != wide:
			grams = append(grams, hash(seed, text[max(at, i-sizes[1]-sizes[0]):i+size]))
		}
		sizes[0], sizes[1] = sizes[1], size
		before, last = last, k
	}
	return grams
}

// hash is FNV-1a's of a gram, from that of its owner.
func hash(seed uint32, gram string) int32 {
	for i := range len(gram) {
		seed = (seed ^ uint32(gram[i])) * 16777619
	}
	return int32(seed)
}

// kind is what grams a character is in.
type kind int

const (
	narrow kind = iota
	wide        // of a script that is written without spaces: two characters say much
	symbol
	space
)

func kindOf(r rune) kind {
	switch {
	case r <= unicode.MaxASCII:
		if unicode.IsSpace(r) {
			return space
		}
		return narrow
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar), r == 'ー':
		return wide
	case unicode.IsSpace(r):
		return space
	case unicode.In(r, unicode.So):
		return symbol
	}
	return narrow
}
