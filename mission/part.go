package mission

import (
	"errors"
	"fmt"
	"time"
)

// Publication is a platform's answer to a part of a post that it took.
type Publication struct {
	PostID      string    `json:"post_id"`
	URL         string    `json:"url"`
	PublishedAt time.Time `json:"published_at"`
	// Hash is of the post's record, on Bluesky, where a reply names it; else "".
	Hash string `json:"hash,omitempty"`
}

// Part is what one call publishes: a post is one part, a thread several, each a
// reply to the one before it.
type Part struct {
	Content Content
	// Index is the part's place, from 0.
	Index int
	Text  string
	// Root is the thread's first part and Parent the one before; nil for the
	// first.
	Root, Parent *Publication
	// CalledAt is when the platform was first asked to take the part.
	CalledAt time.Time
	// Again tells that an earlier call may have been taken.
	Again bool
}

// ErrAskAgain is a platform's answer to a look for a part: it tells whether it
// has it only when it is asked to take it again.
var ErrAskAgain = errors.New("the platform tells whether it has a post only when it is sent again")

// ErrNotShownYet is an ErrAskAgain of a platform that shows a post some time after
// it took it, so that it can be looked for later too.
var ErrNotShownYet = fmt.Errorf("it may not show the post yet: %w", ErrAskAgain)

// Key names the part at every call: the same for the same text, and never
// another's. It has letters, digits, "_" and "-" only.
func (p Part) Key() string {
	return fmt.Sprintf("%s-%d-%d", p.Content.ID, p.Content.Revision, p.Index)
}

// Texts are the parts of a post, in order.
func (c Content) Texts() []string {
	if len(c.Parts) > 0 {
		return c.Parts
	}
	return []string{c.Text}
}

// CodeUnanswered is the code of a doubt.
const CodeUnanswered = "platform_unreachable"

// Codes of posts that fail for want of a connection.
const (
	CodeNotConnected = "not_connected"
	CodeDisconnected = "integration_disconnected"
	CodeNeverKnown   = "outcome_unknown"
	CodeEnded        = "mission_ended"
)

// NotConnected is the failure of a post whose platform isn't connected.
func NotConnected(p Platform) Failure {
	return Failure{Code: CodeNotConnected, Message: fmt.Sprintf("%s isn't connected; connect it, then regenerate the post.", p)}
}

// Disconnected is the failure of a post whose platform was disconnected while it
// was under way.
func Disconnected(p Platform) Failure {
	return Failure{
		Code:    CodeDisconnected,
		Message: fmt.Sprintf("%s was disconnected before it was known whether it published the post; check there before you publish it again.", p),
	}
}

// EndedHalfway is the failure of a thread that its mission's end cut off.
func EndedHalfway() Failure {
	return Failure{Code: CodeEnded, Message: "The mission ended before the whole thread was published."}
}

// Unanswered is the failure of a call whose answer never came.
func Unanswered() Failure {
	return Failure{Code: CodeUnanswered, Message: "The platform never responded."}
}

// NeverKnown is the failure of a post whose platform never told whether it took
// it.
func NeverKnown() Failure {
	return Failure{Code: CodeNeverKnown, Message: "It is unknown whether the platform published the post; check there before you publish it again."}
}

// NeverKnown tells the failure of a post that its platform may have taken.
func (f Failure) NeverKnown() bool { return f.Code == CodeDisconnected || f.Code == CodeNeverKnown }

// Untaken is the failure of a post that isn't sent any more, for a reason: where
// an earlier call may have been taken, that is what matters.
func (c Content) Untaken(why Failure) Failure {
	if c.InDoubt {
		return NeverKnown()
	}
	return why
}

// NextPart is the part that the platform is to take next.
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
