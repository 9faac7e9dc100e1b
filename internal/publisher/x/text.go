package x

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// post is a post in an author's timeline.
type post struct {
	ID         string      `json:"id"`
	Text       string      `json:"text"`
	Entities   entities    `json:"entities"`
	Referenced []reference `json:"referenced_tweets"`
	// Note is the whole text if it is too long for Text.
	Note *struct {
		Text     string   `json:"text"`
		Entities entities `json:"entities"`
	} `json:"note_tweet"`
}

type entities struct {
	URLs []struct {
		// URL is the t.co link in the text for Expanded.
		URL      string `json:"url"`
		Expanded string `json:"expanded_url"`
		// MediaKey is set if the link leads to a file of the post: X puts it behind the text.
		MediaKey string `json:"media_key"`
	} `json:"urls"`
}

type reference struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// parent returns the id of the post to which p replies, or "".
func (p post) parent() string {
	for _, r := range p.Referenced {
		if r.Type == "replied_to" {
			return r.ID
		}
	}
	return ""
}

// escapes are the HTML entities with which X writes texts.
var escapes = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">")

// shown returns the text of the post as its readers see it: whole, with the addresses of its links.
func (p post) shown() string {
	written, links := p.Text, p.Entities
	if p.Note != nil && p.Note.Text != "" {
		written, links = p.Note.Text, p.Note.Entities
	}
	for _, link := range links.URLs {
		switch {
		case link.URL == "":
		case link.MediaKey != "":
			written = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(written), link.URL))
		case link.Expanded != "":
			written = strings.ReplaceAll(written, link.URL, link.Expanded)
		}
	}
	return escapes.Replace(written)
}

var scheme = regexp.MustCompile(`(?i)^https?://`)

// says reports whether the post was made from a text. X rewrites texts: it escapes
// HTML, composes characters, trims white space, and replaces each address by a t.co
// link, also one without a scheme, which it adds.
func (p post) says(text string) bool {
	written, links := p.Text, p.Entities
	if p.Note != nil && p.Note.Text != "" {
		written, links = p.Note.Text, p.Note.Entities
	}
	var rewritten []string
	for _, link := range links.URLs {
		if link.URL == "" || link.Expanded == "" {
			continue
		}
		if link.MediaKey != "" {
			written = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(written), link.URL))
			continue
		}
		address := strings.TrimSuffix(scheme.ReplaceAllString(norm.NFC.String(link.Expanded), ""), "/")
		rewritten = append(rewritten, regexp.QuoteMeta(link.URL), `(?i:https?://)?`+regexp.QuoteMeta(address)+`/?`)
	}
	pattern := regexp.QuoteMeta(strings.TrimSpace(norm.NFC.String(escapes.Replace(written))))
	pattern = strings.NewReplacer(rewritten...).Replace(pattern)
	whole, err := regexp.Compile(`\A` + pattern + `\z`)
	return err == nil && whole.MatchString(strings.TrimSpace(norm.NFC.String(text)))
}
