package checks

import (
	"regexp"
	"strings"
	"unicode"
)

// markup matches HTML: a tag that pages act on, a comment, or such a tag that is escaped.
var markup = regexp.MustCompile(`(?i)(?:^|[^\w])(?:<|&lt;)(?:/?(?:script|style|iframe|img|svg|a|div|span|object|embed|form|input|link|meta|body|html|head|button|video|audio|base|p|br|hr|b|i|u|em|strong|h[1-6]|ul|ol|li|table|tr|td|marquee|template|math)\b[^<>]{0,500}(?:>|&gt;|$)|\s*/?\s*script\b|!--|!\[CDATA\[|!doctype\b)`)

// leakedWords is how many words in a row of ours a text may not have.
const leakedWords = 7

// leaks reports whether a text quotes our instructions.
func leaks(text, rules string) bool {
	own := wordsIn(rules)
	runs := map[string]bool{}
	for i := range len(own) - leakedWords + 1 {
		runs[strings.Join(own[i:i+leakedWords], " ")] = true
	}
	said := wordsIn(text)
	for i := range max(0, len(said)-leakedWords+1) {
		if runs[strings.Join(said[i:i+leakedWords], " ")] {
			return true
		}
	}
	return false
}

// wordsIn returns the words of a text in lower case.
func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
