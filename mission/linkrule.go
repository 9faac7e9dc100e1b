package mission

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxSlug bounds what {mission} becomes, in characters.
const maxSlug = 60

// LinkRule is what becomes of the links of a post. The zero rule changes none.
type LinkRule struct {
	// Params are the parameters that links get, "name=value" with "&" between them.
	Params string
	// Prefix is what tracked links begin with, up to their codes; "" if links aren't tracked.
	Prefix string
}

// LinkCodeLength is the length of the codes of tracked links: 80 bits, in letters and digits.
const LinkCodeLength = 16

// anyContent stands for the id of a post that has none yet.
var anyContent = PrefixContent + strings.Repeat("0", ulidLen)

// LinkRule returns what becomes of the links of the mission's posts on a platform, of a post that has no
// id yet; see Of. Tracked links begin with prefix; "" if there can't be any.
func (m Mission) LinkRule(p Platform, prefix string) LinkRule {
	rule := LinkRule{}
	fill := strings.NewReplacer("{mission}", m.slug(), "{platform}", string(p), "{content_id}", anyContent)
	var params []string
	for i, template := range m.Links.UTM.values() {
		if template != nil {
			params = append(params, "utm_"+utmNames[i]+"="+escapeParam(fill.Replace(strings.TrimSpace(*template))))
		}
	}
	rule.Params = strings.Join(params, "&")
	if m.Links.Tracks(p) {
		rule.Prefix = prefix
	}
	return rule
}

// Of returns the rule for a post with an id.
func (r LinkRule) Of(contentID string) LinkRule {
	r.Params = strings.ReplaceAll(r.Params, escapeParam(anyContent), escapeParam(contentID))
	return r
}

// slug returns the mission's name as links have it: lower-case letters and digits, with hyphens between.
func (m Mission) slug() string {
	words := strings.FieldsFunc(norm.NFC.String(strings.ToLower(m.Name)), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) })
	slug := []rune(strings.Join(words, "-"))
	if len(slug) == 0 {
		return m.ID
	}
	return strings.TrimRight(string(slug[:min(len(slug), maxSlug)]), "-")
}

// escapeParam percent-encodes all but ASCII letters, digits, hyphens and underscores: links with others end
// elsewhere on some platforms.
func escapeParam(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if c == '-' || c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// Changes reports whether the rule changes a link of a text. It leaves those alone that lead through the
// service already, and what isn't on the web.
func (r LinkRule) Changes(link string) bool {
	if scheme, _, ok := strings.Cut(link, "://"); ok && !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "http") {
		return false
	}
	if r.Prefix != "" && strings.HasPrefix(link, r.Prefix) {
		return false
	}
	return r.Prefix != "" || r.WithParams(link) != link
}

// WithParams returns a link with the rule's parameters, but those that it has already.
func (r LinkRule) WithParams(link string) string {
	if r.Params == "" {
		return link
	}
	address, fragment, fragmented := strings.Cut(link, "#")
	address, query, _ := strings.Cut(address, "?")
	has, changed := map[string]bool{}, false
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		has[strings.ToLower(name)] = true
	}
	for pair := range strings.SplitSeq(r.Params, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if has[name] {
			continue
		}
		if query != "" && !strings.HasSuffix(query, "&") {
			query += "&"
		}
		query, changed = query+pair, true
	}
	if !changed {
		return link
	}
	address += "?" + query
	if fragmented {
		address += "#" + fragment
	}
	return address
}

// Target returns where a changed link leads.
func (r LinkRule) Target(link string) string {
	target := r.WithParams(link)
	if !strings.Contains(target, "://") {
		target = "https://" + target
	}
	return target
}

// Sent returns what is sent for a link that the rule changes. code is its code, if it is tracked.
func (r LinkRule) Sent(link, code string) string {
	if r.Prefix != "" {
		return r.Prefix + code
	}
	return r.WithParams(link)
}

// IsLinkCode reports whether a text has the form of a tracked link's code.
func IsLinkCode(text string) bool {
	if len(text) != LinkCodeLength || !utf8.ValidString(text) {
		return false
	}
	return strings.IndexFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '2' || r > '7') }) < 0
}
