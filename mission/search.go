package mission

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a search.
const (
	MaxSearch      = 200
	maxSearchWords = 8
)

// Words returns the words of a text, in lower case, each once: runs of letters,
// digits and marks.
func Words(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	slices.Sort(words)
	return slices.Compact(words)
}

// SearchWords returns the prefixes that a search looks for in the words of a
// name. Errors: invalid_request on search if the text or its number of words is
// too long, or it has no word.
func SearchWords(text string) ([]string, error) {
	const param = "search"
	if utf8.RuneCountInString(text) > MaxSearch {
		return nil, Invalid(param, "The search must have at most %d characters.", MaxSearch)
	}
	words := Words(text)
	switch {
	case len(words) == 0 && strings.TrimSpace(text) != "":
		return nil, Invalid(param, "The search must contain a word.")
	case len(words) > maxSearchWords:
		return nil, Invalid(param, "The search must have at most %d words.", maxSearchWords)
	}
	return words, nil
}
