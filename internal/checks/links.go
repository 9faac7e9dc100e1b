package checks

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

func (b *Bar) links(s seen) *Finding {
	switch {
	case foreign(s.hosts, b.home):
		return same("links to an address that isn't the brand's website")
	case b.named.strangeTap(s.rest):
		return same("has an address that the material doesn't name")
	}
	return nil
}

// withoutSources returns a text without the addresses at which facts stand: a post may link to them.
func (b *Bar) withoutSources(text string) string {
	if len(b.sources) == 0 {
		return text
	}
	for _, word := range strings.Fields(text) {
		if b.sources[bareAddress(word)] {
			text = strings.ReplaceAll(text, word, " ")
		}
	}
	return text
}

// bareAddress returns an address without what a sentence puts around it.
func bareAddress(word string) string {
	return strings.TrimSuffix(strings.Trim(word, `()[]"'“”„«».,;:!?`), "/")
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
