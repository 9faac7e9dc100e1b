package mission

import (
	"errors"
	"fmt"
	"time"
)

// Publication is a part of a post that a platform accepted.
type Publication struct {
	PostID      string    `json:"post_id"`
	URL         string    `json:"url"`
	PublishedAt time.Time `json:"published_at"`
	// Hash is the hash of the post's record on Bluesky, where replies refer to
	// it; else "".
	Hash string `json:"hash,omitempty"`
	// Labels are those that it was sent with.
	Labels Labels `json:"labels,omitzero"`
}

// ErrUnknowable is returned by a lookup on a platform that never reveals whether it has a
// part, not even when the part is sent again, which must therefore not happen.
var ErrUnknowable = errors.New("the platform never reveals whether it has this")

// Part is what one call publishes: a post has one part, a thread several, each
// a reply to the one before it.
type Part struct {
	Content Content
	// Index is the part's index, from 0.
	Index int
	Text  string
	// Media are the part's files in their order: uploaded, unless the part is looked up.
	Media []PartFile
	// Draft is the part as its platform has it already, for nobody to see: ready when the part is
	// published. A part that is looked up and has none was never published. Zero on platforms
	// without drafts.
	Draft Upload
	// Root is the thread's first part and Parent the one before; nil for the
	// first. Of an answer to a reply Root is the post's first part and Parent the reply.
	Root, Parent *Publication
	// Labels are what the platform is told of it in fields of their own.
	Labels Labels
	// Presentation may differ between calls: what the platform has stays.
	Presentation Presentation
	// CalledAt is when the platform was first called with the part.
	CalledAt time.Time
	// Again reports that an earlier call may have been accepted.
	Again bool
}

// PartFile is a file of a part that is on its platform: Upload's state is UploadReady.
type PartFile struct {
	File

	Upload Upload
}

// ErrInconclusive is returned by a lookup on a platform that reveals whether it has
// a part only when the part is sent again.
var ErrInconclusive = errors.New("the platform reveals whether it has a post only when it is sent again")

// Key returns the part's idempotency key: the same for every call with the same
// text, and unique to it. It has letters, digits, "_" and "-" only.
func (p Part) Key() string {
	return fmt.Sprintf("%s-%d-%d", p.Content.ID, p.Content.Revision, p.Index)
}

// Texts returns the parts of a post, in order.
func (c Content) Texts() []string {
	if len(c.Parts) > 0 {
		return c.Parts
	}
	return []string{c.Text}
}

// CodeNoResponse is the code of a call without a response.
const CodeNoResponse = "platform_unreachable"

// Codes of posts that couldn't be published, were canceled, or whose outcome is unknown.
const (
	CodeNotConnected   = "not_connected"
	CodeDisconnected   = "integration_disconnected"
	CodeOutcomeUnknown = "outcome_unknown"
	CodeMissionEnded   = "mission_ended"
	CodeNoTimeLeft     = "no_time_left"
	CodeCanceled       = "canceled" // by a person
)

// NotConnected returns the failure of a post whose platform isn't connected.
func NotConnected(p Platform) Failure {
	return Failure{Code: CodeNotConnected, Message: fmt.Sprintf("%s isn't connected; connect it, then regenerate the post.", p)}
}

// AccountGone returns the failure of what can be done only through the account of a post, which was
// disconnected.
func AccountGone(p Platform) Failure {
	return Failure{Code: CodeNotConnected, Message: fmt.Sprintf("The %s account that published the post isn't connected any more.", p.Name())}
}

// Disconnected returns the failure of a post whose platform was disconnected
// while it was being published.
func Disconnected(p Platform) Failure {
	return Failure{
		Code: CodeDisconnected,
		Message: fmt.Sprintf(
			"%s was disconnected before it was known whether it published the post; check there before you publish it again.", p),
	}
}

// Interrupted returns the failure of a thread that was interrupted by its
// mission's end.
func Interrupted() Failure {
	return Failure{Code: CodeMissionEnded, Message: "The mission ended before the whole thread was published."}
}

// NoResponse returns the failure of a call without a response.
func NoResponse() Failure {
	return Failure{Code: CodeNoResponse, Message: "The platform never responded."}
}

// UnknownOutcome returns the failure of a post whose outcome stayed unknown.
func UnknownOutcome() Failure {
	return Failure{
		Code:    CodeOutcomeUnknown,
		Message: "It is unknown whether the platform published the post; look there, then say where it is or publish it again.",
	}
}

// MayBePublished reports whether f is the failure of a post that its platform may
// have accepted.
func (f Failure) MayBePublished() bool {
	return f.Code == CodeDisconnected || f.Code == CodeOutcomeUnknown
}

// FinalFailure returns the failure of a post that isn't sent any more: why, or
// UnknownOutcome if an earlier call may have been accepted.
func (c Content) FinalFailure(why Failure) Failure {
	if c.Unconfirmed {
		return UnknownOutcome()
	}
	return why
}

// NextPart returns the part that is published next.
func (c Content) NextPart() Part {
	n := len(c.Published)
	p := Part{Content: c, Index: n, Text: c.SentTexts()[n], Again: c.Unconfirmed, Labels: c.Labels(n)}
	if c.CalledAt != nil {
		p.CalledAt = *c.CalledAt
	}
	p.Draft = c.recordedDraft(p.Key())
	switch {
	case n > 0:
		p.Root, p.Parent = &c.Published[0], &c.Published[n-1]
	case c.Replying != nil:
		p.Root, p.Parent = &c.Replying.Root, &c.Replying.To
	}
	return p
}
