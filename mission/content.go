package mission

import (
	"fmt"
	"slices"
	"time"
)

// Format is the type of a content.
type Format string

// The types of decisions, "Content".
const (
	FormatPost    Format = "post"
	FormatThread  Format = "thread"
	FormatArticle Format = "article"
)

// ContentStatus is the state of a content.
type ContentStatus string

// The states of decisions, "Content". A content goes from pending_review (or
// directly approved) to scheduled, publishing and published; publishing is
// committed before the platform is called, so that a crash can't hide a call.
// unknown is a call that got no response.
const (
	ContentPendingReview ContentStatus = "pending_review"
	ContentApproved      ContentStatus = "approved"
	ContentScheduled     ContentStatus = "scheduled"
	ContentPublishing    ContentStatus = "publishing"
	ContentPublished     ContentStatus = "published"
	ContentUnknown       ContentStatus = "unknown"
	ContentRejected      ContentStatus = "rejected"
	ContentFailed        ContentStatus = "failed"
	ContentExpired       ContentStatus = "expired"
	ContentCanceled      ContentStatus = "canceled"
)

// AllContentStatuses lists the states of a content.
func AllContentStatuses() []ContentStatus {
	return []ContentStatus{
		ContentPendingReview, ContentApproved, ContentScheduled, ContentPublishing, ContentPublished,
		ContentUnknown, ContentRejected, ContentFailed, ContentExpired, ContentCanceled,
	}
}

// Settled reports whether a content won't change any more by itself, so that
// its job needn't wait for it.
func (s ContentStatus) Settled() bool {
	switch s {
	case ContentPublished, ContentRejected, ContentFailed, ContentExpired, ContentCanceled:
		return true
	default:
		return false
	}
}

// passedReview reports whether the status view counts s as approved.
func (s ContentStatus) passedReview() bool {
	switch s {
	case ContentApproved, ContentScheduled, ContentPublishing, ContentPublished, ContentUnknown:
		return true
	default:
		return false
	}
}

// Content is one post of a mission.
type Content struct {
	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	// JobID is the job that made the post; "" if a person did.
	JobID  string `bun:",nullzero"`
	Origin Origin
	// Repeats is the post that this one repeats; "" for none.
	Repeats string `bun:",nullzero"`
	// Position is the post's index in its job's plan, from 0.
	Position int
	Platform Platform
	Format   Format
	Status   ContentStatus
	Text     string   `bun:"body"`
	Parts    []string // of a thread, in order
	// Media are the files of the revision, Uploads how far those of the next part have come
	// on the platform.
	Media   []PostMedia
	Uploads []Upload
	// Comment is the post's first comment; nil if it has none.
	Comment *Comment `bun:"first_comment"`
	// Replying is set in an answer that is handled as a post: see Answering.
	Replying *Replying `bun:"-"`
	Angle    Angle
	// Objective is what the writer wrote it for; "" for a person's post.
	Objective   string
	Revision    int
	ScheduledAt *time.Time
	// Placed reports whether a person chose ScheduledAt.
	Placed      bool
	PublishedAt *time.Time
	// IntegrationID is the integration that the post is for; "" for the platform's
	// default, until the post is published, and for the sandbox.
	IntegrationID string
	// AccountHandle is the handle of the integration's account when the post was planned
	// or, for a default account, published; "" if it has none.
	AccountHandle string
	// Published are the parts that the platform accepted, in order.
	Published []Publication `bun:"publications"`
	// CalledAt is when the platform was first called with the next part; nil if
	// it wasn't, or is known not to have accepted it.
	CalledAt *time.Time
	// Unconfirmed reports that an earlier call may have been accepted: a scheduled post
	// may then only be sent as long as its platform refuses a second one. See TooLate.
	Unconfirmed     bool `bun:"in_doubt"`
	PlatformPostID  *string
	PlatformURL     *string
	RejectionReason *string
	Error           *Failure
	// ExpiresAt is when a post that waits for review expires; nil for others.
	// ExpiringAt is when content.expiring is sent for it; nil once it was.
	ExpiresAt  *time.Time `bun:"-"`
	ExpiringAt *time.Time
	// Deadline is the stored ExpiresAt of the post's latest wait, which is retained when the
	// wait ends: a list in the order of deadlines goes on after a post that was reviewed.
	Deadline *time.Time `bun:"expires_at"`
	// AuthorID is the user who wrote the revision; "" for a writer, which
	// followed Instructions, if any.
	AuthorID     string `bun:",nullzero"`
	Instructions string `bun:",nullzero"`
	// Writer is the writer of the revision; zero if a person wrote it.
	Writer  WrittenBy
	Verdict Verdict
	// Facts are those of the brand that the revision rests on, as they were when it was written.
	Facts []CitedFact
	// Disclosed is what the revision discloses.
	Disclosed Disclosed
	// RestsOn are the approvals of other posts by which this one goes out without review.
	RestsOn []Approval `bun:",nullzero"`
	// Outgoing is what is sent for the revision's links.
	Outgoing Outgoing
	// ReviewedBy and ReviewedAt describe the revision's review by a person, a user or
	// a review link; "" and nil if there was none.
	ReviewedBy string `bun:",nullzero"`
	ReviewedAt *time.Time
	Cost       Micros `bun:"cost_micros"`
	// Fees is the part of Cost that the platform charged for the revision.
	Fees Micros `bun:"fee_micros"`
	// Metrics are the latest measured; nil before the first measurement.
	Metrics    Metrics
	MeasuredAt *time.Time
	// Readback is what its platform was found to show; nil if it wasn't asked, or didn't say.
	Readback *Readback
	// ReplyReads is how far the replies to it have been read.
	ReplyReads ReplyReads
	// MeasureAt is when a published post is measured next; nil if it won't be.
	MeasureAt *time.Time
	// Unusual reports that the post's figures were found to be unusual.
	Unusual   bool
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Failure says why something failed, in words for the tenant.
type Failure struct {
	Code    string `json:"code" doc:"What kind of failure it was" example:"platform_refused"`
	Message string `json:"message" doc:"What went wrong, for people" example:"The platform refused the post: duplicate text."`
}

// ContentChange is what a rule decides about a content.
type ContentChange struct {
	From ContentStatus
	// FromSettled reports whether the post was settled before; see Content.Settled.
	FromSettled bool
	// FromSlot is the slot that the post had before; nil if it had none.
	FromSlot *time.Time
	To       Content
	Events   []Event
	// Superseded is the text that the change replaces; nil if the text stays.
	Superseded *Revision
	// Review is the decision that it is; nil for other changes.
	Review *Review
}

// move returns a change of c to a status, with the event of that change if
// there is one.
func (c Content) move(to ContentStatus, now time.Time) ContentChange {
	ch := ContentChange{From: c.Status, FromSettled: c.Settled(), FromSlot: c.ScheduledAt, To: c}
	ch.To.Status, ch.To.UpdatedAt = to, now
	if to != ContentPendingReview {
		ch.To.ExpiresAt, ch.To.ExpiringAt = nil, nil
	}
	return ch
}

func (ch ContentChange) telling(t EventType, now time.Time) ContentChange {
	ch.Events = append(ch.Events, ch.To.event(t, now))
	return ch
}

func (c Content) refuse(operation string) error {
	return Conflict("A post that is %s can't be %s.", c.Status, operation)
}

// NewContent returns the post that a writer drafted for an assignment. If the
// mission needs no approval, and the verdict passed, it is approved at once.
func NewContent(id string, j Job, a Assignment, d Draft, v Verdict, now time.Time) (Content, []Event) {
	return newContent(id, j, a, d, v, func(Content) []Approval { return nil }, now)
}

// newContent is NewContent for a mission that may do without review of what earned returns approvals for.
func newContent(id string, j Job, a Assignment, d Draft, v Verdict, earned func(Content) []Approval, now time.Time) (Content, []Event) {
	line := a.Disclosure.Line()
	d = d.Disclosing(line)
	c := Content{
		ID: id, TenantID: j.TenantID, MissionID: j.MissionID, JobID: j.ID, Origin: OriginWriter, Position: a.Slot.Position,
		Platform: a.Slot.Platform, IntegrationID: a.Slot.IntegrationID, AccountHandle: a.Slot.AccountHandle,
		Format: d.Format, Status: ContentPendingReview,
		Text: d.Text, Parts: append([]string{}, d.Parts...), Media: d.Media, Angle: a.Slot.Angle, Objective: a.Slot.Objective, Revision: 1, Verdict: v, Facts: d.Facts,
		Writer: d.Writer, AuthorID: d.AuthorID, Repeats: a.Slot.Repeats, Disclosed: a.Disclosure.Disclose(line),
		ScheduledAt: &a.Slot.At, Cost: d.Cost, CreatedAt: now, UpdatedAt: now,
	}
	if a.Original != nil {
		c.Comment = NewComment(a.Original.CommentText())
	}
	events := []Event{c.event(EventContentCreated, now)}
	needsApproval := j.Brief.Constraints.RequireApproval
	if needsApproval && v.Passed() && c.Repeats == "" {
		c.RestsOn = earned(c)
		needsApproval = len(c.RestsOn) == 0
	}
	if !needsApproval && v.Passed() {
		c.Status = ContentApproved
		events = append(events, c.event(EventContentApproved, now))
	} else {
		c = c.await(ReviewTime{From: now, Until: j.Window.End})
		events = append(events, c.event(EventReviewRequested, now))
	}
	return c, events
}

// Schedule sets when an approved post is published. Errors: conflict.
func (c Content) Schedule(at, now time.Time) (ContentChange, error) {
	if c.Status != ContentApproved {
		return ContentChange{}, c.refuse("scheduled")
	}
	ch := c.move(ContentScheduled, now)
	ch.To.ScheduledAt = &at
	return ch.telling(EventContentScheduled, now), nil
}

// OutAt returns when a post goes out that isn't out at now: in its slot, or now.
func (c Content) OutAt(now time.Time) time.Time {
	if c.ScheduledAt == nil {
		return now
	}
	return later(*c.ScheduledAt, now)
}

// Reschedule moves a scheduled post to another slot. Errors: conflict.
func (c Content) Reschedule(at, now time.Time) (ContentChange, error) {
	if c.Status != ContentScheduled {
		return ContentChange{}, c.refuse("rescheduled")
	}
	ch := c.move(ContentScheduled, now)
	ch.To.ScheduledAt = &at
	return ch.telling(EventContentScheduled, now), nil
}

// Publishing records that the platform is about to be called, through an
// integration or, with nil, the sandbox. It has no event; the outcome of the
// call has one. Errors: conflict.
func (c Content) Publishing(via *Integration, now time.Time) (ContentChange, error) {
	if c.Status != ContentScheduled {
		return ContentChange{}, c.refuse("published")
	}
	ch := c.move(ContentPublishing, now)
	if via != nil {
		ch.To.IntegrationID, ch.To.AccountHandle = via.ID, via.handle()
	}
	if c.CalledAt == nil || !c.Unconfirmed {
		ch.To.CalledAt = &now
	}
	return ch, nil
}

// inFlight reports whether the platform's response is pending.
func (c Content) inFlight() bool {
	return c.Status == ContentPublishing || c.Status == ContentUnknown && !c.AwaitsPerson()
}

// RecordPart records that the platform accepted the next part. After the last part
// the post is published; before that, it stays in publishing. Errors: conflict.
func (c Content) RecordPart(p Publication, now time.Time) (ContentChange, error) {
	if !c.inFlight() || len(c.Published) >= len(c.Texts()) {
		return ContentChange{}, c.refuse("recorded as published")
	}
	p.PublishedAt, p.Labels = c.published(p.PublishedAt, now), c.Labels(len(c.Published))
	published := append(slices.Clone(c.Published), p)
	to := ContentPublishing
	if len(published) == len(c.Texts()) {
		to = ContentPublished
	}
	ch := c.move(to, now)
	n := &ch.To
	n.Published, n.Unconfirmed, n.CalledAt, n.Error = published, false, &now, nil
	if to == ContentPublishing {
		return ch, nil
	}
	n.Uploads = nil
	first := published[0]
	n.PlatformPostID, n.PlatformURL, n.PublishedAt, n.CalledAt = &first.PostID, &first.URL, &first.PublishedAt, nil
	n.MeasureAt = nextMeasure(first.PublishedAt, first.PublishedAt)
	if first.PostID == "" { // a person knew its address, which doesn't name it
		n.PlatformPostID, n.MeasureAt = nil, nil
	}
	if !n.Measurable() {
		n.MeasureAt = nil
	}
	return ch.telling(EventContentPublished, now), nil
}

// published returns when the next part was published: the time that the
// platform reported, unless its clock is wrong.
func (c Content) published(reported, now time.Time) time.Time {
	earliest := now
	if c.CalledAt != nil {
		earliest = *c.CalledAt
	}
	if reported.Before(earliest) || reported.After(now) {
		return earliest
	}
	return Millis(reported)
}

// Unknown records that the platform never responded. Errors: conflict.
func (c Content) Unknown(f Failure, now time.Time) (ContentChange, error) {
	if !c.inFlight() {
		return ContentChange{}, c.refuse("recorded as unknown")
	}
	ch := c.move(ContentUnknown, now)
	ch.To.Error = &f
	return ch, nil
}

// Withdraw takes back a call that the platform isn't known to have accepted, so
// that it can be made again; if the post is unconfirmed, the next call knows that
// there was an earlier one. Errors: conflict.
func (c Content) Withdraw(now time.Time) (ContentChange, error) {
	if !c.inFlight() {
		return ContentChange{}, c.refuse("scheduled again")
	}
	ch := c.move(ContentScheduled, now)
	ch.To.Error = nil
	if !c.Unconfirmed {
		ch.To.CalledAt = nil
	}
	return ch, nil
}

// Fail records that publishing failed for good; the parts that the platform
// accepted stay there. A post of which nobody can find out whether the platform has it
// stays unknown, until a person says what became of it. Errors: conflict.
func (c Content) Fail(f Failure, now time.Time) (ContentChange, error) {
	if c.Settled() {
		return ContentChange{}, c.refuse("recorded as failed")
	}
	to := ContentFailed
	if f.Code == CodeOutcomeUnknown {
		to = ContentUnknown
	}
	ch := c.move(to, now)
	if n := len(c.Published); n > 0 && c.PublishedAt == nil {
		f.Message = fmt.Sprintf("%s The first %d of %d parts are on the platform.", f.Message, n, len(c.Texts()))
		ch.To.PlatformPostID, ch.To.PlatformURL = &c.Published[0].PostID, &c.Published[0].URL
	}
	ch.To.Error = &f
	return ch.telling(EventContentFailed, now), nil
}
