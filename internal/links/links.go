// Package links reads what a text links to: what each platform makes a link of,
// by its own rule, and what a reader or a browser could take for one.
package links

import (
	"strings"
	"unicode/utf8"

	"missiond/mission"
)

// Link is a link in a text, from byte Start to before byte End.
type Link struct {
	Start, End int
	// Host is the name or address that it leads to, as it is written; "" where
	// that can't be told.
	Host string
}

// On are the links that a platform makes of a text, in order. X and Mastodon
// decide by twitter-text (see X and Mastodon). The others have no bearing on
// lengths or prices, and are read as Mastodon is: Bluesky links nothing by
// itself, and its adapter marks addresses that have their scheme.
func On(p mission.Platform, text string) []Link {
	if p == mission.Twitter {
		return X(text)
	}
	return Mastodon(text)
}

// X are the links that X makes of a text: twitter-text's extractURLs
// (github.com/twitter/twitter-text, Regex.java VALID_URL and Extractor.java). In
// short: an optional http or https scheme; labels of letters, digits and Latin
// accents with hyphens, and underscores in all but the last two; a top-level
// domain that is known, and isn't followed by one of a-z, 0-9, @, + and -; then
// a port, a path and a query. Behind a scheme one label of any script will do.
// No link begins behind a letter, a digit, @, $ or #, nor, without a scheme,
// behind one of - _ . and /. So an address of e-mail is no link, "Node.js" is
// none, and "ASP.NET" is one. What it does with its own t.co is left out.
func X(text string) []Link { return xRule.find(text) }

// Mastodon are the links that Mastodon makes of a text: twitter-text's too, but
// only with a scheme, of which it knows some more, and with paths and queries of
// almost any character (config/initializers/twitter_regex.rb, and
// extract_url_without_protocol in StatusLengthValidator).
func Mastodon(text string) []Link { return mastodonRule.find(text) }

// Bounds of a link: twitter-text's MAX_URL_LENGTH, and a host's by RFC 1035.
const (
	maxURL   = 4096
	maxHost  = 253
	maxLabel = 63
)

// rule is how a platform reads links.
type rule struct {
	schemes []string // in lower case, with "://"
	// bare has links without a scheme.
	bare bool
	// path are the characters of a path, pathEnd those it may end in; query and
	// queryEnd are a query's.
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

// find goes through a text once. What a failed attempt has looked at isn't
// looked at again, but for schemes, so that it takes time in proportion to the
// text.
func (l rule) find(text string) []Link {
	var found []Link
	before := rune(-1) // the character before at; -1 where there is none
	fruitless := 0     // where no link without a scheme begins ahead of
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if precedes(before) {
			link, told, stop := l.from(text, at, before, at >= fruitless)
			if told {
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

// from reads the link that begins at a place of a text, behind the character
// before. told is whether it is one to the platform; a link that isn't is passed
// over. Where there is none, stop is where the attempt without a scheme ended.
func (l rule) from(text string, at int, before rune, bare bool) (link Link, told bool, stop int) {
	if scheme := l.schemeAt(text[at:]); scheme > 0 {
		start := at + scheme
		end, _ := domain(text, start)
		if end == 0 {
			end = foreignDomain(text, start)
		}
		if end > 0 {
			host := text[start:end]
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
	end = l.tail(text, end)
	told = l.bare && !strings.ContainsRune("-_./", before) && sound(host) && utf8.RuneCountInString(text[at:end]) <= maxURL
	return Link{at, end, host}, told, 0
}

// precedes reports whether a link may begin behind a character; -1 is a text's
// beginning.
func precedes(r rune) bool {
	return r < 0 || !asciiIn(r, "@$#") && r != '＠' && r != '＃' && r != 0xFFFE && r != 0xFEFF && r != 0xFFFF
}

// schemeAt is the length of the scheme that a text begins with, or 0.
func (l rule) schemeAt(text string) int {
	for _, scheme := range l.schemes {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// domain reads the host that begins at a place: it answers where the longest
// ends that has a known top-level domain, or 0, and where the labels end.
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

// label reads the label that begins at a place: where it ends, and whether it has
// underscores. ok is false where there is none, or it ends badly.
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

// foreignDomain reads the host of one label of any script and a known top-level
// domain that begins at a place, and answers where it ends, or 0.
func foreignDomain(text string, from int) int {
	hyphen := true // it can't begin with one, nor end
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

// tail is where a link ends whose host ends at a place: behind its port, path
// and query.
func (l rule) tail(text string, end int) int {
	if port := digits(text, end+1); end < len(text) && text[end] == ':' && port > end+1 {
		end = port
	}
	if end < len(text) && text[end] == '/' {
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

// pathFrom is where the path ends that begins behind a slash: behind the last
// character that it may end in, or a pair of brackets.
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

// brackets is where the pair ends that begins at a place, with pairs in it to a
// depth; 0 where it doesn't.
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
