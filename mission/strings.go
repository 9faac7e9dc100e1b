package mission

import (
	"strings"
	"unicode"
	"unicode/utf8"
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

// hiddenIn returns the first character of text that breaks a line, is invisible
// or reorders others, if there is one. The joiners that scripts and emoji need
// are allowed where they join something, and tags where they spell a flag.
func hiddenIn(text string) (r rune, found bool) {
	runes := []rune(text)
	for i, r := range runes {
		before, after := around(runes, i)
		switch {
		case r == zeroWidthNonJoiner || r == zeroWidthJoiner:
			if !joins(before) || !joins(after) {
				return r, true
			}
		case unicode.Is(tags, r):
			if before != blackFlag && !unicode.Is(tags, before) {
				return r, true
			}
		case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point),
			unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r):
			return r, true
		}
	}
	return 0, false
}

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	blackFlag          = '\U0001f3f4'
)

// tags spell the flags of regions behind blackFlag (UTS #51, section C.1).
var tags = &unicode.RangeTable{R32: []unicode.Range32{{Lo: 0xe0020, Hi: 0xe007f, Stride: 1}}}

// around returns the neighbours of the character at i; 0 if there is none.
func around(runes []rune, i int) (before, after rune) {
	if i > 0 {
		before = runes[i-1]
	}
	if i+1 < len(runes) {
		after = runes[i+1]
	}
	return before, after
}

// joins reports whether a joiner next to r can have an effect: r is in a script
// whose letters join, or part of an emoji.
func joins(r rune) bool {
	if unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.So, unicode.Sk)
}
