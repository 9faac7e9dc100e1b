package linkedin

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reserved are the characters that mean something in a commentary ("little
// text"). LinkedIn cuts a text off, without a word, where one isn't understood.
const reserved = `\|{}@[]()<>#*_~`

var (
	// links are addresses as far as they have none of the characters that
	// enclose: a bracket that follows an address is seldom its own, and LinkedIn
	// would cut the text off there.
	links = regexp.MustCompile(`^https?://[^\p{Z}\p{C}\\|{}\[\]()<>*"]+`)
	// hashtags are letters, digits and underscores after their sign.
	hashtags = regexp.MustCompile(`^#[\p{L}\p{M}\p{N}_]+`)
)

// Escape returns a text as a commentary: its reserved characters are escaped,
// but not those of hashtags and links, which are to stay what they are.
func Escape(text string) string {
	var b strings.Builder
	before := ' '
	for text != "" {
		kept := intended(text, before)
		if kept == "" {
			r, size := utf8.DecodeRuneInString(text)
			if strings.ContainsRune(reserved, r) {
				b.WriteByte('\\')
			}
			kept = text[:size]
		}
		b.WriteString(kept)
		before, _ = utf8.DecodeLastRuneInString(kept)
		text = text[len(kept):]
	}
	return b.String()
}

// intended returns the hashtag or link that a text begins with, or "". Either
// begins a word.
func intended(text string, before rune) string {
	if !unicode.IsSpace(before) && !unicode.In(before, unicode.Ps, unicode.Pi) && before != '"' && before != '\'' {
		return ""
	}
	if tag := hashtags.FindString(text); tag != "" {
		return tag
	}
	return links.FindString(text)
}
