package node

import (
	"strings"
	"unicode"

	"missiond/mission"
)

// Bounds of the problems that an error or an estimate shows, in bytes of their texts, and approximately
// what the names of one's fields and its code take.
const (
	maxProblems   = 5 << 10
	problemFields = 60
)

// ShownProblems returns the first problems, up to maxProblems.
func ShownProblems(all mission.Problems) []InputProblem {
	shown, size := []InputProblem{}, 0
	for _, p := range all {
		one := InputProblem{Path: camel(p.Param), Code: string(p.Code), Message: Clip(p.Message)}
		if size += len(one.Path) + len(one.Message) + problemFields; size > maxProblems {
			break
		}
		shown = append(shown, one)
	}
	return shown
}

// camel returns the path of a field, as the REST API writes it, in the schema's names.
func camel(param string) string {
	var out strings.Builder
	upper := false
	for _, r := range param {
		switch {
		case r == '_':
			upper = true
		case upper:
			out.WriteRune(unicode.ToUpper(r))
			upper = false
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// MaxWords limits a message, in bytes: a message may repeat what a caller sent.
const MaxWords = 1000

// Clip shortens a message that is too long.
func Clip(message string) string {
	const cut = "…"
	if len(message) <= MaxWords {
		return message
	}
	return strings.ToValidUTF8(message[:MaxWords-len(cut)], "") + cut
}
