package links

import (
	"slices"
	"strings"
	"unicode"

	"missiond/mission"
)

// Changed returns the links of a text on a platform that a rule changes, in order.
func Changed(p mission.Platform, r mission.LinkRule, text string) []Entity {
	if r == (mission.LinkRule{}) {
		return nil
	}
	return slices.DeleteFunc(Mentions(p, text), func(e Entity) bool {
		if e.Kind != KindLink || !r.Changes(text[e.Start:e.End]) {
			return true
		}
		return grows(p, r.Sent(text[e.Start:e.End], anyCode), text[e.End:])
	})
}

// anyCode stands for the code of a link that has none yet.
var anyCode = strings.Repeat("a", mission.LinkCodeLength)

// lookahead is how much of what follows a link is looked at, in bytes.
const lookahead = 256

// grows reports whether a platform would make a longer link of one that is sent, with what follows it: a
// path goes on where a query ends.
func grows(p mission.Platform, sent, rest string) bool {
	rest = strings.ToValidUTF8(rest[:min(len(rest), lookahead)], "")
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		rest = rest[:i]
	}
	found := On(p, sent+rest)
	return len(found) > 0 && found[0].Start == 0 && found[0].End != len(sent)
}

// Outgoing returns what is sent for the links of texts of a post: of its parts, and its first comment
// behind them. code returns a new code; a link that is in the texts twice has one.
func Outgoing(p mission.Platform, r mission.LinkRule, texts []string, code func() string) mission.Outgoing {
	out := mission.Outgoing{Tracked: r.Prefix != ""}
	codes := map[string]string{} // by the links
	for part, text := range texts {
		for _, e := range Changed(p, r, text) {
			link := text[e.Start:e.End]
			sent := mission.SentLink{Part: part, Start: e.Start, End: e.End, Target: r.Target(link)}
			if out.Tracked {
				if codes[link] == "" {
					codes[link] = code()
				}
				sent.Code = codes[link]
			}
			sent.Sent = r.Sent(link, sent.Code)
			out.Links = append(out.Links, sent)
		}
	}
	return out
}
