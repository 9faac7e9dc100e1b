package missions

import (
	"missiond/internal/checks"
	"missiond/internal/textlimit"
	"missiond/mission"
)

// leastRoom is the share of a platform's length that a disclosure's line must leave to the text.
const leastRoom = 4

// checkLine returns what is wrong if a line can't be the end of a mission's posts: it leaves too little
// room on a platform, or mentions an excluded topic.
func checkLine(line string, platforms []mission.Platform, excluded *checks.Exclusions) (found mission.Problems) {
	const param = "disclosure.line_text"
	for _, p := range platforms {
		caps, ok := mission.CapabilitiesOf(p)
		if takes := lineLength(caps, line); ok && takes > caps.MaxLength-caps.MaxLength/leastRoom {
			found = append(found, mission.Invalid(param, "The line takes %d of the %d characters of a post on %s, which leaves too little to the text.", takes, caps.MaxLength, p.Name()))
		}
	}
	if v := excluded.Words(line); line != "" && !v.Passed() {
		found = append(found, mission.Invalid(param, "%s", v.Failure().Message))
	}
	return found
}

// checkDisclosure is checkLine for a mission of a tenant with a brand.
func checkDisclosure(m mission.Mission, brand mission.Brand) error {
	line := m.Disclosure.Line()
	if line == "" {
		return nil
	}
	return checkLine(line, m.Platforms, checks.NewExclusions(m.Exclusions(brand))).Err()
}

// lineLength returns what a line takes of a post, in the platform's unit.
func lineLength(c mission.Capabilities, line string) int {
	return textlimit.Length(c, mission.LineRoom(line))
}

// disclosing returns an assignment whose writer leaves room for what a mission discloses.
func disclosing(a mission.Assignment, d mission.Disclosure) mission.Assignment {
	caps, _ := a.Capabilities()
	a.Disclosure, a.LineLength = d, lineLength(caps, d.Line())
	return a
}

// disclosing returns an edit of a post with the line that its text then ends with, because a writer
// wrote the post, and the line or "". A text that stays keeps the line that it has.
func (in EditInput) disclosing(c mission.Content, d mission.Disclosure) (EditInput, string) {
	if !in.worded() || c.Origin != mission.OriginWriter {
		return in, c.Disclosed.Line
	}
	return in.ending(d.Line()), d.Line()
}

// ending returns the input with a line at the end of its text.
func (in EditInput) ending(line string) EditInput {
	if in.Text != nil {
		text := mission.WithLine(*in.Text, line)
		in.Text = &text
		return in
	}
	d := mission.Draft{Text: joined(in.Parts), Parts: in.Parts}.Disclosing(line)
	in.Parts = d.Parts
	return in
}
