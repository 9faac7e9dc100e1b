package mission

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// CheckString rejects what no string from outside may contain: bytes that
// aren't UTF-8, and control characters other than tab and line breaks. Postgres
// stores neither, SQLite cuts a text at U+0000, and no platform accepts them.
// Every string is checked where it enters the service, and what its field means
// afterwards. Errors: invalid_request on param.
func CheckString(param, text string) error {
	if !utf8.ValidString(text) {
		return Invalid(param, "The text is not valid UTF-8.")
	}
	for _, r := range text {
		if isForbidden(r) {
			return Invalid(param, "The text contains the control character U+%04X; only tabs and line breaks are allowed.", r)
		}
	}
	return nil
}

func isForbidden(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r'
}

// checkLine is checkText for what is shown within a line of something else,
// such as a name in a mail: it allows no line breaks, and no characters that
// are invisible or reorder others.
func checkLine(param, text string, atLeast, atMost int) error {
	if err := checkText(param, text, atLeast, atMost); err != nil {
		return err
	}
	if r, found := hiddenIn(text); found {
		return Invalid(param, "The text must be one line of visible characters; it contains U+%04X.", r)
	}
	return nil
}

// CleanLine returns text without the characters that checkLine rejects. It is
// for texts that callers can't correct, such as the names that an identity
// provider sends.
func CleanLine(text string) string {
	text = strings.ToValidUTF8(text, "")
	for {
		r, found := hiddenIn(text)
		if !found {
			return strings.TrimSpace(text)
		}
		text = strings.ReplaceAll(text, string(r), "")
	}
}

// hiddenIn returns the first character of text that can't be in a line, if there is one:
// hidden ones (see FirstHidden), and those that break a line or reorder it.
func hiddenIn(text string) (r rune, found bool) {
	s := newScan([]rune(text))
	for i, r := range s.runes {
		bidi := unicode.Is(unicode.Bidi_Control, r)
		if s.hides(i) != "" || bidi || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) {
			return r, true
		}
	}
	return 0, false
}

// SameText reports whether people see two texts as one, whatever way their characters are composed.
func SameText(a, b string) bool { return a == b || norm.NFC.String(a) == norm.NFC.String(b) }

func list[T ~string](items []T) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = string(item)
	}
	return strings.Join(texts, ", ")
}
