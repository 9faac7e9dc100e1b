package mission

import (
	"time"
	"unicode/utf8"
)

// Bounds of review comments.
const (
	// MaxReviewComment bounds a comment, in characters.
	MaxReviewComment = 2000
	// MaxReviewComments is how many a post has at most.
	MaxReviewComments = 500
)

// ReviewComment is what somebody says about a post to those who review it. It is never
// published; what is, as a post's first comment, is a Comment.
type ReviewComment struct {
	ID        string `bun:",pk"`
	TenantID  string
	ContentID string
	// Revision is the post's when the comment was made.
	Revision int
	Text     string `bun:"body"`
	// Part is the index of the part that it is about, from 0; nil for the whole post.
	Part *int
	// Start and End are the characters that it is about, of that part or of the post's text: from
	// Start, counted from 0, to before End; nil for all.
	Start *int `bun:"range_start"`
	End   *int `bun:"range_end"`
	// AuthorID is a user, an API key or a review link; AuthorName is what it is called now, "" if
	// that isn't known.
	AuthorID   string
	AuthorName string `bun:",scanonly"`
	CreatedAt  time.Time
}

// Repeats reports whether an author's comment on a revision is c again, as a form is that was sent twice.
func (c ReviewComment) Repeats(in ReviewCommentInput, authorID string, revision int) bool {
	return c.AuthorID == authorID && c.Revision == revision && c.Text == in.Text
}

// ReviewCommentInput is a comment that a caller requests.
type ReviewCommentInput struct {
	Text     string `json:"text" doc:"The comment: 1 to 2000 characters" example:"Can we name the price?"`
	Part     *int   `json:"part,omitempty" nullable:"true" doc:"The index of the part of a thread that it is about, from 0; null: the whole post" example:"0"`
	Start    *int   `json:"start,omitempty" nullable:"true" doc:"The first character that it is about, counted from 0, of the part or of the post's text; together with end" example:"0"`
	End      *int   `json:"end,omitempty" nullable:"true" doc:"The character before which that ends" example:"11"`
	Revision *int   `json:"revision,omitempty" nullable:"true" doc:"The revision that was read; if the post has another one now, the error is conflict" example:"1"`
}

// Tidy returns the input with its text as it is stored.
func (in ReviewCommentInput) Tidy() ReviewCommentInput {
	in.Text = Tidy(in.Text)
	return in
}

// Check checks what doesn't depend on the post. Errors: invalid_request.
func (in ReviewCommentInput) Check() error {
	if err := checkProse("text", in.Text, 1, MaxReviewComment); err != nil {
		return err
	}
	switch {
	case in.Part != nil && *in.Part < 0:
		return Invalid("part", "The part must be 0 or more.")
	case (in.Start == nil) != (in.End == nil):
		return Invalid("end", "Give both start and end, or neither.")
	case in.Start != nil && *in.Start < 0:
		return Invalid("start", "The start must be 0 or more.")
	case in.Start != nil && *in.End <= *in.Start:
		return Invalid("end", "The end must be after the start.")
	}
	return nil
}

// NewReviewComment returns a comment on the post, which has so many, with its event. Errors:
// invalid_request; conflict if the post has another revision than the one that was read, or
// MaxReviewComments already.
func (c Content) NewReviewComment(id string, in ReviewCommentInput, author string, has int, now time.Time) (ReviewComment, Event, error) {
	if err := in.Check(); err != nil {
		return ReviewComment{}, Event{}, err
	}
	if err := c.CheckRevision(in.Revision); err != nil {
		return ReviewComment{}, Event{}, err
	}
	about := c.Text
	if in.Part != nil {
		if n := len(c.Texts()); *in.Part >= n {
			return ReviewComment{}, Event{}, Invalid("part", "The part must be less than %d, the number of the post's parts.", n)
		}
		about = c.Texts()[*in.Part]
	}
	if n := utf8.RuneCountInString(about); in.End != nil && *in.End > n {
		return ReviewComment{}, Event{}, Invalid("end", "The end must be at most %d, the length of the text.", n)
	}
	if has >= MaxReviewComments {
		return ReviewComment{}, Event{}, Conflict("A post has at most %d comments.", MaxReviewComments)
	}
	made := ReviewComment{
		ID: id, TenantID: c.TenantID, ContentID: c.ID, Revision: c.Revision, Text: in.Text, Part: in.Part, Start: in.Start, End: in.End,
		AuthorID: author, CreatedAt: now,
	}
	return made, Event{TenantID: c.TenantID, MissionID: c.MissionID, Type: EventContentCommented, CreatedAt: now, Data: ContentCommentedData{
		ContentFields: c.eventFields(), CommentID: id, Text: in.Text, Part: in.Part, Start: in.Start, End: in.End, Author: author,
	}}, nil
}
