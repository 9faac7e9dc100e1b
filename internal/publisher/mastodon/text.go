package mastodon

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// mentions matches accounts with their server, which Mastodon leaves out when it
// shows them.
var mentions = regexp.MustCompile(`@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?`)

// breaks are the elements that separate words.
var breaks = map[string]bool{
	"p": true, "br": true, "div": true, "blockquote": true, "pre": true, "ul": true, "ol": true, "li": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
}

// plainText returns the text of a status' HTML, normalized. The parts of a link's
// address that are hidden for display are included.
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
		default: // comments have no text
		}
	}
}

// normal returns a text in the form in which texts are compared: servers change
// white space and the names of accounts.
func normal(text string) string {
	text = mentions.ReplaceAllString(norm.NFC.String(text), "@$1")
	return strings.Join(strings.Fields(text), " ")
}
