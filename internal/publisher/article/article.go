// Package article makes of an article's Markdown what sites take: a title, HTML that is safe on
// any page, tags, and a slug that is the article's own.
package article

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"strings"
	"unicode"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	markdownhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"golang.org/x/text/unicode/norm"

	"missiond/mission"
)

// Article is a part of a post as a site has it.
type Article struct {
	// Title is plain text.
	Title string
	// HTML is the body, sanitized.
	HTML string
	// Tags are the hashtags at the end of the text, without their sign.
	Tags []string
}

// Picture is a picture in an article's body.
type Picture struct{ URL, Alt string }

// Of returns the article of a part, with pictures at its end. The lines at its end that have only
// hashtags aren't in the body.
func Of(p mission.Part, pictures ...Picture) Article {
	title, body := mission.TitleOf(p.Text), mission.BodyOf(p.Text)
	rest, tags := splitTags(p.Content.Platform, body)
	if rest == "" {
		rest = title
	}
	return Article{Title: title, HTML: render(rest, pictures), Tags: tags}
}

// Text returns what readers see of an article: the words of its title and body, in the form in
// which texts are compared.
func (a Article) Text() string { return Text(a.Title, a.HTML) }

// markdown is CommonMark with tables, strikethrough and addresses that are links by themselves.
// HTML isn't part of it: readers see it as it was written, and as its reviewers saw it. A line
// break is one.
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)),
	goldmark.WithRenderer(renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(
		markdownhtml.NewRenderer(markdownhtml.WithHardWraps()), 1000,
	)))),
	goldmark.WithExtensions(extension.Linkify, extension.Table, extension.Strikethrough),
)

// policy says what is left of HTML: what users of a site may write, without anything that runs,
// frames or styles. Links are the tenant's own, and count for search engines.
var policy = func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoFollowOnLinks(false)
	p.AllowAttrs("alt", "title").OnElements("img", "a") // whatever characters they have
	return p
}()

// render returns the sanitized HTML of Markdown, with pictures at its end.
func render(text string, pictures []Picture) string {
	var b bytes.Buffer
	if markdown.Convert([]byte(text), &b) != nil { // a buffer takes everything
		b.Reset()
		b.WriteString("<p>" + html.EscapeString(text) + "</p>")
	}
	for _, p := range pictures {
		b.WriteString(`<p><img src="` + html.EscapeString(p.URL) + `" alt="` + html.EscapeString(p.Alt) + `"></p>` + "\n")
	}
	return strings.TrimSpace(policy.Sanitize(b.String()))
}

const (
	// maxWords is how long the readable part of a slug is at most, in bytes.
	maxWords = 60
	// hashBytes is how much of the hash of a part's key a slug has: two of a site's millions of
	// articles share it in a case in a hundred thousand million.
	hashBytes = 8
)

// Slug returns the slug of a part: words of its title and a hash of its key. It is the same at every
// call for the part, and its own. It has lower-case letters, digits and hyphens only.
func Slug(p mission.Part) string {
	sum := sha256.Sum256([]byte(p.Key()))
	hash := hex.EncodeToString(sum[:hashBytes])
	words := strings.FieldsFunc(norm.NFKD.String(strings.ToLower(mission.TitleOf(p.Text))), func(r rune) bool {
		return !unicode.Is(unicode.Mn, r) && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	})
	slug := ""
	for _, word := range words {
		word = strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII {
				return -1 // a mark of the letter before
			}
			return r
		}, word)
		if len(slug)+len(word) > maxWords {
			break
		}
		if word != "" {
			slug += word + "-"
		}
	}
	return slug + hash
}
