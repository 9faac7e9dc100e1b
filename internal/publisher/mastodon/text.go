package mastodon

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// mentions are accounts with their server, which Mastodon leaves out where it
// shows them.
var mentions = regexp.MustCompile(`@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?`)

// breaks are the elements that part words.
var breaks = map[string]bool{
	"p": true, "br": true, "div": true, "blockquote": true, "pre": true, "ul": true, "ol": true, "li": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
}

// plainText is what a status' HTML says, as normal has it. What a link hides of
// its address for show is part of it.
func plainText(content string) string {
	var b strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(content))
	for {
		switch tokens.Next() {
		case html.ErrorToken: // the end
			return normal(b.String())
		case html.TextToken:
			b.Write(tokens.Text())
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			if name, _ := tokens.TagName(); breaks[string(name)] {
				b.WriteByte('\n')
			}
		default: // comments say nothing
		}
	}
}

// normal is a text as texts are compared: servers lay out white space and name
// accounts their own way.
func normal(text string) string {
	text = mentions.ReplaceAllString(norm.NFC.String(text), "@$1")
	return strings.Join(strings.Fields(text), " ")
}
