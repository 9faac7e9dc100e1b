package linkedin

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

var _ publisher.Replier = (*Adapter)(nil)

// commentPage is how many comments one call lists, and overlap how many of them the page before has too.
const commentPage, overlap = 100, 10

// commentURNs matches the URNs of comments on posts.
var commentURNs = regexp.MustCompile(`^urn:li:comment:\(urn:li:(activity|share|ugcPost):[0-9]+,[0-9]+\)$`)

// listedComment is a comment in a list.
type listedComment struct {
	Actor   string      `json:"actor"`
	URN     string      `json:"commentUrn"`
	Message commentText `json:"message"`
	Created struct {
		Time int64 `json:"time"` // Unix milliseconds
	} `json:"created"`
}

// Replies implements [publisher.Replier] by the comments on an organization's post ("Get Comments on
// Shares", learn.microsoft.com). Those on comments aren't listed: they take a call for each. LinkedIn
// names their authors by URN alone. It counts comments, so that those that are deleted between two calls
// move others up: a page without the last comment of the one before isn't Whole. Errors: refused for a
// member's post, and without the scope r_organization_social.
func (a *Adapter) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	if !strings.HasPrefix(c.AccountID, "urn:li:organization:") {
		return mission.ReplyPage{}, publisher.Response{}.Refused(publisher.CodeRefused, "LinkedIn shows the comments on organizations' posts only", "")
	}
	if q.Post.PlatformPostID == nil || !urns.MatchString(*q.Post.PlatformPostID) {
		return mission.ReplyPage{}, nil
	}
	post := *q.Post.PlatformPostID
	start, last := place(q.Cursor)
	response, err := a.do(ctx, c, http.MethodGet,
		"/rest/socialActions/"+within(post)+"/comments?count="+strconv.Itoa(commentPage)+"&start="+strconv.Itoa(start), nil)
	if err != nil {
		return mission.ReplyPage{}, err
	}
	switch response.Status {
	case http.StatusNotFound:
		return mission.ReplyPage{}, nil
	case http.StatusForbidden:
		return mission.ReplyPage{}, response.Refused(publisher.CodeRefused, "The platform doesn't show the account the comments", refusalOf(response).words())
	}
	var found struct {
		Elements []listedComment `json:"elements"`
	}
	if err := a.read(response, &found); err != nil {
		return mission.ReplyPage{}, err
	}
	if found.Elements == nil {
		return mission.ReplyPage{}, response.Malformed()
	}
	page := mission.ReplyPage{Whole: start == 0}
	for _, e := range found.Elements {
		if commentURNs.MatchString(e.URN) {
			page.Replies = append(page.Replies, e.reply(post))
			page.Whole = page.Whole || e.URN == last
		}
	}
	if len(found.Elements) >= commentPage {
		page.Cursor = strconv.Itoa(start+commentPage-overlap) + ":"
		if n := len(page.Replies); n > 0 {
			page.Cursor += page.Replies[n-1].ID
		}
	}
	return page, nil
}

// place returns where a page begins that a cursor requests, and the last comment of the one before.
func place(cursor string) (start int, last string) {
	at, last, _ := strings.Cut(cursor, ":")
	n, err := strconv.Atoi(at)
	if err != nil {
		n = 0
	}
	return max(n, 0), last
}

func (e listedComment) reply(post string) mission.FoundReply {
	f := mission.FoundReply{
		ID: e.URN, ParentID: post, Author: mission.ReplyAuthor{ID: e.Actor}, Text: e.Message.Text,
		URL: "https://www.linkedin.com/feed/update/" + post + "/?commentUrn=" + url.QueryEscape(e.URN),
	}
	if e.Created.Time > 0 {
		f.PublishedAt = time.UnixMilli(e.Created.Time).UTC()
	}
	return f
}
