package llm

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"

	"missiond/internal/textlimit"
	"missiond/mission"
)

// judge holds a draft to everything that may be asked of it. texts are what
// stands in it: one, or a thread's parts.
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
	if i := mentioned(d.Text, o.brief.Constraints.ExcludedTopics); i >= 0 {
		return wrong(fmt.Sprintf("it mentions the excluded topic number %d", i+1))
	}
	if _, repeats := o.said.Repeats(d); repeats {
		return wrong("it has a text again that was published before, or one twice")
	}
	if textlimit.Check(o.caps, d) != nil {
		return wrong("it breaks the platform's limits")
	}
	return nil
}

// flaw answers what is wrong with one text, or "".
func (o order) flaw(text string, home site) string {
	c := o.caps
	seen := plain(text)
	switch {
	case !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "has no words"
	case strings.ContainsFunc(text, hidden):
		return "has control characters, or others that nobody sees"
	case leftover.MatchString(text):
		return "has a placeholder, or a mark of the prompt"
	case foreign(seen, home):
		return "links to an address that isn't the brand's website"
	case textlimit.Length(c, text) > c.MaxLength:
		return fmt.Sprintf("has %d %s; at most %d are allowed", textlimit.Length(c, text), c.Unit, c.MaxLength)
	case c.MaxBytes > 0 && len(text) > c.MaxBytes:
		return fmt.Sprintf("has %d bytes; at most %d are allowed", len(text), c.MaxBytes)
	}
	return ""
}

// leftover is what a template or a prompt leaves behind. Brackets alone are
// fine; what stands in these is for somebody to fill in.
var leftover = regexp.MustCompile("(?i)" + strings.Join([]string{
	`\[(?:(?:insert|enter|add|your)\b[^\[\]\n]{0,80}|(?:the |a )?(?:link|url|website|name|company|company name|brand|brand name|product|product name|date|time|place|topic|hashtags?|image|photo|cta|call to action|placeholder))\]`,
	`\{\{[^{}\n]{0,80}\}\}`, `\$\{[^{}\n]{0,80}\}`, `<(?:insert|enter|add|your)\b[^<>\n]{0,80}>`, `\blorem ipsum\b`,
	"```", `<\|[^|\n]{0,80}\|>`, `\breviewer_wishes\b`, `\bexcluded_topics\b`,
}, "|"))

// hidden are characters that nobody sees, or that turn the order of what is
// seen: a word could hide behind them. Joiners stay, which emoji and some
// scripts need.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Co, r), r == unicode.ReplacementChar:
		return true
	case r == 0xAD, r == 0x180E, r == 0x200B, r == 0xFEFF, r == 0x115F, r == 0x1160, r == 0x3164:
		return true
	case r >= 0x2028 && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r >= 0xFFF9 && r <= 0xFFFB:
		return true
	}
	return false
}

// plain is a text as it reads: without joiners, full-width and other letters in
// their usual form.
func plain(text string) string {
	return norm.NFKC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text))
}

// mentioned answers the index of the first topic that a text mentions, as it is
// written or as it reads; -1 is none.
func mentioned(text string, topics []string) int {
	seen := plain(text)
	for i, topic := range topics {
		if _, found := textlimit.Mentions(text, []string{topic}); found {
			return i
		}
		if _, found := textlimit.Mentions(seen, []string{plain(topic)}); found {
			return i
		}
	}
	return -1
}

// site is what may be linked to.
type site struct {
	host string // "" is nothing
	wide bool   // the hosts below it too
}

// homeOf reads a brand's website. Where it is on a suffix that others have
// their sites below (github.io), these aren't the brand's.
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

// hostOf is a host as it is compared.
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

var (
	schemed = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]{0,20}:/?/[^\s<>"]*`)
	bare    = regexp.MustCompile(`(?i)((?:[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?\.)+(?:xn--[a-z0-9-]+|\p{L}{2,}))(?:/[^\s<>"]*)?`)
)

// foreign tells whether a text links elsewhere than home. Names without a
// scheme count, since platforms make links of them.
func foreign(text string, home site) bool {
	rest := schemed.ReplaceAllStringFunc(text, func(link string) string {
		u, err := url.Parse(strings.TrimRight(link, `.,;:!?'"*_~)]}»”’…`))
		if err == nil && u.User == nil && (strings.EqualFold(u.Scheme, "https") || strings.EqualFold(u.Scheme, "http")) && home.has(u.Hostname()) {
			return " "
		}
		return " foreign.invalid.com "
	})
	for _, found := range bare.FindAllStringSubmatch(rest, -1) {
		if host := found[1]; !home.has(host) && domain(host) {
			return true
		}
	}
	return false
}

// domain tells a host's name from other words with a full stop in them: its
// last label is known to the root of the domain name system.
func domain(host string) bool {
	host = hostOf(host)
	_, whole := publicsuffix.PublicSuffix(host)
	_, last := publicsuffix.PublicSuffix(host[strings.LastIndexByte(host, '.')+1:])
	return whole || last
}
