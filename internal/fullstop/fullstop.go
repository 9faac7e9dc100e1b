// Package fullstop tells the full stops that end a sentence from those of abbreviations,
// ordinals and initials. In doubt a full stop ends nothing: two sentences together are still
// right, and half of one isn't.
package fullstop

import (
	_ "embed"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Longest is the most characters of a word that GoesOn knows.
const Longest = 24

// GoesOn reports whether a sentence goes on behind a word that ends with a full stop, where
// white space and then the character next stand behind it on the same line.
func GoesOn(word string, next rune) bool {
	word, stopped := strings.CutSuffix(word, ".")
	word = strings.TrimLeftFunc(word, unicode.IsPunct)
	if !stopped || word == "" || len([]rune(word)) >= Longest {
		return false
	}
	if ordinal.MatchString(word) {
		return unicode.IsLetter(next)
	}
	const joints = "-'’/" // of "Dipl.-Ing." and "l'av."
	word = norm.NFC.String(strings.TrimLeft(word[max(strings.LastIndexAny(word, joints), 0):], joints))
	lower := strings.ToLower(word)
	return shape.MatchString(word) || suffix.MatchString(lower) || always[lower] || numbered[lower] && unicode.IsDigit(next)
}

// What is matched without its last full stop.
var (
	// ordinal matches the number of "am 3. Oktober". Years have more digits.
	ordinal = regexp.MustCompile(`^\p{Nd}{1,3}$`)
	// shape matches initials ("J. Doe", "9 a.m."), the numbers of kings, and what has no
	// vowel ("Dr.", "Hptm.").
	shape = regexp.MustCompile(`^(?:(?:[\p{Lu}\p{Ll}]\.)*[\p{Lu}\p{Ll}]|X{0,3}(?:IX|IV|VI{0,3}|I{1,3})|X{1,3}|` +
		`[BCDFGHJKLMNPQRSTVWXZБВГДЖЗКЛМНПРСТФХЦЧШЩ][bcdfghjklmnpqrstvwxzбвгджзклмнпрстфхцчшщ]+)$`)
	// suffix matches the ends of compounds: "Hauptstr.".
	suffix = regexp.MustCompile(`(?:str|nr)$`)
)

// list has the abbreviations of many languages, in lower case.
//
//go:embed abbreviations.txt
var list string

// always are those that a name, a word or a number may follow, numbered those that are
// abbreviations only if a number follows, and may be the last word of a sentence otherwise.
var always, numbered = words("always"), words("number")

// words returns the words of a section of the list.
func words(section string) map[string]bool {
	found, in := map[string]bool{}, ""
	for line := range strings.Lines(list) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			in = strings.Trim(line, "[]")
		case in == section:
			for _, w := range strings.Fields(line) {
				found[w] = true
			}
		}
	}
	return found
}
