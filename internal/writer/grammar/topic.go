package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// goalVerbs begin objectives that say what to do about their topic.
var goalVerbs = map[string]bool{
	"increase": true, "grow": true, "drive": true, "boost": true, "promote": true, "launch": true, "build": true,
	"improve": true, "show": true, "raise": true, "generate": true, "get": true, "attract": true, "announce": true,
	"introduce": true, "share": true, "explain": true, "encourage": true, "strengthen": true, "expand": true,
	"create": true, "establish": true, "highlight": true, "celebrate": true, "teach": true, "spread": true, "gain": true,
	"more": true,
}

var articles = map[string]bool{"the": true, "a": true, "an": true, "your": true, "their": true}

// longestTopic bounds a topic in code points: it stands in the middle of a
// sentence, and that in a post.
const longestTopic = 60

// topicOf makes of an objective the phrase that sentences are about: "Increase
// brand awareness!" is "brand awareness".
func topicOf(objective string) string {
	fields := strings.FieldsFunc(objective, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	rest := fields
	if len(rest) > 1 && goalVerbs[strings.ToLower(rest[0])] {
		rest = rest[1:]
	}
	if len(rest) > 1 && articles[strings.ToLower(rest[0])] {
		rest = rest[1:]
	}
	topic := strings.TrimFunc(strings.Join(rest, " "), func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
	topic = shorten(topic, longestTopic)
	if topic == "" {
		return "what we do"
	}
	return topic
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// shorten cuts s to a number of code points, at a word's end where there is one
// in its second half.
func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	cut := string([]rune(s)[:most])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return strings.TrimRightFunc(cut, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
}

// fillers make no hashtag.
var fillers = map[string]bool{
	"about": true, "from": true, "have": true, "into": true, "make": true, "more": true, "than": true, "that": true,
	"their": true, "them": true, "they": true, "this": true, "what": true, "when": true, "where": true, "which": true,
	"with": true, "your": true,
}

// longestTag bounds a hashtag in code points.
const longestTag = 30

// hashtags are the topic as one tag and its longer words, at most n.
func hashtags(topic string, n int) []string {
	var whole strings.Builder
	var tags []string
	for _, w := range strings.FieldsFunc(topic, notWord) {
		const shortest = 4
		if utf8.RuneCountInString(w) < shortest || fillers[strings.ToLower(w)] {
			continue
		}
		w = upperFirst(w)
		whole.WriteString(w)
		tags = append(tags, "#"+w)
	}
	if len(tags) > 1 && utf8.RuneCountInString(whole.String()) <= longestTag {
		tags = append([]string{"#" + whole.String()}, tags...)
	}
	var fit []string
	for _, tag := range tags {
		if utf8.RuneCountInString(tag) <= longestTag && len(fit) < n && strings.IndexFunc(tag[1:], unicode.IsLetter) >= 0 {
			fit = append(fit, tag)
		}
	}
	return fit
}
