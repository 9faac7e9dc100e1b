package textlimit

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/internal/fullstop"
)

// together reports whether what is before a position belongs to what follows on the same
// line, so that the text isn't cut there if there is another way.
func (s *splitting) together(at int) bool {
	next, end := s.next[at], s.last[at]
	if next >= s.atoms() || end == 0 || strings.ContainsAny(s.text[s.ends[end]:s.ends[next]], "\r\n") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s.atom(next))
	last, _ := utf8.DecodeRuneInString(s.atom(end - 1))
	if noStart(first) || opens(last) {
		return true
	}
	return next > end && s.continues(end, first)
}

// continues reports whether the word that ends at a position is a list's mark or number at
// the beginning of its line, or an abbreviation. next is the character that follows.
func (s *splitting) continues(end int, next rune) bool {
	start := end
	for start > 0 && !s.blank(start-1) {
		if start--; end-start > fullstop.Longest {
			return false
		}
	}
	word := s.text[s.ends[start]:s.ends[end]]
	line := s.last[start]
	if (line == 0 || strings.Contains(s.text[s.ends[line]:s.ends[start]], "\n")) && itemMark.MatchString(word) {
		return true
	}
	return fullstop.GoesOn(word, next)
}

// itemMark matches what begins an item of a list.
var itemMark = regexp.MustCompile(`^(?:[-*•–·]|\(?(?:[0-9]{1,3}|[A-Za-z])[.)])$`)

// opens reports whether nothing ends behind a character (Unicode Standard Annex 14, LB14).
func opens(r rune) bool { return unicode.In(r, unicode.Ps, unicode.Pi) || r == '¿' || r == '¡' }

// noStart reports whether nothing begins with a character: closing marks and those that end
// a sentence or a part of it, and small letters and marks of length of Japanese (LB13 and
// LB21, classes CL, CP, EX, IS and NS).
func noStart(r rune) bool {
	return unicode.In(r, unicode.Pe, unicode.Pf) || strings.ContainsRune("、。，．！？：；・‼⁇⁈⁉…‥｡､･ー～々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ,.!?:;", r)
}
