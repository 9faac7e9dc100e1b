package linkedin

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

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
	// hashtags matches letters, digits and underscores after their sign.
	hashtags = regexp.MustCompile(`^#[\p{L}\p{M}\p{N}_]+`)
)

// Escape returns a text as a commentary: reserved characters are escaped, except
// those of hashtags and links, which are to stay what they are.
func Escape(text string) string {
	var b strings.Builder
	addresses := links.On(mission.LinkedIn, text)
	before := ' '
	for at := 0; at < len(text); {
		for len(addresses) > 0 && addresses[0].Start < at {
			addresses = addresses[1:]
		}
		var kept string
		if len(addresses) > 0 && addresses[0].Start == at {
			kept = address(text[at:addresses[0].End])
		} else if begins(before) {
			kept = hashtags.FindString(text[at:])
		}
		if kept == "" {
			r, size := utf8.DecodeRuneInString(text[at:])
			if strings.ContainsRune(reserved, r) {
				b.WriteByte('\\')
			}
			kept = text[at : at+size]
		}
		b.WriteString(kept)
		before, _ = utf8.DecodeLastRuneInString(kept)
		at += len(kept)
	}
	return b.String()
}

// begins reports whether a hashtag may begin after a character.
func begins(before rune) bool {
	return unicode.IsSpace(before) || unicode.In(before, unicode.Ps, unicode.Pi) || before == '"' || before == '\''
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
