package publishertest

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"missiond/mission"
)

// ArticleText is [Platform.Shown] of a site of articles, for texts without Markdown: their title and
// the words of their body.
func ArticleText(text string) string {
	return mission.TitleOf(text) + "\n\n" + strings.Join(strings.Fields(mission.BodyOf(text)), " ")
}

// ReadersText returns what readers see of an article, in the form of ArticleText.
func ReadersText(title, body string) string {
	return strings.TrimSpace(title + "\n\n" + strings.Join(strings.Fields(textOf(parsed(body))), " "))
}

// Shows are the pictures in an article's body, in their order, as addresses and alt texts.
func Shows(body string) (addresses, alts []string) {
	for n := range parsed(body).Descendants() {
		if n.DataAtom == atom.Img {
			addresses, alts = append(addresses, attribute(n, "src")), append(alts, attribute(n, "alt"))
		}
	}
	return addresses, alts
}

// active are the elements that run, frame or style something.
var active = []atom.Atom{
	atom.Script, atom.Style, atom.Iframe, atom.Object, atom.Embed, atom.Form, atom.Svg, atom.Math, atom.Link, atom.Meta, atom.Base,
}

// Unsafe returns the first element or attribute of an article's body that may run something in a
// reader's browser; "" if there is none.
func Unsafe(body string) string {
	for n := range parsed(body).Descendants() {
		if slices.Contains(active, n.DataAtom) {
			return n.Data
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.TrimSpace(a.Val))
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:") {
				return a.Key
			}
		}
	}
	return ""
}

func parsed(body string) *html.Node {
	n, err := html.Parse(strings.NewReader(body))
	if err != nil {
		return &html.Node{}
	}
	return n
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for each := range n.Descendants() {
		switch {
		case each.Type == html.TextNode:
			b.WriteString(each.Data)
		case each.Type == html.ElementNode && each.DataAtom != atom.A && each.DataAtom != atom.B:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
