package topic

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word of a folded text, with the symbols that belong to it.
type word struct {
	before string // "." of ".net"
	text   string
	after  string // "++" of "c++", "#" of "c#"
}

// full returns the word with its symbols.
func (w word) full() string { return dotted(w.before + w.text + w.after) }

// plain returns the word without its symbols; "" if they make it a different
// word, as with short words.
func (w word) plain() string {
	const shortAfter, shortBefore = 2, 3
	n := utf8.RuneCountInString(w.text)
	if w.after != "" && n <= shortAfter || w.before != "" && n <= shortBefore {
		return ""
	}
	return dotted(w.text)
}

// dotted returns a word with ı replaced by i: capitals don't distinguish the
// Turkish ı from i.
func dotted(text string) string { return strings.ReplaceAll(text, "ı", "i") }

// words are the words of a folded text.
type words struct {
	words []word
	// joined are the words that belong together, written as one: those of
	// "e-mail", of "U.S.A.", and of a hashtag.
	joined []string
	tags   []string // the joined ones, and single words, that are hashtags
}

// split returns the words of a folded text.
func split(folded string) words {
	s := splitter{rest: []rune(folded)}
	for s.next() {
	}
	s.untie()
	return s.found
}

// splitter scans a text word by word.
type splitter struct {
	rest  []rune
	at    int
	found words
	tied  []string // the words that belong together so far
	tag   bool     // whether they are a hashtag
}

// next finds the next word; it reports whether there was one.
func (s *splitter) next() bool {
	start := s.at
	for s.at < len(s.rest) && !parted(s.rest[s.at]) {
		s.at++
	}
	between := s.rest[start:s.at]
	if s.at == len(s.rest) {
		return false
	}
	begin := s.at
	for s.at < len(s.rest) && (parted(s.rest[s.at]) || s.inside()) {
		s.at++
	}
	w := word{text: string(s.rest[begin:s.at])}
	if n := len(between); n > 0 && between[n-1] == '.' && (n == 1 && start == 0 || n > 1 && between[n-2] != '.') {
		w.before = "."
	}
	w.after = s.symbols()
	s.tie(w, between)
	s.found.words = append(s.found.words, w)
	s.skipPossessive()
	return true
}

// inside reports whether a character between two letters is part of their word:
// the apostrophe of "don't", and an ampersand between single letters, as in
// "R&D". Any other apostrophe separates words, as in "l'alcool".
func (s *splitter) inside() bool {
	if s.at == 0 || s.at+1 >= len(s.rest) {
		return false
	}
	last, r, next := s.rest[s.at-1], s.rest[s.at], s.rest[s.at+1]
	switch r {
	case '\'':
		return last == 'n' && next == 't' && !s.parted(s.at+2)
	case '&':
		short := func(end, step int) bool { // whether a word of one or two letters ends there
			return s.parted(end) && !(s.parted(end+step) && s.parted(end+2*step))
		}
		return short(s.at-1, -1) && short(s.at+1, 1)
	}
	return false
}

func (s *splitter) parted(i int) bool { return i >= 0 && i < len(s.rest) && parted(s.rest[i]) }

// symbols consumes and returns the symbols after a word that are part of its
// name.
func (s *splitter) symbols() string {
	start := s.at
	for s.at < len(s.rest) && s.rest[s.at] == '+' {
		s.at++
	}
	if s.at == start && s.at < len(s.rest) && s.rest[s.at] == '#' && !s.parted(s.at+1) {
		s.at++
	}
	return string(s.rest[start:s.at])
}

// skipPossessive skips the 's of a possessive.
func (s *splitter) skipPossessive() {
	if s.at+1 < len(s.rest) && s.rest[s.at] == '\'' && s.rest[s.at+1] == 's' && !s.parted(s.at+2) {
		s.at += 2
	}
}

// tie records whether a word belongs to the one before it, by the characters
// between them.
func (s *splitter) tie(w word, between []rune) {
	tied := len(s.tied) > 0 && len(between) == 1
	if tied {
		switch between[0] {
		case '-', '‐', '_', seam:
		case '.':
			tied = utf8.RuneCountInString(s.tied[len(s.tied)-1]) == 1 && utf8.RuneCountInString(w.text) == 1
		default:
			tied = false
		}
	}
	if !tied {
		s.untie()
		s.tag = len(between) > 0 && between[len(between)-1] == '#'
	}
	s.tied = append(s.tied, w.text)
}

// untie ends the words that belong together.
func (s *splitter) untie() {
	one := strings.Join(s.tied, "")
	if len(s.tied) > 1 {
		s.found.joined = append(s.found.joined, one)
	}
	if s.tag && one != "" {
		s.found.tags = append(s.found.tags, one)
	}
	s.tied = s.tied[:0]
}

// parted reports whether r is part of a word in a script that separates its
// words.
func parted(r rune) bool { return wordly(r) && !unparted(r) }

// unparted reports whether r is of a script that doesn't put spaces between
// words.
func unparted(r rune) bool {
	const (
		prolonged = 'ー'      // of both kana
		first     = '\u02ea' // of Bopomofo
	)
	return r >= first && (r == prolonged || unicode.In(r,
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar, unicode.Tibetan, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet, unicode.Javanese, unicode.Balinese))
}
