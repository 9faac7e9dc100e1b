package links

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/mission"
)

// Kind is what a platform makes of a piece of a text.
type Kind string

// The kinds.
const (
	KindLink    Kind = "link"
	KindMention Kind = "mention"
	KindTag     Kind = "tag"
)

// Entity is a piece of a text that a platform makes something of, from byte Start to byte
// End, exclusive.
type Entity struct {
	Kind       Kind
	Start, End int
	// Name is a mention's name without its sign, or a tag's; for others "".
	Name string
}

// platformRules are what a platform makes of a text.
type platformRules struct {
	links          func(text string) []Link
	mentions, tags func(text string) []Entity
}

// rulesOf is the table of the platforms' rules. Each function names its source.
func rulesOf(p mission.Platform) platformRules {
	switch p {
	case mission.Twitter:
		return platformRules{X, xMentions, xTags}
	case mission.Mastodon:
		return platformRules{Mastodon, mastodonMentions, mastodonTags}
	case mission.Bluesky:
		return platformRules{Bluesky, blueskyMentions, blueskyTags}
	case mission.LinkedIn: // where a mention needs the member's URN
		return platformRules{writtenRule.find, func(string) []Entity { return nil }, plainTags}
	default:
		return platformRules{writtenRule.find, plainMentions, plainTags}
	}
}

// Entities returns what a platform makes links, mentions and tags of in a text, in order
// and without overlap: of two that overlap the first counts, but a tag never takes a link.
func Entities(p mission.Platform, text string) []Entity {
	rules := rulesOf(p)
	var all []Entity
	for _, l := range rules.links(text) {
		all = append(all, Entity{Kind: KindLink, Start: l.Start, End: l.End})
	}
	return apart(append(append(all, rules.mentions(text)...), rules.tags(text)...))
}

// Mentions returns what Entities does, without tags.
func Mentions(p mission.Platform, text string) []Entity {
	rules := rulesOf(p)
	var all []Entity
	for _, l := range rules.links(text) {
		all = append(all, Entity{Kind: KindLink, Start: l.Start, End: l.End})
	}
	return apart(append(all, rules.mentions(text)...))
}

// apart sorts entities and removes those that begin within another.
func apart(all []Entity) []Entity {
	slices.SortStableFunc(all, func(a, b Entity) int { return cmp.Compare(a.Start, b.Start) })
	end := 0
	return slices.DeleteFunc(all, func(e Entity) bool {
		if e.Start < end {
			return true
		}
		end = e.End
		return false
	})
}

// scanned calls read at each sign of a text, with the character before it (-1 for none)
// and the index after it. read returns the entity that begins with the sign, and where to
// go on; at or before the sign for the next character.
func scanned(text, signs string, read func(before rune, start, head int) (Entity, bool, int)) []Entity {
	var found []Entity
	for at := 0; at < len(text); {
		next := strings.IndexAny(text[at:], signs)
		if next < 0 {
			break
		}
		start := at + next
		_, size := utf8.DecodeRuneInString(text[start:])
		e, ok, end := read(runeBefore(text, start), start, start+size)
		if ok {
			found = append(found, e)
		}
		at = max(end, start+size)
	}
	return found
}

func runeBefore(text string, at int) rune {
	if at == 0 {
		return -1
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return r
}

func runeAt(text string, at int) rune {
	if at >= len(text) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return r
}

// while returns the index after the characters from an index on that are in a set, at
// most most of them if that isn't 0.
func while(text string, at, most int, in func(r rune) bool) int {
	for n := 0; at < len(text) && (most == 0 || n < most); n++ {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 || !in(r) {
			break
		}
		at += size
	}
	return at
}

func nameCharacter(r rune) bool { return asciiIn(r, "_") }

// word reports whether a character is one of Ruby's [[:word:]].
func word(r rune) bool {
	return r >= 0 && unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc)
}

// dotted returns the index after words that dots and hyphens are between, from an index
// on; the index itself if there is none.
func dotted(text string, at int, in func(r rune) bool) int {
	end := while(text, at, 0, in)
	for end > at {
		joint := while(text, end, 0, func(r rune) bool { return r == '.' || r == '-' })
		next := while(text, joint, 0, in)
		if joint == end || next == joint {
			break
		}
		end = next
	}
	return end
}

// endsMention reports whether what follows a name leaves it a mention: not another sign, an
// accented letter or an address (twitter-text, endMentionMatch).
func endsMention(rest string) bool {
	next := runeAt(rest, 0)
	return next != '@' && next != '＠' && !accented(next) && !strings.HasPrefix(rest, "://")
}

// mastodonMentions is Account::MENTION_RE and Extractor.extract_mentions_or_lists_with_indices
// of github.com/mastodon/mastodon: the name, of which dots and hyphens are no ends, and a
// domain of words of any script. Nothing mentions behind a word, a slash or an equals sign.
func mastodonMentions(text string) []Entity {
	return scanned(text, "@", func(before rune, start, head int) (Entity, bool, int) {
		if word(before) || before == '/' || before == '=' {
			return Entity{}, false, start
		}
		end := dotted(text, head, nameCharacter)
		if end == head {
			return Entity{}, false, start
		}
		name := text[head:end]
		if runeAt(text, end) == '@' {
			if domain := dotted(text, end+1, word); domain > end+1 {
				end = domain
			}
		}
		return Entity{KindMention, start, end, name}, endsMention(text[end:]), end
	})
}

// xMentions is twitter-text's validMentionOrList.
func xMentions(text string) []Entity {
	const longestName, longestList = 20, 25
	return scanned(text, "@＠", func(before rune, start, head int) (Entity, bool, int) {
		if before >= 0 && (asciiIn(before, "_!#$%&*@") || before == '＠') && !retweets(text[:start]) {
			return Entity{}, false, start
		}
		end := while(text, head, longestName, nameCharacter)
		name := text[head:end]
		if end > head && runeAt(text, end) == '/' && unicode.IsLetter(runeAt(text, end+1)) && asciiIn(runeAt(text, end+1), "") {
			end = while(text, end+1, longestList, func(r rune) bool { return asciiIn(r, "_-") })
		}
		return Entity{KindMention, start, end, name}, end > head && endsMention(text[end:]), end
	})
}

// retweets reports whether a text ends in RT, perhaps with a colon, as a word.
func retweets(text string) bool {
	text = strings.TrimSuffix(text, ":")
	rest := strings.TrimSuffix(strings.TrimSuffix(text, "t"), "T")
	if len(rest) != len(text)-1 || !strings.HasSuffix(strings.ToLower(rest), "r") {
		return false
	}
	before := runeBefore(rest, len(rest)-1)
	return before < 0 || !asciiIn(before, "_+~.-")
}

// tagCharacter is twitter-text's hashtagAlphaNumeric, hashtagLetter its hashtagAlpha.
func tagCharacter(r rune) bool {
	return hashtagLetter(r) || unicode.Is(unicode.Nd, r) || strings.ContainsRune("_\u200c\u200d\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7", r)
}

func hashtagLetter(r rune) bool { return unicode.In(r, unicode.L, unicode.M) }

// xTags is twitter-text's validHashtag.
func xTags(text string) []Entity {
	return scanned(text, "#＃", func(before rune, start, head int) (Entity, bool, int) {
		if before >= 0 && before != 0xfe0e && before != 0xfe0f && (tagCharacter(before) || before == '&') {
			return Entity{}, false, start
		}
		end := while(text, head, 0, tagCharacter)
		next := runeAt(text, head)
		ok := next != 0xfe0f && next != 0x20e3 && strings.ContainsFunc(text[head:end], hashtagLetter)
		after := runeAt(text, end)
		ok = ok && after != '#' && after != '＃' && !strings.HasPrefix(text[end:], "://")
		return Entity{KindTag, start, end, text[head:end]}, ok, end
	})
}

// mastodonTags is Tag::HASHTAG_RE of github.com/mastodon/mastodon: words, with dots in the
// middle of the line between them, that aren't a number.
func mastodonTags(text string) []Entity {
	const separators = "_·・\u200c"
	return scanned(text, "#＃", func(before rune, start, head int) (Entity, bool, int) {
		if before >= 0 && (before == '=' || before == '/' || before == ')' || unicode.In(before, unicode.L, unicode.Nd)) || !word(runeAt(text, head)) {
			return Entity{}, false, start
		}
		end := while(text, head, 0, func(r rune) bool { return word(r) || strings.ContainsRune(separators, r) })
		name := strings.TrimRightFunc(text[head:end], func(r rune) bool { return !word(r) })
		inner := ""
		if n := utf8.RuneCountInString(name); n > 2 {
			runes := []rune(name)
			inner = string(runes[1 : n-1])
		}
		ok := strings.ContainsFunc(name, unicode.IsLetter) || strings.ContainsAny(inner, separators)
		return Entity{KindTag, start, head + len(name), name}, ok, end
	})
}

// opening reports whether a word may begin after a character: at the start, after white
// space, an opening bracket or a quote.
func opening(r rune) bool {
	return r < 0 || unicode.IsSpace(r) || r == 0xfeff || unicode.In(r, unicode.Ps, unicode.Pi) || r == '"' || r == '\''
}

// plainMentions are names as most platforms have them, which are only shown; plainTags are
// words behind a number sign, that LinkedIn is sent unescaped. They begin with a letter or a
// digit, and have no part of a keycap ("#️⃣").
func plainMentions(text string) []Entity {
	return scanned(text, "@", func(before rune, start, head int) (Entity, bool, int) {
		if word(before) || before == '/' || before == '.' || before == '@' {
			return Entity{}, false, start
		}
		end := dotted(text, head, nameCharacter)
		return Entity{KindMention, start, end, text[head:end]}, end > head, end
	})
}

func plainTags(text string) []Entity {
	return scanned(text, "#", func(before rune, start, head int) (Entity, bool, int) {
		if !opening(before) {
			return Entity{}, false, start
		}
		first, _ := utf8.DecodeRuneInString(text[head:])
		end := while(text, head, 0, func(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '_' })
		ok := unicode.In(first, unicode.L, unicode.Nd) && !strings.ContainsAny(text[head:end], "\uFE0F\u20E3")
		return Entity{KindTag, start, end, text[head:end]}, ok, end
	})
}

// Prose returns a text without what a platform makes links, mentions and tags of, and without
// what only others link: what is left is in the text's language.
func Prose(p mission.Platform, text string) string {
	all := Entities(p, text)
	for _, l := range append(X(text), writtenRule.find(text)...) {
		all = append(all, Entity{Kind: KindLink, Start: l.Start, End: l.End})
	}
	var b strings.Builder
	at := 0
	for _, e := range apart(all) {
		b.WriteString(text[at:e.Start] + " ")
		at = e.End
	}
	return b.String() + text[at:]
}
