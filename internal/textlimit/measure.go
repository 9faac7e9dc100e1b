package textlimit

import (
	"cmp"
	"slices"
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
// them, and on Mastodon mentions. A link that is changed before it is sent counts as what is sent.
func shortened(c mission.Capabilities, text string) []shorter {
	found := counted(c, text)
	for _, e := range links.Changed(c.Platform, c.Links, text) {
		s := shorter{e.Start, e.End, Length(c.Sending(mission.LinkRule{}), sentFor(c, text[e.Start:e.End]))}
		at, known := slices.BinarySearchFunc(found, s.start, func(o shorter, start int) int { return cmp.Compare(o.start, start) })
		if known {
			found[at] = s
		} else {
			found = slices.Insert(found, at, s)
		}
	}
	return found
}

// sentFor returns what is sent for a link that is changed, with any code.
func sentFor(c mission.Capabilities, link string) string {
	return c.Links.Sent(link, strings.Repeat("a", mission.LinkCodeLength))
}

// counted returns the pieces whose weight the platform sets.
func counted(c mission.Capabilities, text string) []shorter {
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

// sentBytes returns the length in bytes of a text as it is sent.
func sentBytes(c mission.Capabilities, text string) int {
	n := len(text)
	for _, e := range links.Changed(c.Platform, c.Links, text) {
		n += len(sentFor(c, text[e.Start:e.End])) - (e.End - e.Start)
	}
	return n
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
	case mission.UnitThreads:
		if mission.Emoji(cluster) > 0 {
			return len(cluster)
		}
		return utf8.RuneCountInString(cluster)
	default:
		return utf8.RuneCountInString(cluster)
	}
}
