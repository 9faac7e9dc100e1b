package llm

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"missiond/internal/links"
	"missiond/internal/textlimit"
	"missiond/internal/topic"
	"missiond/mission"
)

// judge checks a draft by all the rules. texts are its texts: one, or a
// thread's parts.
func (o order) judge(d mission.Draft, texts []string) *fault {
	if o.format == mission.FormatThread && (len(texts) < 2 || len(texts) > o.caps.MaxParts) {
		return wrong(fmt.Sprintf("it has %d parts; 2 to %d are wanted", len(texts), o.caps.MaxParts))
	}
	home := homeOf(o.brief.Brand.Website)
	for i, text := range texts {
		name := "the text"
		if o.format == mission.FormatThread {
			name = fmt.Sprintf("part %d", i+1)
		}
		if words := o.flaw(text, home); words != "" {
			return wrong(name + " " + words)
		}
	}
	if i, _ := topic.NewList(o.brief.Constraints.ExcludedTopics).Find(d.Text); i >= 0 {
		return wrong(fmt.Sprintf("it mentions the excluded topic number %d", i+1))
	}
	if _, repeats := o.used.Repeats(d); repeats {
		return wrong("it has a text again that was published before, or one twice")
	}
	if textlimit.Check(o.caps, d) != nil {
		return wrong("it breaks the platform's limits")
	}
	return nil
}

// flaw returns what is wrong with one text, or "".
func (o order) flaw(text string, home site) string {
	c := o.caps
	if words := textlimit.TooLong(c, text); words != "" {
		return "is too long: " + words
	}
	hidden, unseen := mission.FirstHidden(text)
	hosts, rest := links.Anywhere(o.named.without(text))
	switch {
	case !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "has no words"
	case strings.ContainsFunc(text, control):
		return "has control characters"
	case unseen:
		return "has " + hidden.String()
	case leftover.MatchString(text):
		return "has a placeholder, or a mark of the prompt"
	case markup.MatchString(text):
		return "has markup"
	case leaks(text, o.talk[0].text):
		return "quotes the instructions"
	case foreign(hosts, home):
		return "links to an address that isn't the brand's website"
	}
	return o.named.stranger(rest)
}

// leftover matches remnants of a template or a prompt. Brackets alone are fine,
// but not placeholders in them.
var leftover = regexp.MustCompile("(?i)" + strings.Join([]string{
	`\[(?:(?:insert|enter|add|your)\b[^\[\]\n]{0,80}|(?:the |a )?(?:link|url|website|name|company|company name|brand|brand name|product|product name|date|time|place|topic|hashtags?|image|photo|cta|call to action|placeholder))\]`,
	`\{\{[^{}\n]{0,80}\}\}`, `\$\{[^{}\n]{0,80}\}`, `<(?:insert|enter|add|your)\b[^<>\n]{0,80}>`, `\blorem ipsum\b`,
	"```", `<\|[^|\n]{0,80}\|>`, `\breviewer_wishes\b`, `\bexcluded_topics\b`,
}, "|"))

// control reports whether a character is a control character, or stands for what was no
// text.
func control(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r == unicode.ReplacementChar
}

// site is the website that may be linked to.
type site struct {
	host string // "" for none
	wide bool   // whether its subdomains are included
}

// homeOf returns the site of a brand's website. If the host is a public suffix
// (github.io), its subdomains belong to others and are excluded.
func homeOf(website string) site {
	u, err := url.Parse(strings.TrimSpace(website))
	if err != nil {
		return site{}
	}
	host := hostOf(u.Hostname())
	if below, ok := strings.CutPrefix(host, "www."); ok && !public(below) {
		host = below
	}
	return site{host: host, wide: !public(host)}
}

func public(host string) bool {
	suffix, _ := publicsuffix.PublicSuffix(host)
	return suffix == host
}

// hostOf returns a host in the form in which hosts are compared.
func hostOf(name string) string {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if ascii, err := idna.Lookup.ToASCII(name); err == nil {
		return ascii
	}
	return name
}

func (s site) has(host string) bool {
	host = hostOf(host)
	return s.host != "" && (host == s.host || s.wide && strings.HasSuffix(host, "."+s.host))
}

// foreign reports whether a text may lead elsewhere than home. Names without a
// scheme count, since platforms make links of them.
func foreign(hosts []string, home site) bool {
	return slices.ContainsFunc(hosts, func(host string) bool { return !home.has(host) })
}
