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
		if within(text, min(threadBound(c), longest())) || c.OwnLimits && within(text, longest()) {
			return nil
		}
	}
	return mission.Invalid(param, "The text is far too long for any platform.")
}

// longest returns how many code points the longest thread has of a server with limits of its own. Nothing
// is longer: no text of an article is shortened by its platform as links are.
func longest() int { return mission.MaxOwnLength * MaxParts() }

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

// CheckAnswer returns an error if an answer to a reply exceeds its platform's limits, which are those
// of a post or, where there are no threads, of a comment. Errors: invalid_request on param.
func CheckAnswer(c mission.Capabilities, param, text string) error {
	if problem := checkPart(c.Commenting(), param, text); problem != nil {
		return problem
	}
	return nil
}

// CheckCaptions returns an error if a part of a draft that has files is longer than its platform takes with
// them; has reports whether a part has any. Errors: the first of Captions.
func CheckCaptions(c mission.Capabilities, d mission.Draft, has func(part int) bool) error {
	for _, problem := range Captions(c, d, has) {
		return problem
	}
	return nil
}

// Captions returns the parts of a draft that have files and are longer than their platform takes with them,
// though not without: errors with the code invalid_request, whose param names text or parts[i].
func Captions(c mission.Capabilities, d mission.Draft, has func(part int) bool) (found []*mission.Error) {
	if c.CaptionLength == 0 {
		return nil
	}
	for i, text := range d.Texts() {
		if !has(i) || !Fits(c, text) {
			continue
		}
		if tooLong := TooLong(c.Captioning(), text); tooLong != "" {
			param := "text"
			if len(d.Parts) > 0 {
				param = fmt.Sprintf("parts[%d]", i)
			}
			found = append(found, mission.Invalid(param, "%s with a file.", strings.ToUpper(tooLong[:1])+tooLong[1:]))
		}
	}
	return found
}

// WithFiles returns what tells CheckCaptions which parts have files.
func WithFiles(media []mission.PostMedia) func(part int) bool {
	return func(part int) bool {
		return slices.ContainsFunc(media, func(m mission.PostMedia) bool { return m.Part == part })
	}
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
	case c.TitleLength > 0 && utf8.RuneCountInString(mission.TitleOf(text)) > c.TitleLength:
		return mission.Invalid(param, "The first line is the title on %s, which takes %d characters.", c.Platform.Name(), c.TitleLength)
	}
	return tooMany(c, param, text)
}

// tooMany returns an error if a text has more tags, mentions or links than its platform takes.
func tooMany(c mission.Capabilities, param, text string) *mission.Error {
	if c.MaxTags == 0 && c.MaxMentions == 0 && c.MaxLinks == 0 {
		return nil
	}
	counts := map[links.Kind]int{}
	for _, e := range links.Entities(c.Platform, text) {
		counts[e.Kind]++
	}
	for _, rule := range []struct {
		kind links.Kind
		most int
		what string
	}{{links.KindTag, c.MaxTags, "hashtags"}, {links.KindMention, c.MaxMentions, "mentions"}, {links.KindLink, c.MaxLinks, "links"}} {
		if n := counts[rule.kind]; rule.most > 0 && n > rule.most {
			return mission.Invalid(param, "%s takes at most %d %s in a post; the text has %d.", c.Platform.Name(), rule.most, rule.what, n)
		}
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
	if c.MaxBytes == 0 {
		return ""
	}
	if n := sentBytes(c, text); n > c.MaxBytes {
		return fmt.Sprintf("%s counts %s bytes; %s are allowed", c.Platform.Name(), grouped(n), grouped(c.MaxBytes))
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
