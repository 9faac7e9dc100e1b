package mission

import (
	"strings"
	"unicode/utf8"
)

// Said are texts that were said before, which a writer doesn't say again:
// platforms refuse the same text twice, and readers don't like it either. The
// zero Said is empty, and can't be added to.
type Said map[string]bool

// asSaid is a text without what readers don't notice.
func asSaid(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// Add adds texts.
func (s Said) Add(texts ...string) {
	for _, text := range texts {
		s[asSaid(text)] = true
	}
}

// Has reports whether a text was said.
func (s Said) Has(text string) bool { return s[asSaid(text)] }

// MaxOpening bounds an opening, in characters.
const MaxOpening = 300

// Opening is how a text begins: its first sentence.
func Opening(text string) string {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, "\n")
	for i, r := range first {
		if !strings.ContainsRune(".!?…", r) {
			continue
		}
		if end := i + utf8.RuneLen(r); end == len(first) || first[end] == ' ' {
			first = first[:end]
			break
		}
	}
	if runes := []rune(first); len(runes) > MaxOpening {
		return string(runes[:MaxOpening])
	}
	return first
}

// Repeats returns the first text of a draft that was said before, or that the
// draft says twice.
func (s Said) Repeats(d Draft) (text string, ok bool) {
	own := Said{}
	for _, text := range d.Texts() {
		if words := asSaid(text); s[words] || own[words] {
			return text, true
		}
		own.Add(text)
	}
	return "", false
}
