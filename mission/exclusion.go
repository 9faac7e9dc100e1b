package mission

import (
	"fmt"
	"slices"
	"time"
)

// Exclusions returns the topics that m's posts don't mention: its own and its
// tenant's brand's. They hold at once, whatever the brief of a cycle says: for
// what is being written, and for what was written and scheduled before.
func (m Mission) Exclusions(b Brand) []string {
	return append(slices.Clone(m.Constraints.ExcludedTopics), b.ExcludedTopics...)
}

// CodeExcludedTopic is the code of a post that mentions an excluded topic.
const CodeExcludedTopic = "excluded_topic"

// Failure is what a verdict says against a text, in words for the tenant.
func (v Verdict) Failure() Failure {
	return Failure{Code: CodeExcludedTopic, Message: fmt.Sprintf("The text mentions the excluded topic %q.", v.ExcludedTopic)}
}

// Begun reports whether the platform has a part of the post, or may have.
func (c Content) Begun() bool { return c.InDoubt || len(c.Published) > 0 }

// Recheck returns the change that a verdict by the exclusions as they are now
// makes of a post that isn't out: one that breaks them is held back. ok is false
// where nothing changes. A post that its platform has begun to publish, or may
// have, stays as it is: Hold and Fail decide about it once it is to be sent.
func (c Content) Recheck(v Verdict, now time.Time) (ch ContentChange, ok bool) {
	switch {
	case c.Begun():
		return ch, false
	case c.Status == ContentApproved, c.Status == ContentScheduled:
		if !v.Passed() {
			ch, err := c.Hold(v, now)
			return ch, err == nil
		}
	case c.Status != ContentPendingReview:
		return ch, false
	}
	if v == c.Verdict {
		return ch, false
	}
	ch = c.move(c.Status, now)
	ch.To.Verdict = v
	return ch, true
}

// Hold has a post that was to go out wait for review, since something is to be
// said against its text. Its approval is void. Errors: conflict, also for one
// that its platform has begun to publish, or may have.
func (c Content) Hold(v Verdict, now time.Time) (ContentChange, error) {
	if c.Begun() || c.Status != ContentApproved && c.Status != ContentScheduled {
		return ContentChange{}, c.refuse("held back")
	}
	ch := c.move(ContentPendingReview, now)
	ch.To.Verdict, ch.To.ReviewedBy, ch.To.ReviewedAt = v, "", nil
	held := ch.To
	why := v.Failure()
	held.Error = &why
	ch.Events = append(ch.Events, held.event(EventContentHeld, now))
	return ch, nil
}
