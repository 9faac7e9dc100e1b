package mission

import "strings"

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

// Repeats answers the first text of a draft that was said before, or that the
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
