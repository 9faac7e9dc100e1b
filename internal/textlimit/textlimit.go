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

	"missiond/mission"
)

// urlLength is what a link counts for on X and Mastodon, however long it is
// (docs.x.com, "Counting characters"; Mastodon's
// characters_reserved_per_url). What is a link, package links says.
const urlLength = 23

// mentions are accounts on other servers, of which Mastodon counts the name
// only.
var mentions = regexp.MustCompile(`@([A-Za-z0-9_.-]+)@[A-Za-z0-9.-]+`)

// littleText are the characters that LinkedIn's commentary has escaped by a
// backslash (Posts API, "little text").
const littleText = `\|{}@[]()<>#*_~`

// Length is how long a platform takes a text for, in its own unit. It takes
// time in proportion to the text.
func Length(c mission.Capabilities, text string) int {
	n := 0
	measure(c, text, func(_, weight int) { n += weight })
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

// emoji reports whether a code point makes its cluster an emoji.
func emoji(r rune) bool {
	const keycap, variation = 0x20E3, 0xFE0F
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == keycap || r == variation
}

// Fits reports whether a text is within the limits of one part.
func Fits(c mission.Capabilities, text string) bool {
	return TooLong(c, text) == ""
}

// excess is how many times its limit a text may have in code points before it
// is refused unmeasured: no platform takes that much, although links and
// mentions count for less than they have.
const excess = 10

// bounded reports whether a text is worth being measured as one part.
func bounded(c mission.Capabilities, text string) bool { return within(text, excess*c.MaxLength) }

// within reports whether a text has at most so many code points.
func within(text string, most int) bool {
	return len(text) <= most || len(text) <= most*utf8.UTFMax && utf8.RuneCountInString(text) <= most
}

// MaxParts is how many parts the longest thread of any platform has.
func MaxParts() int {
	most := 0
	for _, c := range mission.AllCapabilities() {
		most = max(most, c.MaxParts)
	}
	return most
}

// CheckSize refuses a text that no platform could hold, in however many parts,
// before it is known where it is for. Errors: invalid_request on param.
func CheckSize(param, text string) error {
	for _, c := range mission.AllCapabilities() {
		if within(text, threadBound(c)) {
			return nil
		}
	}
	return mission.Invalid(param, "The text is far too long for any platform.")
}

// Thread cuts a text into the parts of a thread, see Split. Errors:
// invalid_request on text for one that is too long to be looked at.
func Thread(c mission.Capabilities, text string) ([]string, error) {
	if !within(text, threadBound(c)) {
		return nil, mission.Invalid("text", "The text is far too long: %s takes at most %d parts of %d %s each.", c.Platform, c.MaxParts, c.MaxLength, c.Unit)
	}
	return Split(c, text), nil
}

// threadBound is how many code points are looked at of a text that is to be cut.
func threadBound(c mission.Capabilities) int { return excess * c.MaxLength * c.MaxParts }

// Check returns why a draft breaks its platform's limits, or nil. Errors:
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
	tooLong := TooLong(c, text)
	switch {
	case tooLong != "":
		return mission.Invalid(param, "%s takes less: the text %s.", c.Platform, tooLong)
	case strings.TrimSpace(text) == "":
		return mission.Invalid(param, "The text is empty.")
	case !utf8.ValidString(text) || strings.ContainsFunc(text, control):
		return mission.Invalid(param, "The text has control characters, or isn't UTF-8.")
	}
	return nil
}

// TooLong tells how a text is too long for one part, or "". A text that is far
// too long isn't measured.
func TooLong(c mission.Capabilities, text string) string {
	if !bounded(c, text) {
		return fmt.Sprintf("is far too long; at most %d %s are allowed", c.MaxLength, c.Unit)
	}
	if n := Length(c, text); n > c.MaxLength {
		return fmt.Sprintf("has %d %s; at most %d are allowed", n, c.Unit, c.MaxLength)
	}
	if c.MaxBytes > 0 && len(text) > c.MaxBytes {
		return fmt.Sprintf("has %d bytes; at most %d are allowed", len(text), c.MaxBytes)
	}
	return ""
}

func control(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
