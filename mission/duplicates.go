package mission

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TextSet is a set of texts already used, which a writer doesn't use again:
// platforms reject duplicates, and readers don't like them either. Case, white
// space and the way characters are composed don't matter. The zero TextSet is empty, and nothing can be added
// to it.
type TextSet map[string]bool

// normalized returns a text without the differences that readers don't notice.
func normalized(text string) string {
	return norm.NFC.String(strings.ToLower(strings.Join(strings.Fields(text), " ")))
}

// Add adds texts to the set.
func (s TextSet) Add(texts ...string) {
	for _, text := range texts {
		s[normalized(text)] = true
	}
}

// Remove removes texts from the set.
func (s TextSet) Remove(texts ...string) {
	for _, text := range texts {
		delete(s, normalized(text))
	}
}

// Has reports whether a text is in the set.
func (s TextSet) Has(text string) bool { return s[normalized(text)] }

// MaxOpening is the maximal length of an opening, in characters.
const MaxOpening = 300

// Opening returns the first sentence of a text.
func Opening(text string) string {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, "\n")
	for i, r := range first {
		spaced := strings.ContainsRune(".!?…", r) // elsewhere a full stop needs no space behind it
		if !spaced && !strings.ContainsRune("。！？｡", r) {
			continue
		}
		if end := i + utf8.RuneLen(r); !spaced || end == len(first) || first[end] == ' ' {
			first = first[:end]
			break
		}
	}
	if runes := []rune(first); len(runes) > MaxOpening {
		return string(runes[:MaxOpening])
	}
	return first
}

// Repeats returns the first text of a draft that is in the set, or that occurs
// twice in the draft; ok is false if there is none.
func (s TextSet) Repeats(d Draft) (text string, ok bool) {
	own := TextSet{}
	for _, text := range d.Texts() {
		if words := normalized(text); s[words] || own[words] {
			return text, true
		}
		own.Add(text)
	}
	return "", false
}
