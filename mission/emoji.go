package mission

import "unicode"

// Emoji returns how many emoji a text has: a sequence that is shown as one counts as one. A character
// that is text unless an emoji's selector follows it, such as ©, isn't one without.
func Emoji(text string) int {
	runes := []rune(text)
	n := 0
	for i := 0; i < len(runes); i++ {
		if !emojiAt(runes, i) {
			continue
		}
		n++
		if regional(runes[i]) && i+1 < len(runes) && regional(runes[i+1]) {
			i++
			continue
		}
		for i+1 < len(runes) && extends(runes, i+1) {
			i++
		}
	}
	return n
}

// emojiAt reports whether an emoji begins at an index.
func emojiAt(runes []rune, i int) bool {
	_, after := around(runes, i)
	r := runes[i]
	switch {
	case regional(r):
		return true
	case after == emojiSelector:
		return unicode.Is(pictographs, r) || r == '#' || r == '*' || r >= '0' && r <= '9'
	case after == textSelector:
		return false
	}
	return unicode.Is(pictographs, r) && r > lastTextual
}

// extends reports whether a character goes on with the emoji before it.
func extends(runes []rune, i int) bool {
	before, after := around(runes, i)
	switch r := runes[i]; {
	case r == emojiSelector, r == keycap, r >= 0x1f3fb && r <= 0x1f3ff, r >= 0xe0000 && r <= lastTag:
		return true
	case r == zeroWidthJoiner:
		return unicode.Is(pictographs, after)
	default:
		return before == zeroWidthJoiner
	}
}

func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

const (
	textSelector = '\ufe0e'
	keycap       = '\u20e3'
	// lastTextual is the last of the pictographs that are signs and arrows of texts: ©, ™, ↩.
	lastTextual = '\u21aa'
)
