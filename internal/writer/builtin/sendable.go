package builtin

import (
	"regexp"
	"strings"

	"missiond/internal/links"
	"missiond/mission"
)

// sendable returns a draft as its platform takes it, whatever the brief has: without hidden
// characters, which a cut of a text may make too, and on X with one cashtag.
func sendable(d mission.Draft, p mission.Platform) mission.Draft {
	clean := func(text string) string {
		text = mission.Tidy(mission.WithoutHidden(text))
		if p == mission.Twitter && links.Cashtags(text) > 1 {
			text = oneCashtag(text)
		}
		return text
	}
	d.Text = clean(d.Text)
	for i, part := range d.Parts {
		d.Parts[i] = clean(part)
	}
	if len(d.Parts) > 0 {
		d.Text = strings.Join(d.Parts, "\n\n")
	}
	return d
}

var cashSign = regexp.MustCompile(`\$[A-Za-z]`)

// oneCashtag returns a text with the dollar signs of all but its first cashtag left out.
func oneCashtag(text string) string {
	first := cashSign.FindStringIndex(text)
	return text[:first[1]] + cashSign.ReplaceAllStringFunc(text[first[1]:], func(tag string) string { return tag[1:] })
}
