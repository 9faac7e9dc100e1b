package textlimit

import (
	"strings"

	"github.com/rivo/uniseg"

	"missiond/mission"
)

// Split cuts a text into parts that each fit the platform: at the ends of
// sentences, where a sentence is too long between words, and where a word is
// too long within it. Nothing but white space at the cuts is lost.
func Split(c mission.Capabilities, text string) []string {
	var parts []string
	part := ""
	for _, piece := range pieces(c, text) {
		if joined := part + piece; Fits(c, strings.TrimSpace(joined)) {
			part = joined
			continue
		}
		if trimmed := strings.TrimSpace(part); trimmed != "" {
			parts = append(parts, trimmed)
		}
		part = piece
	}
	if trimmed := strings.TrimSpace(part); trimmed != "" {
		parts = append(parts, trimmed)
	}
	return parts
}

// pieces are text's sentences, those that don't fit as their words, and those
// that don't as their characters.
func pieces(c mission.Capabilities, text string) []string {
	var found []string
	for rest, state := text, -1; rest != ""; {
		var sentence string
		sentence, rest, state = uniseg.FirstSentenceInString(rest, state)
		if Fits(c, strings.TrimSpace(sentence)) {
			found = append(found, sentence)
			continue
		}
		for _, word := range strings.SplitAfter(sentence, " ") {
			if Fits(c, strings.TrimSpace(word)) {
				found = append(found, word)
				continue
			}
			for clusters := uniseg.NewGraphemes(word); clusters.Next(); {
				found = append(found, clusters.Str())
			}
		}
	}
	return found
}
