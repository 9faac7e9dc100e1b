package linkedin

import (
	"regexp"
	"strings"

	"missiond/internal/links"
	"missiond/mission"
)

// reserved are the characters with a meaning in a commentary ("little text"). At
// one that it doesn't understand, LinkedIn silently cuts the text off.
const reserved = `\|{}@[]()<>#*_~`

var (
	// cuts matches what an address ends at: a bracket after it is seldom part of it,
	// and LinkedIn would cut the text off there.
	cuts = regexp.MustCompile(`[\\|{}\[\]()<>*"]`)
	// escaped writes a backslash before each reserved character.
	escaped = func() *strings.Replacer {
		var pairs []string
		for c := range strings.SplitSeq(reserved, "") {
			pairs = append(pairs, c, `\`+c)
		}
		return strings.NewReplacer(pairs...)
	}()
)

// Escape returns a text as a commentary: reserved characters are escaped, except
// those of hashtags and links, which are to stay what they are.
func Escape(text string) string {
	var b strings.Builder
	at := 0
	for _, e := range links.Entities(mission.LinkedIn, text) {
		entity := text[e.Start:e.End]
		if e.Kind == links.KindLink {
			entity = address(entity)
		}
		b.WriteString(escaped.Replace(text[at:e.Start]) + entity)
		at = e.Start + len(entity)
	}
	return b.String() + escaped.Replace(text[at:])
}

// address returns as much of a link as LinkedIn is given as it is; "" for none: it knows
// schemes in lower case only.
func address(link string) string {
	if at := cuts.FindStringIndex(link); at != nil {
		link = link[:at[0]]
	}
	if _, rest, ok := strings.Cut(link, "://"); !ok || rest == "" || !strings.HasPrefix(link, "http") {
		return ""
	}
	return link
}
