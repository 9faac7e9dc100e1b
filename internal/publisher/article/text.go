package article

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"

	"missiond/internal/links"
	"missiond/mission"
)

// maxTags is how many tags an article gets at most.
const maxTags = 10

// splitTags returns a body without the lines at its end that have only hashtags, and the hashtags at
// its end.
func splitTags(p mission.Platform, body string) (rest string, tags []string) {
	end, cut := len(body), len(body)
	for _, e := range slices.Backward(links.Entities(p, body)) {
		if e.Kind != links.KindTag || strings.TrimSpace(body[e.End:end]) != "" {
			break
		}
		end = e.Start
		if line := strings.TrimRight(body[:e.Start], " \t"); line == "" || strings.HasSuffix(line, "\n") {
			cut = e.Start
		}
		same := func(tag string) bool { return strings.EqualFold(tag, e.Name) }
		if tags = slices.DeleteFunc(tags, same); e.Name != "" {
			tags = append(tags, e.Name)
		}
	}
	slices.Reverse(tags)
	return strings.TrimSpace(body[:cut]), tags[:min(len(tags), maxTags)]
}

// breaks are the elements that separate words.
var breaks = map[string]bool{
	"p": true, "br": true, "div": true, "blockquote": true, "pre": true, "ul": true, "ol": true, "li": true, "hr": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "table": true, "tr": true, "td": true, "th": true,
	"figure": true, "figcaption": true,
}

// Text returns what readers see of a title, in plain text, and a body in HTML: their words, in the
// form in which texts are compared.
func Text(title, body string) string {
	return strings.TrimSpace(words(title) + "\n\n" + Words(body))
}

// Words returns the words of HTML.
func Words(content string) string {
	var b strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(content))
	for {
		switch tokens.Next() {
		case html.ErrorToken: // the end
			return words(b.String())
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

func words(text string) string { return strings.Join(strings.Fields(norm.NFC.String(text)), " ") }
