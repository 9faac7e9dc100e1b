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
}

// Part is what one call publishes: a post has one part, a thread several, each
// a reply to the one before it.
type Part struct {
	Content Content
	// Index is the part's index, from 0.
	Index int
	Text  string
	// Root is the thread's first part and Parent the one before; nil for the
	// first.
	Root, Parent *Publication
	// CalledAt is when the platform was first called with the part.
	CalledAt time.Time
	// Again reports that an earlier call may have been accepted.
	Again bool
}

// ErrAskAgain is returned by a lookup on a platform that reveals whether it has
// a part only when the part is sent again.
var ErrAskAgain = errors.New("the platform reveals whether it has a post only when it is sent again")

// ErrNotShownYet is an ErrAskAgain of a platform that shows a post some time
// after accepting it, so that it can also be looked up later.
var ErrNotShownYet = fmt.Errorf("it may not show the post yet: %w", ErrAskAgain)

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

// CodeUnanswered is the code of a call without a response.
const CodeUnanswered = "platform_unreachable"

// Codes of posts that couldn't be published, or whose outcome is unknown.
const (
	CodeNotConnected = "not_connected"
	CodeDisconnected = "integration_disconnected"
	CodeNeverKnown   = "outcome_unknown"
	CodeEnded        = "mission_ended"
)

// NotConnected returns the failure of a post whose platform isn't connected.
func NotConnected(p Platform) Failure {
	return Failure{Code: CodeNotConnected, Message: fmt.Sprintf("%s isn't connected; connect it, then regenerate the post.", p)}
}

// Disconnected returns the failure of a post whose platform was disconnected
// while it was being published.
func Disconnected(p Platform) Failure {
	return Failure{
		Code:    CodeDisconnected,
		Message: fmt.Sprintf("%s was disconnected before it was known whether it published the post; check there before you publish it again.", p),
	}
}

// EndedHalfway returns the failure of a thread that was interrupted by its
// mission's end.
func EndedHalfway() Failure {
	return Failure{Code: CodeEnded, Message: "The mission ended before the whole thread was published."}
}

// Unanswered returns the failure of a call without a response.
func Unanswered() Failure {
	return Failure{Code: CodeUnanswered, Message: "The platform never responded."}
}

// NeverKnown returns the failure of a post whose outcome stayed unknown.
func NeverKnown() Failure {
	return Failure{Code: CodeNeverKnown, Message: "It is unknown whether the platform published the post; check there before you publish it again."}
}

// NeverKnown reports whether f is the failure of a post that its platform may
// have accepted.
func (f Failure) NeverKnown() bool { return f.Code == CodeDisconnected || f.Code == CodeNeverKnown }

// Untaken returns the failure of a post that isn't sent any more: why, or
// NeverKnown if an earlier call may have been accepted.
func (c Content) Untaken(why Failure) Failure {
	if c.InDoubt {
		return NeverKnown()
	}
	return why
}

// NextPart returns the part that is published next.
func (c Content) NextPart() Part {
	n := len(c.Published)
	p := Part{Content: c, Index: n, Text: c.Texts()[n], Again: c.InDoubt}
	if c.CalledAt != nil {
		p.CalledAt = *c.CalledAt
	}
	if n > 0 {
		p.Root, p.Parent = &c.Published[0], &c.Published[n-1]
	}
	return p
}
