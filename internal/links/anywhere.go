package links

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// Plain returns a text as it reads: without invisible characters, and with
// full-width and other letters in their usual form.
func Plain(text string) string {
	return norm.NFKC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text))
}

// Anywhere reads a text that isn't trusted: it returns every host that a
// platform, a browser or a reader could be led to, and the text as it reads
// (see Plain) without those links. A host is "" if an address isn't a web
// address, or its target is unknown.
func Anywhere(text string) (hosts []string, rest string) {
	seen := Plain(text)
	for _, each := range []string{text, seen} {
		for _, link := range append(X(each), Mastodon(each)...) {
			hosts = append(hosts, link.Host)
		}
	}
	rest = schemed.ReplaceAllStringFunc(seen, func(link string) string {
		hosts = append(hosts, addressed(link)...)
		return " "
	})
	for _, ip := range bracketed.FindAllStringSubmatch(rest, -1) {
		if _, err := netip.ParseAddr(ip[1]); err == nil {
			hosts = append(hosts, ip[1])
		}
	}
	for _, ip := range numeric.FindAllString(rest, -1) {
		hosts = append(hosts, strings.TrimRight(ip, "/"))
	}
	rest = names.ReplaceAllStringFunc(rest, func(name string) string {
		host := name[:len(name)-len(behind.FindString(name))]
		if !leads(host, host != name) {
			return name
		}
		hosts = append(hosts, dots.ReplaceAllString(host, "."))
		return " "
	})
	return hosts, rest
}

var (
	// schemed are addresses with a scheme, whatever it is.
	schemed = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]{0,20}:/?/[^\s<>"]*`)
	// scheme matches the start of an address, also of one in another's query.
	scheme = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]{0,20}(?::|%3a)(?:/|%2f)?(?:/|%2f)`)
	// names are words with dots of any kind in them, and the path after them.
	names = regexp.MustCompile(`(?:[\p{L}\p{N}\p{So}](?:[\p{L}\p{M}\p{N}\p{So}\p{Sk}_-]*[\p{L}\p{M}\p{N}\p{So}\p{Sk}])?` + anyDot + `)+(?i:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)(?:[/?#][^\s<>"]*)?`)
	// behind is what may follow a name.
	behind = regexp.MustCompile(`[/?#][^\s<>"]*$`)
	dots   = regexp.MustCompile(anyDot)
	// bracketed are what may be IPv6 addresses, numeric IPv4 addresses in any
	// form that leave no doubt, for a path follows them.
	bracketed = regexp.MustCompile(`\[([0-9A-Fa-f:.]{2,45})\]`)
	numeric   = regexp.MustCompile(`(?i)\b(?:\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]+(?:\.(?:0x)?[0-9a-f]+){0,3}|\d{9,10})(?::\d{1,5})?/`)
)

// anyDot are the characters that a reader, or the rules of domain names (RFC
// 3490, section 3.1), treat as a full stop.
const anyDot = `[.\x{3002}\x{2027}\x{2219}\x{22C5}\x{B7}\x{30FB}]`

// addressed returns the hosts of an address with a scheme, and of those
// contained in it, since its host doesn't say where it redirects.
func addressed(link string) []string {
	var hosts []string
	starts := scheme.FindAllStringIndex(link, -1)
	for i, at := range starts {
		end := len(link)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		u, err := url.Parse(strings.TrimRight(link[at[0]:end], `.,;:!?'"*_~)]}»”’…`))
		if err != nil || u.User != nil || !strings.EqualFold(u.Scheme, "https") && !strings.EqualFold(u.Scheme, "http") {
			hosts = append(hosts, "")
			continue
		}
		hosts = append(hosts, u.Hostname())
	}
	return hosts
}

// leads reports whether a word with dots in it may be a host name: its last
// label is a top-level domain, or reads like one. Dots other than full stops
// must be between ASCII letters, or be followed by a path; path is whether
// there is one.
func leads(host string, path bool) bool {
	at := dots.FindAllStringIndex(host, -1)
	last := at[len(at)-1]
	dot, tld := host[last[0]:last[1]], host[last[1]:]
	if dot != "." {
		before, after := host[last[0]-1], host[last[1]]
		return IsTLD(looksLike(tld)) && after <= unicode.MaxASCII && (path || before <= unicode.MaxASCII)
	}
	plain := dots.ReplaceAllString(host, ".")
	if _, whole := publicsuffix.PublicSuffix(strings.ToLower(plain)); whole || IsTLD(tld) {
		return true
	}
	// Letters that look like Latin ones, among Latin ones.
	return strings.ContainsFunc(host, func(r rune) bool { return asciiIn(r, "") }) && IsTLD(looksLike(tld))
}

// looksLike returns a label with the letters of other scripts that look like
// small Latin ones replaced by those (Unicode Technical Standard 39,
// confusables).
func looksLike(label string) string { return lookalikes.Replace(strings.ToLower(label)) }

var lookalikes = strings.NewReplacer(
	"а", "a", "с", "c", "е", "e", "о", "o", "р", "p", "х", "x", "у", "y", "і", "i", "ј", "j", "ѕ", "s", "ԁ", "d", "ԛ", "q", "ԝ", "w", "һ", "h", "ӏ", "l", "к", "k", "м", "m", "т", "t", "п", "n", "г", "r",
	"α", "a", "ο", "o", "ν", "v", "ρ", "p", "τ", "t", "ι", "i", "κ", "k", "υ", "u", "ε", "e", "η", "n", "χ", "x", "γ", "y", "ϲ", "c", "ς", "c", "օ", "o", "ո", "n", "ս", "u", "հ", "h", "ı", "i", "ɡ", "g",
)
