package threads

import (
	"context"
	"net/url"

	"missiond/internal/publisher"
	"missiond/internal/publisher/meta"
	"missiond/mission"
)

var (
	_ publisher.Replier = (*Adapter)(nil)
	_ publisher.Hider   = (*Adapter)(nil)
)

// replyFields are what is read of a reply. Threads names its author by the name of the profile alone.
const replyFields = "id,text,username,permalink,timestamp,replied_to,is_reply_owned_by_me,hide_status"

// listedReply is a reply in a list.
type listedReply struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Username  string    `json:"username"`
	Permalink string    `json:"permalink"`
	Timestamp meta.Time `json:"timestamp"`
	Own       bool      `json:"is_reply_owned_by_me"`
	Hiding    string    `json:"hide_status"`
	RepliedTo struct {
		ID string `json:"id"`
	} `json:"replied_to"`
}

// unseen are the states of replies that their author alone sees; one that the account has hidden
// stays a reply.
var unseen = map[string]bool{"BLOCKED": true, "RESTRICTED": true}

// Replies implements [publisher.Replier] by the post's conversation ("Retrieve Replies"), which has
// the replies to its parts and to replies too.
func (a *Adapter) Replies(ctx context.Context, c mission.Credentials, q mission.ReplyQuery) (mission.ReplyPage, error) {
	return meta.Replies(ctx, a.api, c, q, meta.Answers[listedReply]{
		Edge: "conversation", Fields: replyFields,
		Read: func(r listedReply, _ string) ([]mission.FoundReply, bool) {
			if r.Own || unseen[r.Hiding] || !meta.IsID(r.ID) {
				return nil, true
			}
			author := mission.ReplyAuthor{Handle: r.Username}
			if r.Username != "" {
				author.URL = "https://www.threads.com/@" + url.PathEscape(r.Username)
			}
			return []mission.FoundReply{{
				ID: r.ID, ParentID: r.RepliedTo.ID, Author: author, Text: r.Text, URL: r.Permalink, PublishedAt: r.Timestamp.UTC(),
				Hidden: r.Hiding == "HIDDEN",
			}}, true
		},
	})
}

// Hide implements [publisher.Hider] ("Manage Replies"): what replies to a reply is hidden with it.
func (a *Adapter) Hide(ctx context.Context, c mission.Credentials, r mission.Reply) error {
	return a.api.Hide(ctx, c, r.Found.ID, "/manage_reply", "hide")
}
