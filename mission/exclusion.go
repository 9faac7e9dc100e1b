package mission

import "time"

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
	if v = c.Verdict.With(v); v.Equal(c.Verdict) {
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
	ch := c.heldBack(v.Failure(), now)
	ch.To.Verdict = c.Verdict.With(v)
	return ch, nil
}

// heldBack returns the change that has a post wait for review, and says why.
func (c Content) heldBack(why Failure, now time.Time) ContentChange {
	ch := c.move(ContentPendingReview, now)
	ch.To.ReviewedBy, ch.To.ReviewedAt, ch.To.RestsOn = "", nil, nil
	post := ch.To
	post.Error = &why
	ch.Events = append(ch.Events, post.event(EventContentHeld, now))
	return ch
}
