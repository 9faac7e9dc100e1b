package mission

import (
	"bytes"
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

// SearchKey is a key under which searches find a name: one of its words, the first
// characters of words after a byte 0, or the byte 0 alone, which all names have.
type SearchKey struct {
	Key []byte
	// Shared is how many bytes of Key the word before it, in their order, begins
	// with too: of the words with a common prefix, only the first shares less than
	// the prefix. It is 0 of keys that aren't words.
	Shared int
}

// SearchKeys returns the keys of a name, and its words, each after a space.
func SearchKeys(name string) (keys []SearchKey, words string) {
	keys = []SearchKey{{Key: []byte{0}}}
	before, list := "", []byte{0}
	for _, w := range Words(name) {
		words += " " + w
		keys = append(keys, SearchKey{Key: []byte(w), Shared: sharedBytes(before, w)})
		// Words are sorted: those with the same first characters are neighbors.
		if key, _ := ListKey(w); len(key) > 1 && !bytes.Equal(key, list) {
			keys, list = append(keys, SearchKey{Key: key}), key
		}
		before = w
	}
	return keys, words
}

// initial is how many first characters of a word are a key.
const initial = 3

// ListKey returns the key that isn't a word, of the fewest names that include all that
// have a word with the prefix; exact reports whether it has no others.
func ListKey(prefix string) (key []byte, exact bool) {
	runes := []rune(prefix)
	if len(runes) < initial {
		return []byte{0}, false
	}
	return []byte("\x00" + string(runes[:initial])), len(runes) == initial
}

// sharedBytes returns the length of the longest common prefix.
func sharedBytes(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
