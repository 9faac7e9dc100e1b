package links

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// asciiIn reports whether a character is an ASCII letter or digit, or one of
// others.
func asciiIn(r rune, others string) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	}
	return r <= unicode.MaxASCII && strings.ContainsRune(others, r)
}

// accents are twitter-text's Latin letters beyond ASCII.
var accents = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0xC0, Hi: 0xD6, Stride: 1}, {Lo: 0xD8, Hi: 0xF6, Stride: 1}, {Lo: 0xF8, Hi: 0x24F, Stride: 1},
	{Lo: 0x253, Hi: 0x254, Stride: 1}, {Lo: 0x256, Hi: 0x257, Stride: 1}, {Lo: 0x259, Hi: 0x25B, Stride: 2},
	{Lo: 0x263, Hi: 0x268, Stride: 5}, {Lo: 0x26F, Hi: 0x272, Stride: 3}, {Lo: 0x289, Hi: 0x28B, Stride: 2},
	{Lo: 0x2BB, Hi: 0x2BB, Stride: 1}, {Lo: 0x300, Hi: 0x36F, Stride: 1}, {Lo: 0x1E00, Hi: 0x1EFF, Stride: 1},
}}

func accented(r rune) bool { return r > unicode.MaxASCII && unicode.Is(accents, r) }

func cyrillic(r rune) bool { return 0x400 <= r && r <= 0x4FF }

// space reports whether a character is white space or an invisible separator.
func space(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Z, r) }

// punctuation reports whether a character can't be in a label of any script.
func punctuation(r rune) bool {
	return asciiPunctuation(r) || 0x2000 <= r && r <= 0x206F || r == utf8.RuneError
}

func asciiPunctuation(r rune) bool {
	return r > ' ' && r < unicode.MaxASCII && !asciiIn(r, "")
}

// maxTLD is the maximal length of a non-ASCII top-level domain, in characters.
const maxTLD = 24

// tldAt returns the end of the top-level domain that begins at an index, or 0:
// all the ASCII letters there, or as many letters of another script as form
// one.
func tldAt(text string, from int) int {
	for _, end := range endsOfTLD(text, from) {
		if next, _ := utf8.DecodeRuneInString(text[end:]); end < len(text) && asciiIn(next, "@+-") {
			continue
		}
		if IsTLD(text[from:end]) {
			return end
		}
	}
	return 0
}

// endsOfTLD returns the indexes where a top-level domain that begins at an
// index may end, the farthest first.
func endsOfTLD(text string, from int) []int {
	at, punycode := from, hasPrefixFold(text[from:], "xn--")
	for at < len(text) && at-from <= maxLabel && asciiIn(rune(text[at]), "-") && (punycode || unicode.IsLetter(rune(text[at]))) {
		at++
	}
	if at > from {
		return []int{at}
	}
	var ends []int
	for at < len(text) && len(ends) < maxTLD {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r <= unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		at += size
		ends = append(ends, at)
	}
	slices.Reverse(ends)
	return ends
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// IsTLD reports whether a label is a top-level domain, by the ICANN rules in
// the Public Suffix List.
func IsTLD(label string) bool {
	ascii, err := idna.Punycode.ToASCII(strings.ToLower(label))
	if err != nil || strings.Contains(ascii, ".") {
		return false
	}
	if _, known := publicsuffix.PublicSuffix(ascii); known {
		return true
	}
	_, known := publicsuffix.PublicSuffix("x." + ascii) // of which only what is below it is public
	return known
}

// sound reports whether a host's labels have valid lengths, and letters that Punycode has. As
// in twitter-text, labels in ASCII aren't looked into, whatever Punycode they seem to be.
func sound(host string) bool {
	total := -1
	for label := range strings.SplitSeq(strings.ToLower(host), ".") {
		if strings.ContainsFunc(label, func(r rune) bool { return r > unicode.MaxASCII }) {
			var err error
			if label, err = idna.Punycode.ToASCII(label); err != nil {
				return false
			}
		}
		if len(label) > maxLabel {
			return false
		}
		total += len(".") + len(label)
	}
	return total <= maxHost
}
