package builtin

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/internal/fullstop"
)

// sentenceEnds are where sentences may end, in scripts that write no space behind them too.
var sentenceEnds = regexp.MustCompile(`([\p{L}\p{M}\p{N})»”"%€][ \x{a0}\x{202f}]?[.!?…؟।]+[»”"]*)\s+|[。！？｡]+[」』）”]*|$`)

// sentences parts a text. A word is no sentence: it stays with those beside it on its line,
// since it may be what an abbreviation that isn't known cuts off.
func sentences(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		at, first := 0, len(all)
		for _, end := range sentenceEnds.FindAllStringIndex(line, -1) {
			if goesOnBehind(line[at:end[1]], line[end[1]:]) {
				continue
			}
			s, last := spaced(line[at:end[1]]), len(all)-1
			switch at = end[1]; {
			case s == "":
			case last >= first && (isWord(s) || isWord(all[last])):
				all[last] += " " + s
			default:
				all = append(all, s)
			}
		}
	}
	return all
}

// isWord reports whether a text is one word of a script that parts words by spaces.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// goesOnBehind reports whether a sentence that may end goes on, which it does before a small
// letter or a digit: "ca. 20".
func goesOnBehind(text, next string) bool {
	text = strings.TrimSpace(text)
	if next == "" || !strings.HasSuffix(text, ".") || phoneEnds.MatchString(text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(next)
	word := text[max(strings.LastIndexFunc(text, unicode.IsSpace), 0):]
	return unicode.IsLower(r) || unicode.IsDigit(r) || fullstop.GoesOn(strings.TrimSpace(word), r)
}

// lastMark returns the last character of a text that isn't a quotation mark, a bracket or an emoji.
func lastMark(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.Sentence_Terminal, r) && r != '…' && r != ':'
	}))
	return r
}

// isEnded reports whether a text ends as a sentence does, in a script whose sentences end with a mark.
func isEnded(text string) bool {
	last := lastMark(text)
	return last == '…' || unicode.In(last, unicode.Sentence_Terminal, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// ended returns a text that ends as a sentence does.
func ended(text string) string {
	if text = strings.TrimSpace(text); text == "" || isEnded(text) || leads(text) {
		return text
	}
	if last := lastMark(text); unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return text + "。"
	}
	return text + "."
}

// spaced returns a text on one line with single spaces.
func spaced(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
