// Package textlimit measures texts as platforms do, and cuts what is too long
// into a thread.
package textlimit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"missiond/mission"
)

// urlLength is what a link counts for on X and Mastodon, however long it is
// (docs.x.com, "Counting characters"; Mastodon's
// characters_reserved_per_url).
const urlLength = 23

// schemed are addresses with their scheme, which alone Mastodon shortens.
var schemed = regexp.MustCompile(`(?i)\bhttps?://[^\s<>"]+`)

// mentions are accounts on other servers, of which Mastodon counts the name
// only.
var mentions = regexp.MustCompile(`@([A-Za-z0-9_.-]+)@[A-Za-z0-9.-]+`)

// littleText are the characters that LinkedIn's commentary has escaped by a
// backslash (Posts API, "little text").
const littleText = `\|{}@[]()<>#*_~`

// Length is how long a platform takes a text for, in its own unit.
func Length(c mission.Capabilities, text string) int {
	switch c.Unit {
	case mission.UnitWeighted:
		return weighted(text)
	case mission.UnitGraphemes:
		return uniseg.GraphemeClusterCount(text)
	case mission.UnitMastodon:
		text = mentions.ReplaceAllString(text, "@$1")
		short := schemed.ReplaceAllString(text, strings.Repeat("x", urlLength))
		return uniseg.GraphemeClusterCount(short)
	case mission.UnitEscaped:
		escapes := strings.Count(text, "") - 1 // the runes
		for _, r := range text {
			if strings.ContainsRune(littleText, r) {
				escapes++
			}
		}
		return escapes
	default:
		return utf8.RuneCountInString(text)
	}
}

// weighted counts as X does (twitter-text, configuration 3): links for 23, most
// scripts of alphabets for 1, emoji and everything else for 2. A bare domain
// counts for its length where that is more, for X may not take it for a link.
func weighted(text string) int {
	text = norm.NFC.String(text)
	n := 0
	rest := mission.Links.ReplaceAllStringFunc(text, func(link string) string {
		if n += urlLength; !schemed.MatchString(link) {
			n += max(0, utf8.RuneCountInString(link)-urlLength)
		}
		return ""
	})
	for clusters := uniseg.NewGraphemes(rest); clusters.Next(); {
		runes := clusters.Runes()
		if slices.ContainsFunc(runes, emoji) {
			n += 2
			continue
		}
		for _, r := range runes {
			n += weight(r)
		}
	}
	return n
}

// weight is twitter-text's of one code point.
func weight(r rune) int {
	light := [][2]rune{{0, 0x10FF}, {0x2000, 0x200D}, {0x2010, 0x201F}, {0x2032, 0x2037}}
	if slices.ContainsFunc(light, func(span [2]rune) bool { return span[0] <= r && r <= span[1] }) {
		return 1
	}
	return 2
}

// emoji tells whether a code point makes its cluster an emoji.
func emoji(r rune) bool {
	const keycap, variation = 0x20E3, 0xFE0F
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == keycap || r == variation
}

// Fits tells whether a text is within the limits of one part.
func Fits(c mission.Capabilities, text string) bool {
	return Length(c, text) <= c.MaxLength && (c.MaxBytes == 0 || len(text) <= c.MaxBytes)
}

// Check answers why a draft breaks its platform's limits, or nil. Errors:
// invalid_request, whose param names type, text, parts or parts[i].
func Check(c mission.Capabilities, d mission.Draft) error {
	if !slices.Contains(c.Formats, d.Format) {
		return mission.Invalid("type", "%s takes no %s.", c.Platform, d.Format)
	}
	if d.Format != mission.FormatThread {
		return checkPart(c, "text", d.Text)
	}
	if n := len(d.Parts); n < 2 || n > c.MaxParts {
		return mission.Invalid("parts", "A thread on %s has 2 to %d parts, not %d.", c.Platform, c.MaxParts, n)
	}
	for i, part := range d.Parts {
		if err := checkPart(c, fmt.Sprintf("parts[%d]", i), part); err != nil {
			return err
		}
	}
	return nil
}

func checkPart(c mission.Capabilities, param, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return mission.Invalid(param, "The text is empty.")
	case !utf8.ValidString(text) || strings.ContainsFunc(text, control):
		return mission.Invalid(param, "The text has control characters, or isn't UTF-8.")
	case Length(c, text) > c.MaxLength:
		return mission.Invalid(param, "%s takes at most %d %s, this has %d.", c.Platform, c.MaxLength, c.Unit, Length(c, text))
	case c.MaxBytes > 0 && len(text) > c.MaxBytes:
		return mission.Invalid(param, "%s takes at most %d bytes, this has %d.", c.Platform, c.MaxBytes, len(text))
	}
	return nil
}

func control(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// Mentions answers the first of the topics that text mentions as whole words,
// whatever their case.
func Mentions(text string, topics []string) (topic string, found bool) {
	haystack := " " + words(text) + " "
	for _, topic := range topics {
		if needle := words(topic); needle != "" && strings.Contains(haystack, " "+needle+" ") {
			return topic, true
		}
	}
	return "", false
}

// words is text as lower-case words with single spaces, so that phrases compare
// whatever stands between their words.
func words(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), " "))
}
