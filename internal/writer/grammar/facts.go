package grammar

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/internal/fullstop"
	"missiond/mission"
)

// english reports whether an objective is to be read as English: by the mission's
// language, or by its own words, or those around it where it has too few.
func english(b mission.Brief, objective string) bool {
	if stated := b.Constraints.Language; stated != nil {
		return mission.BaseLanguage(*stated) == "en"
	}
	fields, links := withoutLinks(strings.Fields(objective))
	objective = strings.Join(fields, " ")
	if isEnglish(objective) || !strings.ContainsFunc(objective, unicode.IsLetter) && len(links) == 0 {
		return true
	}
	if yes, no := evidence(objective); yes > 0 || no > 0 {
		return false
	}
	const few = 2
	yes, no := evidence(strings.Join(append(slices.Clone(b.Objectives), b.MissionName+".", b.Description), ". "))
	return len(links) > 0 && len(fields) <= few || yes > no
}

// briefing are words of a description that is about the mission, not for its
// readers.
var briefing = listed("briefing")

// speech are the words that sentences for readers begin with.
var speech = words("we we're we've our i i'm i've my every all everything each since founded at here you'll")

// facts are the sentences of an English description that may be said to readers:
// those that speak of the tenant as it does itself.
func facts(description, brand string) []string {
	var found []string
	for _, f := range sentences(description) {
		fields := strings.Fields(f)
		if !sayable(f, fields) {
			continue
		}
		first := bare(fields[0])
		named := brand != "" && first == bare(strings.Fields(brand + " x")[0])
		switch {
		case (first == "a" || first == "an") && brand != "" && !states(fields):
			found = append(found, brand+": "+strings.TrimRight(strings.ToLower(f[:1])+f[1:], ".!")+".")
		case (speech[first] || named || first == "the") && states(fields):
			found = append(found, sentence(fields))
		}
	}
	return found
}

// sayable reports whether a sentence is one for readers, as far as its words go.
func sayable(f string, fields []string) bool {
	yes, no := evidence(f)
	return no <= yes && len(fields) >= 3 && utf8.RuneCountInString(f) <= longestFact &&
		!slices.ContainsFunc(fields, func(w string) bool { return briefing[bare(w)] || isLink(strings.TrimRight(w, ".,;:!?")) }) &&
		!strings.ContainsFunc(f, func(r rune) bool { return unicode.Is(unicode.Co, r) || strings.ContainsRune("#@{}[]<>", r) })
}

// states reports whether words have a verb, as far as it can be told.
func states(fields []string) bool {
	first := bare(fields[0])
	return words("we we're we've i i'm i've")[first] || slices.ContainsFunc(fields[1:], func(f string) bool {
		w := bare(f)
		base := strings.TrimSuffix(w, "s")
		return auxiliaries[w] || base != w && verbs[base] != noVerb && !nouns[base] || common[w]
	})
}

// common are frequent verbs of the third person.
var common = words("offers makes sells helps brings serves gives teaches runs works grows bakes builds roasts designs opens opened comes goes plays keeps provides supports lets takes")

// sentenceEnds are where sentences may end, in scripts that write no space behind them too.
var sentenceEnds = regexp.MustCompile(`([\p{L}\p{M}\d)»”"]{2}[.!?…؟।]+)\s+|[。！？｡]+[」』）”]*|$`)

// sentences parts a text. A word is no sentence: it stays with those beside it on its line,
// since it may be what an abbreviation that isn't known cuts off.
func sentences(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		at, first := 0, len(all)
		for _, end := range sentenceEnds.FindAllStringIndex(line, -1) {
			if goesOnBehind(line[at:end[1]], line[end[1]:]) {
				continue
			}
			s, last := spaced(line[at:end[1]]), len(all)-1
			switch at = end[1]; {
			case s == "":
			case last >= first && (isWord(s) || isWord(all[last])):
				all[last] += " " + s
			default:
				all = append(all, s)
			}
		}
	}
	return all
}

// isWord reports whether a text is one word of a script that parts words by spaces.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// goesOnBehind reports whether a sentence that may end goes on, which it does before a small
// letter or a digit: "ca. 20".
func goesOnBehind(text, next string) bool {
	text = strings.TrimSpace(text)
	if next == "" || !strings.HasSuffix(text, ".") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(next)
	word := text[max(strings.LastIndexFunc(text, unicode.IsSpace), 0):]
	return unicode.IsLower(r) || unicode.IsDigit(r) || fullstop.GoesOn(strings.TrimSpace(word), r)
}
