package textlimit

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/text/unicode/norm"

	"missiond/internal/links"
	"missiond/mission"
)

// measure scans a text once and calls atom for each of its atoms in order: what
// a platform counts as one, a character or a whole link. end is where an atom
// ends in the text, weight what it counts for.
func measure(c mission.Capabilities, text string, atom func(end, weight int)) {
	start := 0
	for _, s := range shortened(c, text) {
		characters(c, text[start:s.start], start, atom)
		atom(s.end, s.weight)
		start = s.end
	}
	characters(c, text[start:], start, atom)
}

// shorter is a piece of a text whose weight isn't that of its characters.
type shorter struct{ start, end, weight int }

// shortened returns those pieces of a text, in order: links, as package links defines
// them, and on Mastodon mentions.
func shortened(c mission.Capabilities, text string) []shorter {
	if c.LinkLength == 0 {
		return nil
	}
	var found []shorter
	if c.Unit == mission.UnitWeighted {
		for _, link := range links.On(c.Platform, text) {
			found = append(found, shorter{link.Start, link.End, c.LinkLength})
		}
		return found
	}
	for _, e := range links.Mentions(c.Platform, text) {
		weight := c.LinkLength
		if e.Kind == links.KindMention {
			weight = 1 + len(e.Name) // in ASCII
		}
		found = append(found, shorter{e.Start, e.End, weight})
	}
	return found
}

// characters calls atom for the characters of a piece of a text that begins at
// offset.
func characters(c mission.Capabilities, piece string, offset int, atom func(end, weight int)) {
	for each := graphemes.FromString(piece); each.Next(); {
		atom(offset+each.End(), weightOf(c, each.Value()))
	}
}

// weightOf returns what a character counts for. It may have many code points.
func weightOf(c mission.Capabilities, cluster string) int {
	switch c.Unit {
	case mission.UnitGraphemes, mission.UnitMastodon:
		return 1
	case mission.UnitWeighted:
		return weighted(norm.NFC.String(cluster))
	case mission.UnitEscaped:
		n := utf8.RuneCountInString(cluster)
		for _, r := range cluster {
			if strings.ContainsRune(littleText, r) {
				n++
			}
		}
		return n
	default:
		return utf8.RuneCountInString(cluster)
	}
}
