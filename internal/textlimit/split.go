package textlimit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/mission"
)

// Split cuts a text into parts that each fit the platform: at the ends of
// sentences, between words if a sentence is too long, and within a word if that
// is too long, but never within a link that fits, nor, if there is another way,
// before a closing mark, or between an abbreviation or the number of a list's
// item and what it belongs to. Only white space at the cuts is lost. The time is linear in the text.
func Split(c mission.Capabilities, text string) []string {
	s := newSplitting(c, text)
	var parts []string
	for start := s.visible(0); start < s.atoms(); {
		end := s.partFrom(start)
		parts = append(parts, s.trimmed(start, end))
		start = s.visible(end)
	}
	return parts
}

// splitting is the state of a split. Positions in it are numbers of atoms, so
// that the figures of the text before a position are known without another
// scan.
type splitting struct {
	c    mission.Capabilities
	text string
	// ends are where the atoms end in the text; the first is 0, of none.
	ends []int
	// weights are the weights of the text up to each position, runes its code
	// points.
	weights, runes []int
	// next is, for each position, the first atom from it on that isn't white
	// space, last the position after the last such atom before it.
	next, last []int
	// pieces are the positions where the text may be cut, in order.
	pieces []int
	// looked counts what was read since the text was measured, in bytes and
	// pieces.
	looked int
}

func newSplitting(c mission.Capabilities, text string) *splitting {
	s := &splitting{c: c, text: text, ends: []int{0}, weights: []int{0}, runes: []int{0}}
	measure(c, text, func(end, weight int) {
		s.runes = append(s.runes, s.runes[len(s.runes)-1]+utf8.RuneCountInString(text[s.ends[len(s.ends)-1]:end]))
		s.ends = append(s.ends, end)
		s.weights = append(s.weights, s.weights[len(s.weights)-1]+weight)
	})
	n := s.atoms()
	s.next, s.last = make([]int, n+1), make([]int, n+1)
	s.next[n] = n
	for i := range n {
		if s.last[i+1] = s.last[i]; !s.blank(i) {
			s.last[i+1] = i + 1
		}
	}
	for i := n - 1; i >= 0; i-- {
		if s.next[i] = s.next[i+1]; !s.blank(i) {
			s.next[i] = i
		}
	}
	s.cut()
	return s
}

func (s *splitting) atoms() int         { return len(s.ends) - 1 }
func (s *splitting) atom(i int) string  { return s.text[s.ends[i]:s.ends[i+1]] }
func (s *splitting) blank(i int) bool   { return strings.TrimSpace(s.atom(i)) == "" }
func (s *splitting) visible(at int) int { return s.next[at] }

// trimmed returns the text between two positions without the white space around
// it.
func (s *splitting) trimmed(start, end int) string {
	return s.text[s.ends[s.next[start]]:s.ends[max(s.last[end], s.next[start])]]
}

// fits reports whether the atoms between two positions fit, without white space
// around them.
func (s *splitting) fits(start, end int) bool { return s.within(start, end, s.c.MaxLength) }

// within reports whether the same atoms weigh at most most.
func (s *splitting) within(start, end, most int) bool {
	start = s.next[start]
	end = max(s.last[end], start)
	if s.runes[end]-s.runes[start] > excess*s.c.MaxLength || s.c.MaxBytes > 0 && s.ends[end]-s.ends[start] > s.c.MaxBytes {
		return false
	}
	return s.weights[end]-s.weights[start] <= most
}

// cut finds the pieces: sentences, or the words of those that don't fit, or the
// atoms of words that don't.
func (s *splitting) cut() {
	start := 0
	for _, end := range s.sentences() {
		if s.fits(start, end) {
			s.pieces = append(s.pieces, end)
		} else {
			s.cutSentence(start, end)
		}
		start = end
	}
}

func (s *splitting) cutSentence(start, end int) {
	for word, i := start, start; i < end; i++ {
		if i+1 < end && (!s.blank(i) || s.together(i+1)) {
			continue
		}
		if s.fits(word, i+1) {
			s.pieces = append(s.pieces, i+1)
		} else {
			for at := word + 1; at <= i+1; at++ {
				if at == i+1 || !s.together(at) {
					s.pieces = append(s.pieces, at)
				}
			}
		}
		word = i + 1
	}
}

// sentences returns the positions where sentences end, the text's end last: at
// the end of a line, and after a mark that ends a sentence if white space
// follows it or the script needs none (Unicode Standard Annex 29, section 5,
// without its long lookahead). A full stop before a lower-case letter ends
// nothing.
func (s *splitting) sentences() []int {
	var ends []int
	var mark rune // the mark that may have ended a sentence before the atom; 0 for none
	for i := range s.atoms() {
		first, _ := utf8.DecodeRuneInString(s.atom(i))
		if s.blank(i) {
			if first == '\n' || first == '\r' {
				ends, mark = append(ends, i+1), 0
			}
			continue
		}
		spaced := i > 0 && s.blank(i-1)
		if mark != 0 && !spaced && closes(first) {
			continue
		}
		if ended(mark, first, spaced) && !s.together(i) {
			ends = append(ends, i)
		}
		if mark = 0; unicode.Is(unicode.Sentence_Terminal, first) {
			mark = first
		}
	}
	return append(ends, s.atoms())
}

// ended reports whether a mark ended a sentence before the character next;
// spaced is whether white space is between them. A mark of 0 ends nothing.
func ended(mark, next rune, spaced bool) bool {
	switch {
	case mark == 0, mark == '.' && unicode.IsLower(next):
		return false
	case spaced:
		return true
	}
	return mark > unicode.MaxASCII && !unicode.Is(unicode.Sentence_Terminal, next)
}

// closes reports whether a character may come between a sentence's mark and its
// end.
func closes(r rune) bool {
	return unicode.In(r, unicode.Pe, unicode.Pf) || r == '"' || r == '\''
}

// partFrom returns the end of the part that begins at start: after as many
// pieces as fit, and at least one atom.
func (s *splitting) partFrom(start int) int {
	for most := s.c.MaxLength; ; most /= 2 {
		end := s.take(start, most)
		part := s.trimmed(start, end)
		s.looked += len(part)
		// A cut within a word may create a link.
		if end == start+1 || Fits(s.c, part) {
			return end
		}
	}
}

// take returns the position after the pieces from start on that weigh at most
// most; if not even the first does, after as many of its atoms as do, at least
// one.
func (s *splitting) take(start, most int) int {
	end := start
	for i, _ := slices.BinarySearch(s.pieces, start+1); i < len(s.pieces) && s.within(start, s.pieces[i], most); i++ {
		end = s.pieces[i]
		s.looked++
	}
	if end > start {
		return end
	}
	for end = start + 1; end < s.atoms() && s.within(start, end+1, most); end++ {
		s.looked++
	}
	return end
}
