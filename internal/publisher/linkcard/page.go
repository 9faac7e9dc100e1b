package linkcard

import (
	"cmp"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"missiond/internal/publisher"
)

// Limits of what a page says, in characters.
const (
	maxTitle       = 300
	maxDescription = 1000
	maxAddress     = 2048
)

// page is what a page says of itself.
type page struct {
	title, description string
	// picture is the picture's address, as written.
	picture string
}

// described are the names of the meta elements that are read (ogp.me, X's cards, HTML).
var described = map[string]int{
	"og:title": maxTitle, "twitter:title": maxTitle,
	"og:description": maxDescription, "twitter:description": maxDescription, "description": maxDescription,
	"og:image:secure_url": maxAddress, "og:image": maxAddress, "og:image:url": maxAddress, "twitter:image": maxAddress,
}

// parse reads the head of a page of a content type, which may name its encoding.
func parse(r io.Reader, contentType string) page {
	if decoded, err := charset.NewReader(r, contentType); err == nil {
		r = decoded
	}
	tokens := html.NewTokenizer(r)
	tokens.SetMaxBuf(maxPage)
	said := map[string]string{}
	for inHead := true; inHead; {
		switch tokens.Next() {
		case html.ErrorToken: // the end
			inHead = false
		case html.EndTagToken:
			name, _ := tokens.TagName()
			inHead = string(name) != "head"
		case html.StartTagToken, html.SelfClosingTagToken:
			switch name, _ := tokens.TagName(); string(name) {
			case "body":
				inHead = false
			case "title":
				if tokens.Next() == html.TextToken {
					setFirst(said, "title", string(tokens.Text()), maxTitle)
				}
			case "meta":
				name, content := meta(tokens)
				setFirst(said, name, content, described[name])
			default: // says nothing
			}
		default: // says nothing
		}
	}
	return page{
		title:       cmp.Or(said["og:title"], said["twitter:title"], said["title"]),
		description: cmp.Or(said["og:description"], said["twitter:description"], said["description"]),
		picture:     cmp.Or(said["og:image:secure_url"], said["og:image"], said["og:image:url"], said["twitter:image"]),
	}
}

// meta returns the name of the current meta element, in lower case, and its content.
func meta(tokens *html.Tokenizer) (name, content string) {
	for more := true; more; {
		var key, value []byte
		switch key, value, more = tokens.TagAttr(); string(key) {
		case "property", "name":
			name = cmp.Or(name, strings.ToLower(strings.TrimSpace(string(value))))
		case "content":
			content = string(value)
		default: // another attribute
		}
	}
	return name, content
}

// setFirst stores the first text of a name that isn't empty, cut to most characters; with 0,
// the name isn't wanted.
func setFirst(said map[string]string, name, text string, most int) {
	if most > 0 && said[name] == "" {
		said[name] = publisher.Label(text, most)
	}
}
