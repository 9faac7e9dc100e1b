package mission

import (
	"fmt"
	"slices"
	"time"
)

// Exclusions returns the topics that m's posts must not mention: its own and
// its tenant's brand's. They apply at once, whatever the brief of a cycle says:
// to posts being written, and to those written and scheduled before.
func (m Mission) Exclusions(b Brand) []string {
	return append(slices.Clone(m.Constraints.ExcludedTopics), b.ExcludedTopics...)
}

// CodeExcludedTopic is the code of a post that mentions an excluded topic.
const CodeExcludedTopic = "excluded_topic"

// Failure returns why the verdict rejects a text, in words for the tenant.
func (v Verdict) Failure() Failure {
	return Failure{Code: CodeExcludedTopic, Message: fmt.Sprintf("The text mentions the excluded topic %q.", v.ExcludedTopic)}
}

// MayBePublished reports whether the platform has, or may have, a part of the post.
func (c Content) MayBePublished() bool { return c.Unconfirmed || len(c.Published) > 0 }

// Recheck returns the change that a verdict by the current exclusions makes to
// an unpublished post: one that violates them returns to review. ok is false if
// nothing changes. A post that its platform has begun to publish, or may have,
// stays as it is: ReturnToReview and Fail decide about it when it is sent.
func (c Content) Recheck(v Verdict, now time.Time) (ch ContentChange, ok bool) {
	switch {
	case c.MayBePublished():
		return ch, false
	case c.Status == ContentApproved, c.Status == ContentScheduled:
		if !v.Passed() {
			ch, err := c.ReturnToReview(v, now)
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

// ReturnToReview makes a post that was to be published wait for review, because the
// verdict rejects its text. Its approval is void. Errors: conflict, also for
// one that its platform has begun to publish, or may have.
func (c Content) ReturnToReview(v Verdict, now time.Time) (ContentChange, error) {
	if c.MayBePublished() || c.Status != ContentApproved && c.Status != ContentScheduled {
		return ContentChange{}, c.refuse("held back")
	}
	ch := c.move(ContentPendingReview, now)
	ch.To.Verdict, ch.To.ReviewedBy, ch.To.ReviewedAt = v, "", nil
	post := ch.To
	why := v.Failure()
	post.Error = &why
	ch.Events = append(ch.Events, post.event(EventContentHeld, now))
	return ch, nil
}
