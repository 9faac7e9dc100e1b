// Package links finds the links in a text: those that each platform makes, by
// its own rule, and those that a reader or a browser could see.
package links

import (
	"strings"
	"unicode/utf8"

	"missiond/mission"
)

// Link is a link in a text, from byte Start to byte End, exclusive.
type Link struct {
	Start, End int
	// Host is the name or address that it leads to, as written; "" if that is
	// unknown.
	Host string
}

// On returns the links that a platform makes in a text, in order, by its own rule: see X,
// Mastodon and Bluesky. On the others links don't affect lengths or prices: addresses with
// a scheme are links, which end as Bluesky's do.
func On(p mission.Platform, text string) []Link { return rulesOf(p).links(text) }

// X returns the links that X makes in a text: twitter-text's extractURLs
// (github.com/twitter/twitter-text, Regex.java VALID_URL and Extractor.java).
// In short: an optional http or https scheme; labels of letters, digits and
// Latin accents with hyphens, and underscores in all but the last two; a known
// top-level domain that isn't followed by one of a-z, 0-9, @, + and -; then a
// port, a path and a query. After a scheme one label of any script is enough.
// No link begins after a letter, a digit, @, $ or #, nor, without a scheme,
// after one of - _ . and /. So an e-mail address is no link, "Node.js" is none,
// and "ASP.NET" is one. X's special treatment of its own t.co is left out.
func X(text string) []Link { return xRule.find(text) }

// Mastodon returns the links that Mastodon makes in a text: twitter-text's too,
// but only with a scheme, of which it knows some more, and with paths and
// queries of almost any character (config/initializers/twitter_regex.rb, and
// extract_url_without_protocol in StatusLengthValidator).
func Mastodon(text string) []Link { return mastodonRule.find(text) }

// Bounds of a link: twitter-text's MAX_URL_LENGTH, and a host's by RFC 1035.
const (
	maxURL   = 4096
	maxHost  = 253
	maxLabel = 63
)

// rule is how a platform recognizes links.
type rule struct {
	schemes []string // in lower case, with "://"
	// bare allows links without a scheme; with strictBare only those that strictly allows.
	bare, strictBare bool
	// anyHost allows any host after a scheme, and a fragment right after it.
	anyHost bool
	// path reports the characters of a path, pathEnd those it may end in; query
	// and queryEnd do so for a query.
	path, pathEnd, query, queryEnd func(r rune) bool
}

var xRule = rule{
	schemes: []string{"https://", "http://"}, bare: true,
	path: func(r rune) bool {
		return asciiIn(r, "!*';:=+,.$/%#[]-_~|&@") || r == '–' || accented(r) || cyrillic(r)
	},
	pathEnd: func(r rune) bool { return asciiIn(r, "=_#/-+") || accented(r) || cyrillic(r) },
	query:   func(r rune) bool { return asciiIn(r, "!?*'();:&=+$/%#[]-_.,~|@") }, queryEnd: func(r rune) bool { return asciiIn(r, "-_&=#/") },
}

var mastodonRule = rule{
	schemes: []string{"https://", "http://", "dat://", "dweb://", "ipfs://", "ipns://", "ssb://", "gopher://", "gemini://"},
	path:    func(r rune) bool { return !space(r) && !strings.ContainsRune("<>()?", r) },
	pathEnd: func(r rune) bool {
		return !space(r) && !strings.ContainsRune("()?!*\"'「」<>;:=,.$%[]~&|@", r)
	},
	query:    func(r rune) bool { return asciiIn(r, "!?*'();:&=+$/%#[]-_.,~|@^") || r >= 0xA0 },
	queryEnd: func(r rune) bool { return asciiIn(r, "_&=#/-") || r >= 0xA0 },
}

// find scans a text once. What a failed attempt has read isn't read again,
// except for schemes, so the time is linear in the text.
func (l rule) find(text string) []Link {
	var found []Link
	before := rune(-1) // the character before at; -1 if there is none
	fruitless := 0     // no link without a scheme begins before this index
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if precedes(before) {
			link, ok, stop := l.from(text, at, before, at >= fruitless)
			if ok {
				found = append(found, link)
			}
			if link.End > at {
				before, _ = utf8.DecodeLastRuneInString(text[:link.End])
				at = link.End
				continue
			}
			fruitless = max(fruitless, stop)
		}
		before, at = r, at+size
	}
	return found
}

// from reads the link that begins at an index of a text, after the character
// before. ok is whether the platform counts it as a link; one that it doesn't
// is skipped. If there is none, stop is where the attempt without a scheme
// ended.
func (l rule) from(text string, at int, before rune, bare bool) (link Link, ok bool, stop int) {
	if scheme := l.schemeAt(text[at:]); scheme > 0 {
		if end := l.hostEnd(text, at+scheme); end > 0 {
			host := text[at+scheme : end]
			if l.anyHost && misleads(text[end:]) {
				return Link{}, false, 0
			}
			end = l.tail(text, end)
			return Link{at, end, host}, sound(host) && utf8.RuneCountInString(text[at:end]) <= maxURL, 0
		}
	}
	if !bare {
		return Link{}, false, 0
	}
	end, stop := domain(text, at)
	if end == 0 {
		return Link{}, false, stop
	}
	host := text[at:end]
	ok = l.bare && (!l.strictBare || strictly(text, at, end))
	end = l.tail(text, end)
	ok = ok && !strings.ContainsRune("-_./", before) && sound(host) && utf8.RuneCountInString(text[at:end]) <= maxURL
	return Link{at, end, host}, ok, 0
}

// hostEnd returns the end of the host that begins at an index, behind a scheme; 0 if none does.
func (l rule) hostEnd(text string, start int) int {
	end, _ := domain(text, start)
	if end == 0 {
		end = foreignDomain(text, start)
	}
	if l.anyHost {
		end = max(end, hostWritten(text, start))
	}
	return end
}

// precedes reports whether a link may begin after a character; -1 is the start
// of the text.
func precedes(r rune) bool {
	return r < 0 || !asciiIn(r, "@$#") && r != '＠' && r != '＃' && r != 0xFFFE && r != 0xFEFF && r != 0xFFFF
}

// schemeAt returns the length of the scheme that a text begins with, or 0.
func (l rule) schemeAt(text string) int {
	for _, scheme := range l.schemes {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// domain reads the host that begins at an index: it returns the end of the
// longest that has a known top-level domain, or 0, and the end of the labels.
func domain(text string, from int) (end, stop int) {
	at := from
	for at-from <= maxHost {
		next, underscored, ok := label(text, at)
		if !ok {
			return end, max(next, from+1)
		}
		at = next
		if at >= len(text) || text[at] != '.' {
			break
		}
		at++
		if !underscored {
			if tld := tldAt(text, at); tld > 0 {
				end = tld
			}
		}
	}
	return end, at
}

// label reads the label that begins at an index: it returns its end, and
// whether it has underscores. ok is false if there is none, or its end is
// invalid.
func label(text string, from int) (end int, underscored, ok bool) {
	at := from
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case asciiIn(r, "") || accented(r):
			ok = true
		case (r == '-' || r == '_') && at > from:
			ok, underscored = false, underscored || r == '_'
		default:
			return at, underscored, ok
		}
		at += size
	}
	return at, underscored, ok
}

// foreignDomain reads the host, of one label of any script and a known
// top-level domain, that begins at an index, and returns its end, or 0.
func foreignDomain(text string, from int) int {
	hyphen := true // it can neither begin nor end with one
	for at := from; at < len(text) && at-from <= maxHost; {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == '.' && !hyphen:
			return tldAt(text, at+size)
		case r == '-' && at > from:
			hyphen = true
		case punctuation(r) || space(r):
			return 0
		default:
			hyphen = false
		}
		at += size
	}
	return 0
}

// tail returns the end of a link, after its port, path and query, given the end
// of its host.
func (l rule) tail(text string, end int) int {
	if port := digits(text, end+1); end < len(text) && text[end] == ':' && port > end+1 {
		end = port
	}
	if end < len(text) && (text[end] == '/' || l.anyHost && text[end] == '#') {
		end = l.pathFrom(text, end+1)
	}
	if end >= len(text) || text[end] != '?' {
		return end
	}
	for at := end + 1; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !l.query(r) {
			break
		}
		if at += size; l.queryEnd(r) {
			end = at
		}
	}
	return end
}

func digits(text string, at int) int {
	for at < len(text) && '0' <= text[at] && text[at] <= '9' {
		at++
	}
	return at
}

// pathFrom returns the end of the path that begins after a slash: after the
// last character that it may end in, or a pair of brackets.
func (l rule) pathFrom(text string, at int) (end int) {
	for end = at; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == '(':
			if at = l.brackets(text, at, 2); at == 0 {
				return end
			}
			end = at
		case l.path(r):
			if at += size; l.pathEnd(r) {
				end = at
			}
		default:
			return end
		}
	}
	return end
}

// brackets returns the end of the pair of brackets that begins at an index,
// with nested pairs up to a depth; 0 if there is none.
func (l rule) brackets(text string, from, depth int) int {
	nested := false
	for at := from + 1; at < len(text) && at-from <= maxURL; {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == ')' && at > from+1:
			return at + size
		case r == '(' && depth > 1 && !nested:
			nested = true
			if at = l.brackets(text, at, depth-1); at == 0 {
				return 0
			}
		case l.path(r):
			at += size
		default:
			return 0
		}
	}
	return 0
}
