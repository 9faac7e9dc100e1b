package bluesky

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// replyDepth is how deep replies to replies are read.
const replyDepth = 10

// What is at a place of a thread (app.bsky.feed.defs).
const (
	threadPost   = "app.bsky.feed.defs#threadViewPost"
	notFoundPost = "app.bsky.feed.defs#notFoundPost"
	notFound     = "NotFound"
)

// threadView is a place of a thread: a post with the replies to it, one that isn't there, or one
// whose author is blocked.
type threadView struct {
	Type string `json:"$type"`
	URI  string `json:"uri"`
	Post struct {
		reference

		Author struct {
			DID    string `json:"did"`
			Handle string `json:"handle"`
			Name   string `json:"displayName"`
		} `json:"author"`
		Record post `json:"record"`
	} `json:"post"`
	Replies []threadView `json:"replies"`
}

// Replies implements [publisher.Replier] by the thread of the post's first part
// (app.bsky.feed.getPostThread), which the network's index has.
func (a *Adapter) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	if q.Post.PlatformPostID == nil || *q.Post.PlatformPostID == "" {
		return mission.ReplyPage{}, nil
	}
	response, err := a.do(ctx, call{method: "app.bsky.feed.getPostThread", query: url.Values{
		"uri": {*q.Post.PlatformPostID}, "depth": {strconv.Itoa(replyDepth)}, "parentHeight": {"0"},
	}}.with(c))
	if problemOf(response).Name == notFound && !response.OK() {
		return mission.ReplyPage{}, nil
	}
	if err != nil {
		return mission.ReplyPage{}, err
	}
	var found struct {
		Thread     *threadView `json:"thread"`
		Threadgate *struct {
			Record struct {
				Hidden []string `json:"hiddenReplies"`
			} `json:"record"`
		} `json:"threadgate"`
	}
	if err := response.JSON(&found); err != nil {
		return mission.ReplyPage{}, err
	}
	switch {
	case found.Thread == nil:
		return mission.ReplyPage{}, response.Malformed()
	case found.Thread.Type != threadPost:
		return mission.ReplyPage{}, nil
	}
	page := mission.ReplyPage{Whole: true}
	found.Thread.collect(&page)
	if found.Threadgate != nil {
		for i, r := range page.Replies {
			page.Replies[i].Hidden = slices.Contains(found.Threadgate.Record.Hidden, r.ID)
		}
	}
	return page, nil
}

// collect adds the replies below a place of a thread.
func (v threadView) collect(page *mission.ReplyPage) {
	for _, r := range v.Replies {
		switch r.Type {
		case threadPost:
			page.Replies = append(page.Replies, r.reply())
			r.collect(page)
		case notFoundPost:
			page.Gone = append(page.Gone, r.URI)
		}
	}
}

func (v threadView) reply() mission.FoundReply {
	p := v.Post
	f := mission.FoundReply{
		ID: p.URI, Hash: p.CID, Text: p.Record.Text, URL: profile(p.Author.DID) + "/post/" + p.URI[strings.LastIndexByte(p.URI, '/')+1:],
		Author: mission.ReplyAuthor{ID: p.Author.DID, Handle: p.Author.Handle, Name: p.Author.Name, URL: profile(p.Author.DID)},
	}
	if p.Record.Reply != nil {
		f.ParentID = p.Record.Reply.Parent.URI
	}
	if at, err := time.Parse(time.RFC3339, p.Record.CreatedAt); err == nil {
		f.PublishedAt = at.UTC()
	}
	return f
}

var _ publisher.Replier = (*Adapter)(nil)
