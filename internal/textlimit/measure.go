package textlimit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
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
	for _, link := range links.On(c.Platform, text) {
		found = append(found, shorter{link.Start, link.End, c.LinkLength})
	}
	if c.Unit == mission.UnitWeighted {
		return found
	}
	linked := found
	for _, at := range mentions.FindAllStringSubmatchIndex(text, -1) {
		for len(linked) > 0 && linked[0].end <= at[0] {
			linked = linked[1:]
		}
		if len(linked) == 0 || at[1] <= linked[0].start {
			found = append(found, shorter{at[0], at[1], at[3] - at[0]})
		}
	}
	slices.SortFunc(found, func(a, b shorter) int { return a.start - b.start })
	return found
}

// characters calls atom for the characters of a piece of a text that begins at
// offset.
func characters(c mission.Capabilities, piece string, offset int, atom func(end, weight int)) {
	for state := -1; piece != ""; {
		var cluster string
		cluster, piece, _, state = uniseg.FirstGraphemeClusterInString(piece, state)
		offset += len(cluster)
		atom(offset, weightOf(c, cluster))
	}
}

// weightOf returns what a character counts for. It may have many code points.
func weightOf(c mission.Capabilities, cluster string) int {
	switch c.Unit {
	case mission.UnitGraphemes, mission.UnitMastodon:
		return 1
	case mission.UnitWeighted:
		if strings.ContainsFunc(cluster, emoji) {
			return 2
		}
		n := 0
		for _, r := range norm.NFC.String(cluster) {
			n += weight(r)
		}
		return n
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
