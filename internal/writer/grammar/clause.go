package grammar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// withoutWish returns an objective without the words in which tenants say that
// they want it.
func withoutWish(fields []string) []string {
	for again := true; again; {
		again = false
		text := strings.ReplaceAll(strings.ToLower(strings.Join(fields, " ")), "’", "'")
		for _, begin := range lexicon["wishes"] {
			if strings.HasPrefix(text, begin+" ") {
				fields, again = fields[len(strings.Fields(begin)):], true
				break
			}
		}
	}
	return fields
}

// third are speakers that need a verb which is known as one.
var third = words("people everyone everybody nobody")

var speakers = words("we i you they it there we're i'm it's we've i've you're they're there's everyone everybody nobody nothing people")

// asides begin what is said to readers as it is.
var asides = words("don't never always")

// gerund is the verb of "selling" and its like; "" where it is none, or not one
// of tenants' aims.
func gerund(word string) string {
	stem, ok := strings.CutSuffix(bare(word), "ing")
	if !ok {
		return ""
	}
	for _, base := range []string{stem, stem + "e", stem[:max(0, len(stem)-1)]} {
		if v := verbs[base]; v != noVerb && v != readerVerb && v != aimVerb {
			return base
		}
	}
	return ""
}

// isSentence reports whether words are a whole sentence that states something.
func isSentence(fields []string) bool {
	if len(fields) < 3 {
		return false
	}
	first, second := bare(fields[0]), bare(fields[1])
	switch {
	case wh[first]:
		return false
	case speakers[first]:
		return auxiliaries[second] || !third[first]
	case verbs[first] != noVerb:
		return auxiliaries[second] && second != "do" && second != "have"
	}
	const near = 8 // words
	for i := 1; i < min(near, len(fields)-1); i++ {
		switch w := bare(fields[i]); {
		case i > 1 && determiners[first] && common[w] && goesOn[bare(fields[i+1])], finite[w]:
			return true
		case conjunctions[w] || w == "who":
			return false
		}
	}
	return false
}

// goesOn are words that stand behind a verb, and hardly behind a plural.
var goesOn = join(prepositions, determiners, adverbs)

// finite are forms of auxiliaries that only a sentence has.
var finite = words("is are was were am has had does did will would can could may might shall should must isn't aren't don't doesn't won't can't")

// saidToReaders reports whether an objective is a sentence for readers already.
func saidToReaders(fields []string) bool {
	first := bare(fields[0])
	if first == "please" && len(fields) > 1 {
		v := verbs[bare(fields[1])]
		return v == noVerb || v == readerVerb || v == aimVerb
	}
	return asides[first] || strings.HasSuffix(fields[len(fields)-1], "?") || isSentence(fields)
}

// titled reports whether words are a headline: "Spring sale: 20% off".
func titled(fields []string) bool {
	if strings.HasPrefix(strings.ToLower(strings.Join(fields, " ")), "save the date") {
		return true
	}
	first := bare(fields[0])
	at := slices.IndexFunc(fields, func(f string) bool { return strings.HasSuffix(f, ":") })
	return verbs[first] == noVerb && gerund(first) == "" && at >= 0 && at < len(fields)-1
}

// basic is an objective that begins with "selling" as one that begins with
// "sell", where it can't be a noun's adjective.
func basic(fields []string) []string {
	if len(fields) < 2 {
		return fields
	}
	base := gerund(fields[0])
	at, _ := named(fields[1:], true)
	if base == "" || !objectBegins(fields[1:]) && (at < 0 || verbs[base] != metricVerb) {
		return fields
	}
	return append([]string{base}, fields[1:]...)
}

// firstSentence is the first of several sentences.
func firstSentence(text string) string {
	return append(sentences(text), "")[0]
}

// sentence is words as a sentence of their own.
func sentence(fields []string) string {
	text := upperFirst(strings.Join(fields, " "))
	if r, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…", r) {
		return text
	}
	return strings.TrimRight(text, ",;:–—- ") + "."
}

// lowered is words as they stand behind a colon: the first in lower case, unless
// it may be a name.
func lowered(fields []string) string {
	text := strings.TrimRight(strings.Join(fields, " "), ".,;:!–—- ")
	b := bare(fields[0])
	if len(fields) > 1 && capital(fields[1]) {
		return text // a title, or a name
	}
	known := functionWords[b] || verbs[b] != noVerb || gerund(b) != "" || commonNouns[b] || people[b] || metrics[b] != noMetric || adjectives[b]
	if b == "i" || !known || fields[0] != upperFirst(b) {
		return text
	}
	return b[:1] + text[1:]
}

// readers is what stands behind "to", said to the reader: "book their flu shot"
// is "book your flu shot". own tells that it was said to the reader already. ok is
// false where the words may mean somebody else.
func readers(fields []string, own bool) (phrase string, ok bool) {
	first := bare(fields[0])
	if functionWords[first] || strings.HasSuffix(first, "ing") && verbs[first] == noVerb || strings.ContainsFunc(first, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
		return "", false
	}
	said := []string{strings.ToLower(fields[0])}
	for i := 1; i < len(fields) && !leaves(fields, i); i++ {
		f, w := fields[i], bare(fields[i])
		if others[w] || !own && (w == "your" || w == "you" || w == "yours") {
			return "", false
		}
		if !own {
			f = toReader(f)
		}
		said = append(said, f)
	}
	return strings.Join(trimmedEnd(said), " "), true
}

// leaves reports whether the words from i on are about the tenant's own aims
// again: "and increase sales", "by 20%".
func leaves(fields []string, i int) bool {
	next := ""
	if i+1 < len(fields) {
		next = bare(fields[i+1])
	}
	switch bare(fields[i]) {
	case "and":
		return verbs[next] == metricVerb || verbs[next] == offerVerb
	case "by":
		return measured(fields[i:])
	case "so":
		return next == "that"
	default:
		return false
	}
}

// measured reports whether words end with how much something is to change: "by
// 20%", "by half".
func measured(fields []string) bool {
	n := len(fields)
	return n > 1 && bare(fields[n-2]) == "by" && (strings.HasSuffix(fields[n-1], "%") || bare(fields[n-1]) == "half")
}

// toReader is a word about people as it is said to them.
func toReader(word string) string {
	w := bare(word)
	if yours := map[string]string{"their": "your", "theirs": "yours", "themselves": "yourself", "they": "you"}[w]; yours != "" {
		return strings.Replace(strings.ToLower(word), w, yours, 1)
	}
	return word
}

// toReaders are words about people as they are said to them.
func toReaders(fields []string) []string {
	fields = slices.Clone(fields)
	for i, f := range fields {
		fields[i] = toReader(f)
	}
	return fields
}

// theirs reports whether words speak of somebody who may be the readers.
func theirs(fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return toReader(f) != f })
}

var others = words("them he she him her his hers whom")

// trimmedEnd are words without the punctuation behind them; particles and
// prepositions at the end stay: "sign up".
func trimmedEnd(fields []string) []string {
	fields = slices.Clone(fields)
	last := len(fields) - 1
	fields[last] = strings.TrimRight(fields[last], ".,;:!?–—-… ")
	return fields
}

var moneyWords = words("money funds cash funding donations")

// money reports whether words begin with a sum.
func money(fields []string) bool {
	return moneyWords[bare(fields[0])] || strings.ContainsFunc(fields[0], unicode.IsDigit) && strings.ContainsAny(fields[0], "£$€¥")
}

// objectBegins reports whether words can only be what is done something to.
func objectBegins(fields []string) bool {
	w := bare(fields[0])
	return startsNoun[w] || objects[w] || wh[w] || number(fields[0]) || oddlyWritten(fields[0]) || strings.HasSuffix(w, "'s") || money(fields) ||
		people[w] && len(fields) > 1 && functionWords[bare(fields[1])]
}

var objects = words("this these that more new us ourselves sure everyone everybody two three four five six seven eight nine ten twelve twenty")

// withoutLinks parts an objective from the addresses in it, and from the
// preposition before each.
func withoutLinks(fields []string) (rest, links []string) {
	for _, f := range fields {
		link := strings.Trim(f, `.,;:!?()<>"'“”`)
		if !isLink(link) {
			rest = append(rest, f)
			continue
		}
		links = append(links, link)
		for len(rest) > 0 && (prepositions[bare(rest[len(rest)-1])] || bare(rest[len(rest)-1]) == "") {
			rest = rest[:len(rest)-1]
		}
	}
	return rest, links
}

// isLink reports whether a word is an address.
func isLink(word string) bool {
	lower := strings.ToLower(word)
	if strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "www.") {
		return true
	}
	host, path, _ := strings.Cut(lower, "/")
	if lower != word || !strings.Contains(host, ".") || strings.ContainsAny(host, "@:") {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(host)
	return (icann || path != "") && suffix != host
}
