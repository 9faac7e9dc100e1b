package facebook

import (
	"context"
	"net/url"
	"strconv"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

var (
	_ publisher.Replier = (*Adapter)(nil)
	_ publisher.Hider   = (*Adapter)(nil)
)

// listedComment is a comment in a list.
type listedComment struct {
	ID        string    `json:"id"`
	Message   string    `json:"message"`
	Created   meta.Time `json:"created_time"`
	Hidden    bool      `json:"is_hidden"`
	Permalink string    `json:"permalink_url"`
	// From is empty where Facebook doesn't tell who wrote it.
	From struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"from"`
	// Parent is the comment that it replies to.
	Parent struct {
		ID string `json:"id"`
	} `json:"parent"`
}

// Replies implements [publisher.Replier] by the comments on a post and the replies to them ("Object
// Comments"), those that are hidden too. Facebook names authors as they call themselves, without an address.
func (a *Adapter) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	return meta.Replies(ctx, a.api, c, q, meta.Answers[listedComment]{
		Edge: "comments", Fields: "id,message,created_time,from,is_hidden,parent{id},permalink_url", Filter: "stream",
		Read: func(l listedComment, post string) ([]mission.FoundReply, bool) {
			if l.From.ID == c.AccountID || !meta.IsID(l.ID) {
				return nil, true
			}
			found := mission.FoundReply{
				ID: l.ID, ParentID: post, Author: mission.ReplyAuthor{ID: l.From.ID, Name: l.From.Name}, Text: l.Message, URL: l.Permalink,
				PublishedAt: l.Created.UTC(), Hidden: l.Hidden,
			}
			if meta.IsID(l.Parent.ID) { // Facebook has an answer to it below that comment
				found.ParentID, found.Hash = l.Parent.ID, l.Parent.ID
			}
			return []mission.FoundReply{found}, true
		},
	})
}

// Hide implements [publisher.Hider]. A call that Facebook refuses is no failure if the comment is hidden.
func (a *Adapter) Hide(ctx context.Context, c mission.Credentials, r mission.Reply) error {
	err := a.api.Hide(ctx, c, r.Found.ID, "", "is_hidden")
	if !meta.Invalid(err) {
		return err
	}
	var l listedComment
	if lookErr := a.api.Get(ctx, c, "/"+r.Found.ID, url.Values{"fields": {"is_hidden"}}, &l); lookErr != nil || !l.Hidden {
		return err
	}
	return nil
}

// commentedOn returns the object that a part is a comment on: a post or, for an answer, a comment.
func commentedOn(p mission.Part) string {
	if comment, ok := meta.Answered(p); ok {
		return comment
	}
	return p.Root.PostID
}

// findComment looks for a first comment, or for an answer, among the Page's own comments since the call,
// by its text. Errors: unknown if there are too many newer ones to tell; ErrUnknowable if the Page's
// owner hasn't consented to reading comments.
func (a *Adapter) findComment(ctx context.Context, c mission.Credentials, p mission.Part) (found mission.Publication, ok bool, err error) {
	since := a.api.Since(p)
	q := url.Values{"fields": {"id,message,created_time,from"}, "order": {"reverse_chronological"}, "limit": {strconv.Itoa(listed)}}
	whole, err := meta.Pages(ctx, a.api, c, "/"+commentedOn(p)+"/comments", q, lookPages, func(l listedComment) bool {
		if l.Created.Before(since) {
			return false
		}
		if ok = l.From.ID == c.AccountID && meta.IsID(l.ID) && meta.Same(l.Message, p.Text); ok {
			found = a.publication(l.ID, l.Created.Time)
		}
		return !ok
	})
	switch {
	case meta.Missing(err): // what it is on is gone, and its comments with it
		return found, false, nil
	case meta.Permission(err):
		return found, false, mission.ErrUnknowable
	case err == nil && !whole && !ok:
		err = meta.Undecided("There are too many newer comments to tell whether this one is among them.")
	}
	return found, ok, err
}
