package builtin

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"missiond/internal/links"
	"missiond/mission"
)

// passage is what a brief says in one piece: a sentence, with those behind it that refer to it.
type passage struct {
	sentences []string
	// call is whether it asks its reader to do something.
	call bool
	// fact is the brand's fact that it is from; nil for none.
	fact *mission.CitedFact
	// said is how many of the latest posts have it, near how much it has in common with what the
	// post is about.
	said int
	near float64
}

// mostSentences bounds a passage.
const mostSentences = 3

// passages parts a text into what can be read without the rest of it. Headings, items of lists and what
// is about the brief itself are left out.
func passages(text string) []passage {
	var all []passage
	for _, s := range sentences(stopped(text)) {
		s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("-–—*•·", r) })
		if isWord(s) || !isEnded(s) && !leads(s) || isBriefing(s) {
			continue
		}
		last := len(all) - 1
		if last < 0 || !refers(s, all[last]) {
			all = append(all, passage{sentences: []string{s}, call: calls(s)})
			continue
		}
		all[last].sentences = append(all[last].sentences, s)
		all[last].call = all[last].call || calls(s)
	}
	return all
}

// stopped returns a text with a full stop at the end of each line that lacks it, of those that are sentences: the only line, and
// one that has sentences before. Another one is a heading, or an item of a list.
func stopped(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		if lastMark(line) != ':' && (len(lines) == 1 || len(sentences(line)) > 1) {
			lines[i] = ended(line)
		}
	}
	return strings.Join(lines, "\n")
}

// refers reports whether a sentence makes no sense without the passage before it, as the answer to a
// question does.
func refers(sentence string, before passage) bool {
	last := before.sentences[len(before.sentences)-1]
	return len(before.sentences) < mostSentences && (strings.HasSuffix(last, "?") || listed("refers", firstWord(sentence)))
}

// phone matches a number of a telephone, of nine digits or more, phoneEnds one that ends a sentence.
var (
	phone     = regexp.MustCompile(`\+?\d(?:[ ()/-]{0,2}\d){8,}`)
	phoneEnds = regexp.MustCompile(phone.String() + `\.$`)
)

// calls reports whether a sentence asks its reader to do something, or says where to.
func calls(sentence string) bool {
	fields := strings.Fields(sentence)
	if listed("calls", fields[0]) || len(fields) > 1 && fields[1] == "Sie" && listed("formal", fields[0]) {
		return true
	}
	return leads(sentence)
}

// leads reports whether a text has an address or a telephone number.
func leads(text string) bool {
	hosts, _ := links.Anywhere(text)
	return len(hosts) > 0 || phone.MatchString(text)
}

// isBriefing reports whether a sentence is about the brief, such as "Target audience: families".
func isBriefing(sentence string) bool {
	const longest = 3 // words of a label
	label, _, ok := strings.Cut(strings.ReplaceAll(sentence, "：", ":"), ":")
	if words := strings.Fields(label); ok && len(words) <= longest && slices.ContainsFunc(words, func(w string) bool { return listed("labels", w) }) {
		return true
	}
	begins := func(wish string) bool { return strings.HasPrefix(strings.ToLower(sentence), wish+" ") }
	return slices.ContainsFunc(lists["wishes"], begins) || slices.ContainsFunc(strings.Fields(sentence), func(w string) bool { return listed("briefing", w) })
}

func firstWord(sentence string) string { return strings.Fields(sentence)[0] }

// text returns the passage with at most a number of its sentences, or more where the last of them is a
// question, which isn't asked without its answer.
func (p passage) text(most int) string {
	most = min(most, len(p.sentences))
	for most < len(p.sentences) && strings.HasSuffix(p.sentences[most-1], "?") {
		most++
	}
	return joined(p.sentences[:most])
}

// joined returns sentences in one paragraph.
func joined(texts []string) string {
	var b strings.Builder
	for i, text := range texts {
		b.WriteString(text)
		if i < len(texts)-1 && !strings.ContainsRune("。！？｡", lastMark(text)) {
			b.WriteString(" ")
		}
	}
	return b.String()
}
