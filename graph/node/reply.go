package node

import (
	"time"

	"missiond/mission"
	"missiond/store"
)

// Reply is what somebody replied to a post, as shown.
type Reply struct {
	ID, MissionID, ContentID string
	Platform                 mission.Platform
	IntegrationID            *string
	Status                   mission.ReplyStatus
	AllowedActions           []mission.ReplyAction
	PlatformReplyID          string
	PlatformParentID         *string
	Author                   ReplyAuthor
	Text                     string
	PlatformURL              *string
	PublishedAt              *time.Time
	ReceivedAt               time.Time
	ChangedAt                *time.Time
	Answer                   *ReplyAnswer
	Hiding                   *mission.Hiding
	HandledBy                *string
	ExpiresAt, UpdatedAt     time.Time
}

// IsNode implements Node.
func (Reply) IsNode() {}

// ReplyAuthor is who wrote a reply.
type ReplyAuthor struct{ Handle, Name, URL *string }

// ReplyAnswer is a person's answer to a reply.
type ReplyAnswer struct {
	Text        string
	Status      mission.CommentStatus
	By          string
	At          time.Time
	PublishedAt *time.Time
	PlatformURL *string
	Error       *mission.Failure
}

// NewReply returns a reply as shown.
func NewReply(r mission.Reply) Reply {
	f := r.Found
	shown := Reply{
		ID: r.ID, MissionID: r.MissionID, ContentID: r.ContentID, Platform: r.Platform, IntegrationID: orNull(r.IntegrationID), Status: r.Status,
		AllowedActions: r.Actions(), PlatformReplyID: f.ID, PlatformParentID: orNull(f.ParentID), Text: f.Text, PlatformURL: orNull(f.URL),
		Author:     ReplyAuthor{Handle: orNull(f.Author.Handle), Name: orNull(f.Author.Name), URL: orNull(f.Author.URL)},
		ReceivedAt: r.ReceivedAt, ChangedAt: r.ChangedAt, Hiding: r.Hiding, HandledBy: orNull(r.HandledBy), ExpiresAt: r.ExpiresAt, UpdatedAt: r.UpdatedAt,
	}
	if !f.PublishedAt.IsZero() {
		shown.PublishedAt = &f.PublishedAt
	}
	if a := r.Answer; a != nil {
		shown.Answer = &ReplyAnswer{Text: a.Text, Status: a.Status, By: a.By, At: a.At, PlatformURL: a.URL(), Error: a.Error}
		if a.Publication != nil {
			shown.Answer.PublishedAt = &a.Publication.PublishedAt
		}
	}
	return shown
}

// ReplyFilter selects replies.
type ReplyFilter struct {
	MissionID, ContentID, IntegrationID *string
	Platform                            *mission.Platform
	Status                              *mission.ReplyStatus
}

// Filter returns the filter in the form of package store.
func (f *ReplyFilter) Filter() (filter store.ReplyFilter) {
	if f == nil {
		return filter
	}
	set(&filter.MissionID, f.MissionID)
	set(&filter.ContentID, f.ContentID)
	set(&filter.IntegrationID, f.IntegrationID)
	set(&filter.Platform, f.Platform)
	set(&filter.Status, f.Status)
	return filter
}

func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// The results of mutations of replies.
type (
	// AnswerReplyPayload is the result of answerReply.
	AnswerReplyPayload struct{ Reply Reply }
	// HideReplyPayload is the result of hideReply.
	HideReplyPayload struct{ Reply Reply }
	// MarkReplyDonePayload is the result of markReplyDone.
	MarkReplyDonePayload struct{ Reply Reply }
	// ReopenReplyPayload is the result of reopenReply.
	ReopenReplyPayload struct{ Reply Reply }
)

// ReplyEdge is a reply in a list.
type ReplyEdge Edge[Reply]

// ReplyConnection is a page of replies.
type ReplyConnection struct {
	Page[ReplyEdge]

	Filter store.ReplyFilter
}

// PlatformReplies is what can be done about the replies to posts on a platform.
type PlatformReplies struct{ Read, PagesOnly, Paid, Answer, Hide, Mention bool }

// NewPlatformReplies returns that as shown.
func NewPlatformReplies(c mission.Capabilities) *PlatformReplies {
	r := c.Replies
	return &PlatformReplies{Read: r.Read, PagesOnly: r.PageOnly, Paid: c.Fees.Reply > 0, Answer: r.Answer, Hide: r.Hide, Mention: r.Mention}
}
