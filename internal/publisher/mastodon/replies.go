package mastodon

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"missiond/mission"
)

// Replies implements [publisher.Replier] by the context of the post's first part
// (docs.joinmastodon.org/methods/statuses/#context), which has all that descends from it. Statuses
// that only their followers or those whom they mention may see are left out.
func (a *Adapter) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	if q.Post.PlatformPostID == nil || *q.Post.PlatformPostID == "" {
		return mission.ReplyPage{}, nil
	}
	response, err := a.do(ctx, c, call{
		method: http.MethodGet, path: "/api/v1/statuses/" + url.PathEscape(*q.Post.PlatformPostID) + "/context",
	})
	if gone(response) {
		return mission.ReplyPage{}, nil
	}
	if err != nil {
		return mission.ReplyPage{}, err
	}
	var found struct {
		Descendants []status `json:"descendants"`
	}
	if err := response.JSON(&found); err != nil {
		return mission.ReplyPage{}, err
	}
	if found.Descendants == nil {
		return mission.ReplyPage{}, response.Malformed()
	}
	page := mission.ReplyPage{Whole: true}
	for _, s := range found.Descendants {
		if s.Visibility != "private" && s.Visibility != "direct" {
			page.Replies = append(page.Replies, s.reply(c.Server))
		}
	}
	return page, nil
}

// reply returns a status as a reply.
func (s status) reply(server string) mission.FoundReply {
	by := s.Account.account(server)
	return mission.FoundReply{
		ID: s.ID, ParentID: s.InReplyTo, Text: shownText(s.Content), URL: cmp.Or(webAddress(s.URL), webAddress(s.URI)), PublishedAt: s.CreatedAt.UTC(),
		Author: mission.ReplyAuthor{ID: by.ID, Handle: by.Handle, Name: by.Name, URL: by.URL},
	}
}

// unread are the elements whose content nobody reads.
var unread = map[string]bool{"script": true, "style": true, "template": true}

// tooManyLines matches more lines than a paragraph needs.
var tooManyLines = regexp.MustCompile(`\n{3,}`)

// shownText returns what a reader sees of a status' HTML, with its lines. The parts of a link's
// address that are hidden for display are included.
func shownText(content string) string {
	var b strings.Builder
	tokens, skipped := html.NewTokenizer(strings.NewReader(content)), ""
	for {
		switch tokens.Next() {
		case html.ErrorToken: // the end
			return strings.TrimSpace(tooManyLines.ReplaceAllString(b.String(), "\n\n"))
		case html.TextToken:
			if skipped == "" {
				b.Write(tokens.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			switch name, _ := tokens.TagName(); {
			case unread[string(name)]:
				skipped = string(name)
			case breaks[string(name)] && string(name) != "p":
				b.WriteByte('\n')
			}
		case html.EndTagToken:
			switch name, _ := tokens.TagName(); {
			case string(name) == skipped:
				skipped = ""
			case string(name) == "p":
				b.WriteString("\n\n")
			}
		default: // comments have no text
		}
	}
}
