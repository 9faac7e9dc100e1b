package links

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bluesky returns the links to be marked in a text for Bluesky, which makes none itself. As
// its own client does (github.com/bluesky-social/atproto, rich-text/detection.ts), any
// address with a scheme, and names with a known top-level domain in lower case. Unlike it,
// a link ends where X's does, and at the letters of scripts without spaces, so that it
// takes nothing of the sentence around it, and it may begin after such a letter. Emphasis
// of Markdown around it isn't part of it.
func Bluesky(text string) []Link {
	found := blueskyRule.find(text)
	for i, l := range found {
		for before := l.Start - 1; before >= 0 && l.End-1 > l.Start && strings.IndexByte("*_~", text[before]) >= 0 && text[l.End-1] == text[before]; before-- {
			l.End--
		}
		found[i] = l
	}
	return found
}

// writtenRule finds addresses with a scheme, blueskyRule names too.
var (
	writtenRule = rule{
		schemes: []string{"https://", "http://"}, anyHost: true,
		path:    func(r rune) bool { return xRule.path(r) || spacedLetter(r) },
		pathEnd: func(r rune) bool { return xRule.pathEnd(r) || spacedLetter(r) },
		query:   func(r rune) bool { return xRule.query(r) || spacedLetter(r) }, queryEnd: func(r rune) bool { return xRule.queryEnd(r) || spacedLetter(r) },
	}
	blueskyRule = func() rule {
		r := writtenRule
		r.bare, r.strictBare = true, true
		return r
	}()
)

// spacedLetter reports whether a character beyond ASCII belongs to words that have spaces
// between them.
func spacedLetter(r rune) bool {
	if r <= unicode.MaxASCII || r >= 0x3000 && r <= 0x33ff || r >= 0xff00 && r <= 0xffef || !unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
		return false
	}
	return !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Yi,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese)
}

// hostWritten returns the end of the host that begins at an index, whatever its top-level
// domain; 0 if there is none.
func hostWritten(text string, from int) int {
	end := 0
	for at := from; at-from <= maxHost; at++ {
		next, _, ok := label(text, at)
		if !ok {
			break
		}
		if at, end = next, next; at >= len(text) || text[at] != '.' {
			break
		}
	}
	return end
}

// misleads reports whether what follows a host makes it something else: a user's name, or
// another scheme.
func misleads(rest string) bool {
	if strings.HasPrefix(rest, "@") || strings.HasPrefix(rest, "://") {
		return true
	}
	if !strings.HasPrefix(rest, ":") {
		return false
	}
	const most = 256
	end := strings.IndexFunc(rest[:min(len(rest), most)], func(r rune) bool { return space(r) || strings.ContainsRune("@/?#", r) })
	return end > 0 && rest[end] == '@'
}

// strictly reports whether the name between two indexes is one that Bluesky links without a
// scheme: it begins with a letter, its top-level domain is in lower case and its end.
func strictly(text string, from, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[from:])
	tld := text[from+strings.LastIndexByte(text[from:end], '.')+1 : end]
	if !unicode.IsLetter(first) || strings.ToLower(tld) != tld {
		return false
	}
	if end >= len(text) || text[end] != '.' {
		return true
	}
	next := runeAt(text, end+1)
	return !asciiIn(next, "") && !accented(next)
}

// handles are the handles of Bluesky (atproto.com/specs/handle).
var handles = regexp.MustCompile(`^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$`)

// blueskyMentions is MENTION_REGEX of detection.ts: a handle with a known top-level domain
// at the beginning of a word.
func blueskyMentions(text string) []Entity {
	return scanned(text, "@", func(before rune, start, head int) (Entity, bool, int) {
		if !opening(before) {
			return Entity{}, false, start
		}
		run := while(text, head, 0, func(r rune) bool { return asciiIn(r, ".-") })
		name := strings.TrimRight(text[head:run], ".-")
		end := head + len(name)
		tld := name[strings.LastIndexByte(name, '.')+1:]
		ok := len(name) <= maxHost && handles.MatchString(name) && runeAt(text, end) != '_' && (strings.ToLower(tld) == tld && IsTLD(tld) || tld == "test")
		return Entity{KindMention, start, end, name}, ok, run
	})
}

// hiddenInTag are the characters that end a tag although they can't be seen (TAG_REGEX).
const hiddenInTag = "\u00ad\u2060\u200a\u200b\u200c\u200d\u20e2"

// Bounds of a tag: detection.ts has UTF-16 units, app.bsky.richtext.facet bytes.
const (
	maxTagUnits = 64
	maxTagBytes = 640
)

// blueskyTags is TAG_REGEX and CASHTAG_REGEX of rich-text/util.ts: up to the next white
// space, without punctuation at its end, and with something else than digits and
// punctuation. A tag may also begin after an opening bracket or a quote, which it then ends
// at, and it ends before a link.
func blueskyTags(text string) []Entity {
	found := Bluesky(text)
	tags := scanned(text, "#＃", func(before rune, start, head int) (Entity, bool, int) {
		if !opening(before) || runeAt(text, head) == 0xfe0f {
			return Entity{}, false, start
		}
		for len(found) > 0 && found[0].End <= head {
			found = found[1:]
		}
		limit := len(text)
		if len(found) > 0 {
			limit = max(found[0].Start, head)
		}
		closed := before >= 0 && !unicode.IsSpace(before) && before != 0xfeff
		end := while(text[:limit], head, 0, func(r rune) bool {
			return !unicode.IsSpace(r) && r != 0xfeff && !strings.ContainsRune(hiddenInTag, r) && (!closed || !unicode.In(r, unicode.Pe, unicode.Pf) && r != before)
		})
		name := strings.TrimRightFunc(text[head:end], unicode.IsPunct)
		return Entity{KindTag, start, head + len(name), name}, tagged(name), max(head, head+len(name))
	})
	return append(tags, blueskyCashtags(text)...)
}

// tagged reports whether a name is a tag's.
func tagged(name string) bool {
	units := 0
	for _, r := range name {
		units += max(1, utf16Len(r))
	}
	return len(name) <= maxTagBytes && units <= maxTagUnits &&
		strings.ContainsFunc(name, func(r rune) bool { return (r < '0' || r > '9') && !unicode.IsPunct(r) })
}

func utf16Len(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// blueskyCashtags are tags with a dollar sign, which are compared in upper case.
func blueskyCashtags(text string) []Entity {
	const longest = 5
	return scanned(text, "$", func(before rune, start, head int) (Entity, bool, int) {
		end := while(text, head, longest+1, func(r rune) bool { return asciiIn(r, "") })
		next := runeAt(text, end)
		ok := (before < 0 || unicode.IsSpace(before) || before == '(') && end > head && end-head <= longest && text[head] > '9' &&
			(next < 0 || unicode.IsSpace(next) || strings.ContainsRune(".,;:!?)\"'’", next))
		return Entity{KindTag, start, end, "$" + strings.ToUpper(text[head:end])}, ok, end
	})
}

// cashtags is twitter-text's validCashtag.
var cashtags = regexp.MustCompile(`(?i)(?:^|[\s\x{85}\x{a0}\x{1680}\x{180e}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?:$|[\s!-/:-@\[-` + "`" + `{-~])`)

// Cashtags counts the cashtags ($ABC) that X finds in a text.
func Cashtags(text string) int {
	n := 0
	for at := 0; ; n++ {
		found := cashtags.FindStringIndex(text[at:])
		if found == nil {
			return n
		}
		_, size := utf8.DecodeLastRuneInString(text[at : at+found[1]])
		if at+found[1] == len(text) {
			return n + 1
		}
		at += found[1] - size // what ends one may begin the next
	}
}
