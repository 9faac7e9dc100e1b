// Package textlimit measures texts as platforms do, and splits long texts into
// threads.
package textlimit

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/internal/links"
	"missiond/mission"
)

// littleText are the characters that LinkedIn's commentary escapes with a
// backslash (Posts API, "little text").
const littleText = `\|{}@[]()<>#*_~`

// Length returns the length of a text as a platform counts it, in its unit. The
// time is linear in the text.
func Length(c mission.Capabilities, text string) int {
	n := 0
	measure(c, text, func(_, weight int) { n += weight })
	return n
}

// Fits reports whether a text is within the limits of one part.
func Fits(c mission.Capabilities, text string) bool {
	return TooLong(c, text) == ""
}

// excess is how many times its limit a text may have in code points before it
// is rejected without being measured: no platform takes that much, although
// links and mentions count for less than their characters.
const excess = 10

// bounded reports whether a text is short enough to be measured as one part.
func bounded(c mission.Capabilities, text string) bool { return within(text, excess*c.MaxLength) }

// within reports whether a text has at most most code points.
func within(text string, most int) bool {
	return len(text) <= most || len(text) <= most*utf8.UTFMax && utf8.RuneCountInString(text) <= most
}

// MaxParts returns the number of parts of the longest thread of any platform.
func MaxParts() int {
	most := 0
	for _, c := range mission.AllCapabilities() {
		most = max(most, c.MaxParts)
	}
	return most
}

// CheckSize rejects a text that no platform could take in any number of parts,
// before its platform is known. Errors: invalid_request on param.
func CheckSize(param, text string) error {
	for _, c := range mission.AllCapabilities() {
		if within(text, threadBound(c)) || c.OwnLimits && within(text, mission.MaxOwnLength*c.MaxParts) {
			return nil
		}
	}
	return mission.Invalid(param, "The text is far too long for any platform.")
}

// Thread splits a text into the parts of a thread, see Split. Errors:
// invalid_request on text if it is too long to be split.
func Thread(c mission.Capabilities, text string) ([]string, error) {
	if !within(text, threadBound(c)) {
		return nil, mission.Invalid("text", "The text is far too long: %s takes at most %d parts of %s characters each.", c.Platform.Name(), c.MaxParts, grouped(c.MaxLength))
	}
	return Split(c, text), nil
}

// threadBound returns how many code points a text to be split may have.
func threadBound(c mission.Capabilities) int { return excess * c.MaxLength * c.MaxParts }

// Check returns an error if a draft exceeds its platform's limits. Errors: the first of
// Problems.
func Check(c mission.Capabilities, d mission.Draft) error {
	for problem := range problems(c, d) {
		return problem
	}
	return nil
}

// CheckComment returns an error if a first comment exceeds its platform's limits. Errors:
// invalid_request on param.
func CheckComment(c mission.Capabilities, param, text string) error {
	if !c.FirstComment {
		return mission.Invalid(param, "%s takes no first comment.", c.Platform.Name())
	}
	if problem := checkPart(c.Commenting(), param, text); problem != nil {
		return problem
	}
	return nil
}

// Problems returns all that is wrong with a draft on its platform: errors with the code
// invalid_request, whose param names type, text, parts or parts[i].
func Problems(c mission.Capabilities, d mission.Draft) []*mission.Error {
	return slices.Collect(problems(c, d))
}

func problems(c mission.Capabilities, d mission.Draft) iter.Seq[*mission.Error] {
	return func(yield func(*mission.Error) bool) {
		if !slices.Contains(c.Formats, d.Format) && !yield(mission.Invalid("type", "%s takes no %s.", c.Platform.Name(), d.Format)) {
			return
		}
		if d.Format != mission.FormatThread {
			if problem := checkPart(c, "text", d.Text); problem != nil {
				yield(problem)
			}
			return
		}
		if n := len(d.Parts); c.Threads() && (n < 2 || n > c.MaxParts) && !yield(mission.Invalid("parts", "A thread on %s must have 2 to %d parts, not %d.", c.Platform.Name(), c.MaxParts, n)) {
			return
		}
		for i, part := range d.Parts {
			if problem := checkPart(c, fmt.Sprintf("parts[%d]", i), part); problem != nil && !yield(problem) {
				return
			}
		}
	}
}

func checkPart(c mission.Capabilities, param, text string) *mission.Error {
	tooLong := TooLong(c, text)
	var unseen *mission.Error
	switch {
	case tooLong != "":
		return mission.Invalid(param, "%s.", strings.ToUpper(tooLong[:1])+tooLong[1:])
	case !mission.HasVisible(text):
		return mission.Invalid(param, "The text is empty.")
	case !utf8.ValidString(text) || strings.ContainsFunc(text, control):
		return mission.Invalid(param, "The text must be valid UTF-8 without control characters; only tabs and line breaks are allowed.")
	case errors.As(mission.CheckVisible(param, text), &unseen):
		return unseen
	case c.Platform == mission.Twitter && links.Cashtags(text) > maxCashtags:
		return mission.Invalid(param, "X allows one cashtag (such as $ABC) in a post.")
	}
	return nil
}

// maxCashtags is how many cashtags X takes in a post: it refuses more.
const maxCashtags = 1

// TooLong says by how much a text is too long for one part, in words that follow a colon;
// "" if it isn't. A text that is far too long isn't measured.
func TooLong(c mission.Capabilities, text string) string {
	if !bounded(c, text) {
		return fmt.Sprintf("the text is far too long; %s allows %s characters", c.Platform.Name(), grouped(c.MaxLength))
	}
	if n := Length(c, text); n > c.MaxLength {
		return fmt.Sprintf("%s counts %s characters; %s are allowed", c.Platform.Name(), grouped(n), grouped(c.MaxLength))
	}
	if c.MaxBytes > 0 && len(text) > c.MaxBytes {
		return fmt.Sprintf("%s counts %s bytes; %s are allowed", c.Platform.Name(), grouped(len(text)), grouped(c.MaxBytes))
	}
	return ""
}

// grouped returns a number as people read it: 3,100.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func control(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
