package instagram

import (
	"cmp"
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

// Fields of comments, and of the replies to them, which have none of their own. user is there for the
// account's own comments alone.
const (
	answerFields  = "id,text,username,timestamp,hidden,user,from,parent_id"
	commentFields = answerFields + ",replies{" + answerFields + "}"
)

// listedComment is a comment in a list.
type listedComment struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Username  string    `json:"username"`
	Timestamp meta.Time `json:"timestamp"`
	Hidden    bool      `json:"hidden"`
	ParentID  string    `json:"parent_id"`
	From      struct {
		ID       string `json:"id"`
		Username string `json:"username"`
	} `json:"from"`
	// User is the account, if the comment is its own.
	User *struct {
		ID string `json:"id"`
	} `json:"user"`
	Replies *meta.List[listedComment] `json:"replies"`
}

// Replies implements [publisher.Replier] by the comments on a post, with the replies to each ("IG Media
// Comments"). Comments have no addresses: theirs is the post's. Of a comment with more replies than come
// with it, the others aren't read.
func (a *Adapter) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	address := ""
	if len(q.Post.Published) > 0 {
		address = q.Post.Published[0].URL
	}
	return meta.Replies(ctx, a.api, c, q, meta.Answers[listedComment]{
		Edge: "comments", Fields: commentFields,
		Read: func(l listedComment, post string) (found []mission.FoundReply, whole bool) {
			found, whole = l.reply(post, "", address), true
			if l.Replies != nil {
				whole = l.Replies.Paging.Next == ""
				for _, each := range l.Replies.Data {
					found = append(found, each.reply(cmp.Or(each.ParentID, l.ID), l.ID, address)...)
				}
			}
			return found, whole
		},
	})
}

// reply returns the comment as a reply to a parent; none if it is the account's own. Answers to one
// that is below another comment, top, are replies to that: Instagram has no others.
func (l listedComment) reply(parent, top, address string) []mission.FoundReply {
	if l.User != nil || !meta.IsID(l.ID) {
		return nil
	}
	author := mission.ReplyAuthor{ID: l.From.ID, Handle: cmp.Or(l.Username, l.From.Username)}
	if author.Handle != "" {
		author.URL = "https://www.instagram.com/" + url.PathEscape(author.Handle) + "/"
	}
	return []mission.FoundReply{{
		ID: l.ID, Hash: top, ParentID: parent, Author: author, Text: l.Text, URL: address, PublishedAt: l.Timestamp.UTC(), Hidden: l.Hidden,
	}}
}

// Hide implements [publisher.Hider].
func (a *Adapter) Hide(ctx context.Context, c mission.Credentials, r mission.Reply) error {
	return a.api.Hide(ctx, c, r.Found.ID, "", "hide")
}

// Bounds of a search for an answer.
const (
	answersListed = 50
	answerPages   = 5
)

// findAnswer looks for an answer among the account's own replies to a comment, by its text. Errors:
// unknown if there are too many replies to tell.
func (a *Adapter) findAnswer(ctx context.Context, c mission.Credentials, p mission.Part, comment string) (found mission.Publication, ok bool, err error) {
	q := url.Values{"fields": {"id,text,timestamp,user"}, "limit": {strconv.Itoa(answersListed)}}
	whole, err := meta.Pages(ctx, a.api, c, "/"+comment+"/replies", q, answerPages, func(l listedComment) bool {
		if ok = l.User != nil && meta.IsID(l.ID) && meta.Same(l.Text, p.Text); ok {
			found = mission.Publication{PostID: l.ID, URL: p.Root.URL, PublishedAt: l.Timestamp.UTC()}
		}
		return !ok
	})
	switch {
	case meta.Missing(err): // the comment is gone, and its replies with it
		return found, false, nil
	case err == nil && !whole && !ok:
		err = meta.Undecided("The comment has too many replies to tell whether the answer is among them.")
	}
	return found, ok, err
}
