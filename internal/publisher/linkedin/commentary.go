package linkedin

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reserved are the characters with a meaning in a commentary ("little text"). At
// one that it doesn't understand, LinkedIn silently cuts the text off.
const reserved = `\|{}@[]()<>#*_~`

var (
	// links matches addresses up to a bracket or quote: a bracket after an address
	// is seldom part of it, and LinkedIn would cut the text off there.
	links = regexp.MustCompile(`^https?://[^\p{Z}\p{C}\\|{}\[\]()<>*"]+`)
	// hashtags matches letters, digits and underscores after their sign.
	hashtags = regexp.MustCompile(`^#[\p{L}\p{M}\p{N}_]+`)
)

// Escape returns a text as a commentary: reserved characters are escaped, except
// those of hashtags and links, which are to stay what they are.
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

// intended returns the hashtag or link at the beginning of text, or "". Both begin
// a word.
func intended(text string, before rune) string {
	if !unicode.IsSpace(before) && !unicode.In(before, unicode.Ps, unicode.Pi) && before != '"' && before != '\'' {
		return ""
	}
	if tag := hashtags.FindString(text); tag != "" {
		return tag
	}
	return links.FindString(text)
}
