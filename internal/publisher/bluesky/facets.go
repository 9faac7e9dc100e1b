package bluesky

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// facet is a part of a text with a function: the protocol links nothing by itself
// (app.bsky.richtext.facet).
type facet struct {
	Index    span      `json:"index"`
	Features []feature `json:"features"`
}

// span is a part of a text in bytes of its UTF-8, the end excluded.
type span struct {
	Start int `json:"byteStart"`
	End   int `json:"byteEnd"`
}

// feature is what the part does: it links to URI, or to the posts with Tag.
type feature struct {
	Type string `json:"$type"`
	URI  string `json:"uri,omitempty"`
	Tag  string `json:"tag,omitempty"`
}

const (
	linkType = "app.bsky.richtext.facet#link"
	tagType  = "app.bsky.richtext.facet#tag"
)

// A tag's limits by the protocol, in bytes and in graphemes.
const (
	maxTagBytes     = 640
	maxTagGraphemes = 64
)

// starts matches where links and tags may begin.
var starts = regexp.MustCompile(`(?i)https?://|#`)

// facets returns a text's links and hashtags, in order. Mentions stay plain:
// resolving each would take a call.
func facets(text string) []facet {
	var found []facet
	for at := 0; ; {
		next := starts.FindStringIndex(text[at:])
		if next == nil {
			return found
		}
		start, head := at+next[0], at+next[1]
		at = head
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		if start > 0 && inWord(before) {
			continue
		}
		f, ok := facetAt(text, start, head)
		if ok {
			found, at = append(found, f), f.Index.End
		}
	}
}

// facetAt returns the facet that begins at start, where its sign ends at head.
func facetAt(text string, start, head int) (facet, bool) {
	if text[start] != '#' {
		link := linkOf(text[start:])
		return facet{span{start, start + len(link)}, []feature{{Type: linkType, URI: link}}}, link != ""
	}
	tag := tagOf(text[head:])
	return facet{span{start, head + len(tag)}, []feature{{Type: tagType, Tag: tag}}}, tag != ""
}

// inWord reports whether a character belongs to words and tags.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_'
}

// linkOf returns the link at the beginning of text, without the punctuation of the
// sentence around it; "" if that is no address.
func linkOf(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`<>"“”«»`, r) || r == utf8.RuneError
	})
	if end < 0 {
		end = len(text)
	}
	link := text[:end]
	// A closing bracket belongs to the link if it was opened there.
	surplus := map[rune]int{
		')': strings.Count(link, ")") - strings.Count(link, "("),
		']': strings.Count(link, "]") - strings.Count(link, "["),
		'}': strings.Count(link, "}") - strings.Count(link, "{"),
	}
	for link != "" {
		last, size := utf8.DecodeLastRuneInString(link)
		if surplus[last] > 0 {
			surplus[last]--
		} else if !strings.ContainsRune(`.,;:!?'…’‘`, last) {
			break
		}
		link = link[:len(link)-size]
	}
	if u, err := url.Parse(link); err != nil || u.Host == "" {
		return ""
	}
	return link
}

// tagOf returns the tag at the beginning of text, without its #; "" if there is
// none: a number (#1) is none.
func tagOf(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !inWord(r) })
	if end < 0 {
		end = len(text)
	}
	tag := text[:end]
	if !strings.ContainsFunc(tag, unicode.IsLetter) || len(tag) > maxTagBytes || uniseg.GraphemeClusterCount(tag) > maxTagGraphemes {
		return ""
	}
	return tag
}
