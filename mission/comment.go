package mission

import (
	"slices"
	"time"
)

// CommentStatus is the state of a first comment.
type CommentStatus string

// The states of a first comment. publishing is committed before the platform is called;
// unknown is a call that got no response. canceled is shown, never stored: see
// Content.FirstComment.
const (
	CommentWaiting    CommentStatus = "waiting"
	CommentPublishing CommentStatus = "publishing"
	CommentPublished  CommentStatus = "published"
	CommentUnknown    CommentStatus = "unknown"
	CommentFailed     CommentStatus = "failed"
	CommentCanceled   CommentStatus = "canceled"
)

// AllCommentStatuses lists the states of a first comment.
func AllCommentStatuses() []CommentStatus {
	return []CommentStatus{CommentWaiting, CommentPublishing, CommentPublished, CommentUnknown, CommentFailed, CommentCanceled}
}

// Comment is a post's first comment: it is sent by itself once the whole post is
// published, as a reply to the post's last part or, where there are no threads, as a
// comment. What becomes of it doesn't change the post's state.
type Comment struct {
	Text   string        `json:"text"`
	Status CommentStatus `json:"status"`
	// CalledAt and Unconfirmed are as a post's.
	CalledAt    *time.Time `json:"called_at,omitempty"`
	Unconfirmed bool       `json:"unconfirmed,omitempty"`
	// Draft is how far it has come as a draft; nil if it hasn't.
	Draft *Upload `json:"draft,omitempty"`
	// Publication is what the platform accepted; nil until then.
	Publication *Publication `json:"publication,omitempty"`
	// Error is why it failed, or why its outcome is unknown.
	Error *Failure `json:"error,omitempty"`
}

// NewComment returns a first comment that waits; nil for "".
func NewComment(text string) *Comment {
	if text == "" {
		return nil
	}
	return &Comment{Text: text, Status: CommentWaiting}
}

// URL returns where the comment is to be seen; nil until it is published.
func (c Comment) URL() *string {
	if c.Publication == nil || c.Publication.URL == "" {
		return nil
	}
	return &c.Publication.URL
}

// FirstComment returns the post's first comment as callers see it, nil if it has none:
// one that waits for a post which came to its end unpublished is canceled, until that
// post is tried or written again.
func (c Content) FirstComment() *Comment {
	if c.Comment == nil || c.Comment.Status != CommentWaiting || c.Status == ContentPublished || !c.Status.Settled() {
		return c.Comment
	}
	n := *c.Comment
	n.Status = CommentCanceled
	return &n
}

// CommentText returns the text of the post's first comment; "" if it has none.
func (c Content) CommentText() string {
	if c.Comment == nil {
		return ""
	}
	return c.Comment.Text
}

// FullText returns what topics are looked for in: the post's text and its first comment.
func (c Content) FullText() string { return FullText(c.Text, c.CommentText()) }

// FullText returns a text and a first comment as one.
func FullText(text, comment string) string {
	if comment == "" {
		return text
	}
	return text + "\n\n" + comment
}

// commentStates are the states of a comment as those of a post whose last part it is.
var commentStates = map[CommentStatus]ContentStatus{
	CommentWaiting: ContentScheduled, CommentPublishing: ContentPublishing, CommentUnknown: ContentUnknown,
	CommentPublished: ContentPublished, CommentFailed: ContentFailed,
}

// Commenting returns a published post as though its first comment were its last part,
// which isn't published yet, so that the rules of publishing apply to the comment.
// Commented is its reverse. Another post is returned as it is.
func (c Content) Commenting() Content {
	if c.Comment == nil || c.Status != ContentPublished {
		return c
	}
	n := *c.Comment
	v := c
	v.Parts, v.Text = append(slices.Clone(c.Texts()), n.Text), n.Text
	v.Status, v.CalledAt, v.Unconfirmed, v.Error = commentStates[n.Status], n.CalledAt, n.Unconfirmed, n.Error
	if n.Draft != nil {
		v.Uploads = []Upload{*n.Draft}
	}
	if n.Publication != nil {
		v.Published = append(slices.Clone(c.Published), *n.Publication)
	}
	return v
}

// Commented returns the first comment of a post that Commenting returned, as the rules
// have changed it.
func (c Content) Commented() Comment {
	n := Comment{Text: c.Comment.Text, CalledAt: c.CalledAt, Unconfirmed: c.Unconfirmed, Error: c.Error}
	for of, as := range commentStates {
		if as == c.Status {
			n.Status = of
		}
	}
	if c.AwaitsPerson() { // nobody is asked about a comment
		n.Status = CommentFailed
	}
	if len(c.Published) == len(c.Parts) {
		n.Publication = &c.Published[len(c.Published)-1]
	}
	if d := c.recordedDraft(c.commentKey()); d.Hash != "" {
		n.Draft = &d
	}
	if n.Error != nil && n.Error.Code == CodeMissionEnded {
		n.Error = &Failure{Code: CodeMissionEnded, Message: "The mission ended before the comment was sent."}
	}
	return n
}

// commentKey returns the key of the first comment of a post that Commenting returned.
func (c Content) commentKey() string { return Part{Content: c, Index: len(c.Parts) - 1}.Key() }

// CommentDue reports whether the change published a post whose first comment is to be sent.
func (ch ContentChange) CommentDue() bool {
	return ch.From != ContentPublished && ch.To.Status == ContentPublished && ch.To.Comment != nil && ch.To.Comment.Status == CommentWaiting
}
