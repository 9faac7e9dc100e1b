package topic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// isLiteral reports whether a folded topic is looked for literally: its script
// doesn't separate words, or it has no letters.
func isLiteral(folded string) bool {
	return strings.ContainsFunc(folded, unparted) || !strings.ContainsFunc(folded, unicode.IsLetter)
}

// squash returns a folded text without seams, with single spaces, and none next
// to scripts that don't use them.
func squash(folded string) string {
	var b strings.Builder
	space := false
	last := rune(0)
	for _, r := range folded {
		switch {
		case r == seam:
			continue
		case unicode.IsSpace(r):
			space = true
			continue
		}
		if space && last != 0 && !(unparted(last) && unparted(r)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		space, last = false, r
	}
	return b.String()
}

// literalText is a text in which topics are looked for literally.
type literalText struct {
	text string
	// bound reports, for each byte and the end, whether a grapheme begins
	// there.
	bound []bool
}

func newLiteralText(folded string) *literalText {
	t := &literalText{text: squash(folded)}
	t.bound = make([]bool, len(t.text)+1)
	t.bound[len(t.text)] = true
	for each := graphemes.FromString(t.text); each.Next(); {
		t.bound[each.Start()] = true
	}
	return t
}

// has reports whether the text contains a topic between boundaries of graphemes
// and, if the script has them, of words.
func (t *literalText) has(topic string) bool {
	if topic == "" {
		return false
	}
	whole := shortKatakana(topic)
	for at := 0; ; {
		i := strings.Index(t.text[at:], topic)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(topic)
		if t.bound[start] && t.bound[end] && !t.within(start, end, whole) {
			return true
		}
		_, size := utf8.DecodeRuneInString(t.text[start:])
		at = start + size
	}
}

// within reports whether the text between two indexes is only part of a word.
func (t *literalText) within(start, end int, whole bool) bool {
	first, _ := utf8.DecodeRuneInString(t.text[start:])
	last, _ := utf8.DecodeLastRuneInString(t.text[:end])
	before, _ := utf8.DecodeLastRuneInString(t.text[:start])
	after, _ := utf8.DecodeRuneInString(t.text[end:])
	switch {
	case start > 0 && (parted(first) && parted(before) || whole && katakana(before)):
		return true
	case end < len(t.text) && (parted(last) && parted(after) || whole && katakana(after)):
		return true
	}
	return false
}

// shortKatakana reports whether a topic is a short katakana word, which must
// match a whole word: a run of katakana is usually one foreign word, and バス
// (bus) isn't in バスケット (basket).
func shortKatakana(topic string) bool {
	const short = 3
	return utf8.RuneCountInString(topic) <= short && !strings.ContainsFunc(topic, func(r rune) bool { return !katakana(r) })
}

func katakana(r rune) bool { return r == 'ー' || unicode.Is(unicode.Katakana, r) }
