package mission

import (
	"time"
)

// MaxReason bounds a reviewer's reason and instructions, in characters.
const MaxReason = 1000

// Revision is a version of a post's text.
type Revision struct {
	ContentID string `bun:",pk"`
	TenantID  string
	Revision  int `bun:",pk"`
	Format    Format
	Text      string `bun:"body"`
	Parts     []string
	Comment   string `bun:"first_comment,nullzero"` // the first comment; "" if there is none
	Media     []PostMedia
	// Facts are those that it rests on, as they were.
	Facts        []CitedFact
	AuthorID     string `bun:",nullzero"` // "" for a writer
	Instructions string `bun:",nullzero"`
	Writer       WrittenBy
	Verdict      Verdict
	Disclosed    Disclosed
	// Status is the revision's last status, RejectionReason the reason if it
	// was rejected.
	Status          ContentStatus
	RejectionReason *string
	ReviewedBy      string `bun:",nullzero"`
	ReviewedAt      *time.Time
	CreatedAt       time.Time // when it was superseded; of the current one, when it changed last
	// WrittenAt is when it was written; nil if the revision before it isn't known.
	WrittenAt *time.Time `bun:"-"`
}

// revision returns c's current text as a revision.
func (c Content) revision(at time.Time) Revision {
	return Revision{
		ContentID: c.ID, TenantID: c.TenantID, Revision: c.Revision, Format: c.Format, Text: c.Text, Parts: c.Parts, Comment: c.CommentText(), Media: c.Media, Facts: c.Facts,
		AuthorID: c.AuthorID, Instructions: c.Instructions, Writer: c.Writer, Verdict: c.Verdict, Disclosed: c.Disclosed, Status: c.Status,
		RejectionReason: c.RejectionReason, ReviewedBy: c.ReviewedBy, ReviewedAt: c.ReviewedAt, CreatedAt: at,
	}
}

// Current returns the post's current text.
func (c Content) Current() Revision { return c.revision(c.UpdatedAt) }

// History returns the post's texts, latest first, by those that were superseded, latest
// first. Each was written when the one before it was superseded, the first with the post.
func (c Content) History(older []Revision) []Revision {
	all := append([]Revision{c.Current()}, older...)
	for i := range all {
		switch {
		case all[i].Revision == 1:
			all[i].WrittenAt = &c.CreatedAt
		case i+1 < len(all):
			all[i].WrittenAt = &all[i+1].CreatedAt
		}
	}
	return all
}

// Approve lets a post that waits for review be published. v is the verdict by
// the current exclusions. revision, unless nil, is the one that the reviewer
// saw. Errors: conflict, also if the verdict rejects the text: exclusions apply
// to approved posts too.
func (c Content) Approve(by string, v Verdict, revision *int, now time.Time) (ContentChange, error) {
	if err := c.reviewable("approved", revision); err != nil {
		return ContentChange{}, err
	}
	if !v.Passed() {
		return ContentChange{}, Conflict("%s Change the text, or the %s.", v.Failure().Message, v.amends())
	}
	ch := c.move(ContentApproved, now)
	ch.To.ReviewedBy, ch.To.ReviewedAt, ch.To.Verdict = by, &now, c.Verdict.With(v)
	ch.Review = c.review(DecisionApproved, by, "", now)
	return ch.telling(EventContentApproved, now), nil
}

// Reject rejects a post that waits for review, for a reason or "". Errors:
// invalid_request on reason; conflict.
func (c Content) Reject(by, reason string, revision *int, now time.Time) (ContentChange, error) {
	if err := CheckReason(reason); err != nil {
		return ContentChange{}, err
	}
	if err := c.reviewable("rejected", revision); err != nil {
		return ContentChange{}, err
	}
	ch := c.move(ContentRejected, now)
	ch.To.ReviewedBy, ch.To.ReviewedAt = by, &now
	if reason = Tidy(reason); reason != "" {
		ch.To.RejectionReason = &reason
	}
	ch.Review = c.review(DecisionRejected, by, reason, now)
	return ch.telling(EventContentRejected, now), nil
}

// Reopen has a post wait for review again, for the time r: one that was rejected, or approved
// and not published yet, and one that failed, expired or was canceled, of which its platform has
// nothing. v is the verdict by the current exclusions, at its slot. Errors: conflict.
func (c Content) Reopen(v Verdict, at time.Time, r ReviewTime, now time.Time) (ContentChange, error) {
	if err := c.CheckReopenable(); err != nil {
		return ContentChange{}, err
	}
	if !r.Until.After(r.From) {
		return ContentChange{}, Conflict("The mission's end leaves no time to review the post.")
	}
	ch := c.move(ContentPendingReview, now)
	n := &ch.To
	n.Verdict, n.ScheduledAt, n.RejectionReason, n.ReviewedBy, n.ReviewedAt = c.Verdict.With(v), &at, nil, "", nil
	if c.Status.Settled() {
		n.Comment, n.Uploads, n.Error, n.CalledAt, n.Fees = NewComment(c.CommentText()), nil, nil, nil, 0
	}
	*n = n.await(r)
	ch.Review = c.review(DecisionReopened, "", "", now)
	return ch.telling(EventContentReopened, now).telling(EventReviewRequested, now), nil
}

// CheckReopenable returns a conflict for a post that is waiting for review or is out, of which its
// platform has or may have a part, or that goes out although nobody reviewed it.
func (c Content) CheckReopenable() error {
	switch {
	case c.Status == ContentPendingReview, c.Status == ContentPublished, c.Status == ContentPublishing, c.Status == ContentUnknown:
		return c.refuse("reopened")
	case c.MayBePublished():
		return Conflict("A post that its platform has begun to publish, or may have, can't be reopened.")
	case !c.Status.Settled() && c.ReviewedAt == nil:
		return Conflict("Nobody reviewed the post, so there is no decision to take back.")
	}
	return nil
}

func (c Content) reviewable(operation string, revision *int) error {
	if c.Status != ContentPendingReview {
		return c.refuse(operation)
	}
	return c.CheckRevision(revision)
}

// CheckRevision returns a conflict for a post that has another revision than the one that
// its text was read at; nil is any.
func (c Content) CheckRevision(revision *int) error {
	if revision != nil && *revision != c.Revision {
		return Conflict("The post is at revision %d, not %d; review the current revision.", c.Revision, *revision)
	}
	return nil
}

// CheckRevisable returns a conflict for a post whose text can't change any
// more: it is published, or may be, or has expired.
func (c Content) CheckRevisable(operation string) error {
	if !c.Status.Settled() && c.MayBePublished() {
		return Conflict("A post that its platform has begun to publish, or may have, can't be %s.", operation)
	}
	switch c.Status {
	case ContentPendingReview, ContentApproved, ContentScheduled, ContentRejected, ContentFailed:
		return nil
	default:
		return c.refuse(operation)
	}
}

// CheckRevisableAt is CheckRevisable for a text that was read at a revision; nil is any.
// Errors: conflict.
func (c Content) CheckRevisableAt(revision *int, operation string) error {
	if err := c.CheckRevisable(operation); err != nil {
		return err
	}
	return c.CheckRevision(revision)
}

// Wording is a new text for a post, and its author.
type Wording struct {
	Draft Draft
	// Comment is the text of the first comment; "" for none.
	Comment string
	// Media are the files that go with it.
	Media   []PostMedia
	Verdict Verdict
	// Facts are those that it rests on.
	Facts []CitedFact
	// AuthorID is the user who wrote it; "" for a writer, which followed
	// Instructions.
	AuthorID     string
	Instructions string
	Disclosed    Disclosed
	Outgoing     Outgoing
}

// Revise gives a post a new text. An approval applies only to the revision it
// was given to: if the mission needs approval, or the verdict rejects the text,
// the new one waits for review, for the time r. at is its slot. A scheduled
// post that needs no review stays scheduled. Errors: conflict.
func (c Content) Revise(w Wording, needsApproval bool, at time.Time, r ReviewTime, now time.Time) (ContentChange, error) {
	if err := c.CheckRevisable("changed"); err != nil {
		return ContentChange{}, err
	}
	old := c.revision(now)
	to := ContentApproved
	switch {
	case needsApproval || !w.Verdict.Passed():
		to = ContentPendingReview
	case c.Status == ContentScheduled:
		to = ContentScheduled
	}
	ch := c.move(to, now)
	ch.Superseded = &old
	n := &ch.To
	n.Revision++
	n.Format, n.Text, n.Parts, n.Verdict = w.Draft.Format, w.Draft.Text, append([]string{}, w.Draft.Parts...), w.Verdict
	n.Comment, n.Media, n.Facts, n.Uploads = NewComment(w.Comment), w.Media, w.Facts, nil
	n.AuthorID, n.Instructions, n.Cost = w.AuthorID, w.Instructions, c.Cost+w.Draft.Cost
	n.Writer, n.Disclosed, n.RestsOn, n.Outgoing = w.Draft.Writer, w.Disclosed, nil, w.Outgoing
	n.ScheduledAt, n.Error, n.RejectionReason, n.ReviewedBy, n.ReviewedAt = &at, nil, nil, "", nil
	n.Published, n.CalledAt, n.Unconfirmed, n.Fees, n.PlatformPostID, n.PlatformURL = nil, nil, false, 0, nil, nil
	if to == ContentPendingReview {
		*n = n.await(r)
	}
	ch = ch.telling(EventContentCreated, now)
	if to == ContentPendingReview {
		ch = ch.telling(EventReviewRequested, now)
	}
	if to == ContentApproved && c.Status != ContentApproved {
		ch = ch.telling(EventContentApproved, now)
	}
	return ch, nil
}

// CheckReason checks the bounds of a reviewer's reason. Errors: invalid_request
// on reason.
func CheckReason(text string) error { return checkProse("reason", text, 0, MaxReason) }

// CheckInstructions checks the bounds of a reviewer's instructions. Errors:
// invalid_request on instructions.
func CheckInstructions(text string) error { return checkProse("instructions", text, 0, MaxReason) }
