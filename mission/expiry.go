package mission

import (
	"slices"
	"time"
)

// lateReview is how long a post may wait for review whose cycle is over.
const lateReview = 24 * time.Hour

// ReviewTime is how long a post waits for review.
type ReviewTime struct{ From, Until time.Time }

// ReviewTime is how long a post of a job may wait for review that begins to at
// now: until its window's end, or a day more where that has passed, or nearly, but
// no longer than the mission lasts.
func (m Mission) ReviewTime(j Job, now time.Time) ReviewTime {
	r := ReviewTime{From: m.Clock(now), Until: j.Window.End}
	if r.Until.Before(r.From.Add(minRoom)) {
		r.Until = r.From.Add(lateReview)
	}
	r.Until = m.before(r.Until)
	return r
}

// await has a post that waits for review expire, and that told when a quarter of
// its time is left.
func (c Content) await(r ReviewTime) Content {
	c.ExpiresAt, c.ExpiringAt = &r.Until, nil
	if left := r.Until.Sub(r.From); left > 0 {
		expiring := Millis(r.Until.Add(-left / 4))
		c.ExpiringAt = &expiring
	}
	return c
}

// Awaiting has the post that the change leaves to be reviewed wait for the time r.
func (ch ContentChange) Awaiting(r ReviewTime) ContentChange {
	ch.To = ch.To.await(r)
	return ch
}

// Prolong gives a post that waits for review another time for it. Errors: conflict.
func (c Content) Prolong(r ReviewTime, now time.Time) (ContentChange, error) {
	if c.Status != ContentPendingReview {
		return ContentChange{}, c.refuse("reviewed")
	}
	ch := c.move(ContentPendingReview, now)
	ch.To = ch.To.await(r)
	return ch, nil
}

// Shift moves the times of a post that waits for review later, by a pause that its
// mission made. Errors: conflict.
func (c Content) Shift(by time.Duration) (ContentChange, error) {
	if c.Status != ContentPendingReview {
		return ContentChange{}, c.refuse("reviewed")
	}
	ch := c.move(ContentPendingReview, c.UpdatedAt)
	for _, at := range []**time.Time{&ch.To.ExpiresAt, &ch.To.ExpiringAt} {
		if *at != nil {
			later := (*at).Add(by)
			*at = &later
		}
	}
	return ch, nil
}

// Expired reports whether a post waits for review whose time is over at now.
func (c Content) Expired(now time.Time) bool {
	return c.Status == ContentPendingReview && (c.ExpiresAt == nil || !c.ExpiresAt.After(now))
}

// Expiring reports whether it is to be told at now that a post is about to expire.
func (c Content) Expiring(now time.Time) bool {
	return c.Status == ContentPendingReview && c.ExpiringAt != nil && !c.ExpiringAt.After(now)
}

// together is how far apart posts' times may be that are told of at once.
const together = 10 * time.Minute

// NextExpiring is when a job's posts are next to be told of that are about to
// expire; ok is false where none is.
func NextExpiring(posts []Content, jobID string) (at time.Time, ok bool) {
	var times []time.Time
	for _, c := range posts {
		if c.JobID == jobID && c.Status == ContentPendingReview && c.ExpiringAt != nil {
			times = append(times, *c.ExpiringAt)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	for _, t := range times {
		if !ok || t.Sub(times[0]) <= together {
			at, ok = t, true
		}
	}
	return at, ok
}

// Warn tells that a post that waits for review is about to expire. Errors:
// conflict.
func (c Content) Warn(now time.Time) (ContentChange, error) {
	if !c.Expiring(now) {
		return ContentChange{}, c.refuse("recorded as expiring")
	}
	ch := c.move(ContentPendingReview, now)
	ch.To.ExpiringAt = nil
	return ch.telling(EventContentExpiring, now), nil
}

// Expire ends a post that nobody approved in its time. Errors: conflict.
func (c Content) Expire(now time.Time) (ContentChange, error) {
	if c.Status != ContentPendingReview {
		return ContentChange{}, c.refuse("expired")
	}
	ch := c.move(ContentExpired, now)
	ch.Events = append(ch.Events, c.event(EventContentExpired, now)) // as it was: with its time
	return ch, nil
}

// Cancel ends a post that won't go out any more, and says why: a thread of which
// the platform has parts has failed. A post that the platform may have taken stays
// as it is. Errors: conflict.
func (c Content) Cancel(why Failure, now time.Time) (ContentChange, error) {
	if c.Status.Settled() || c.inFlight() {
		return ContentChange{}, c.refuse("canceled")
	}
	if len(c.Published) > 0 {
		return c.Fail(EndedHalfway(), now)
	}
	ch := c.move(ContentCanceled, now)
	ch.To.Error = &why
	return ch.telling(EventContentCanceled, now), nil
}

// MissionEnded is why a post is canceled whose mission ended before it went out.
func MissionEnded() Failure {
	return Failure{Code: "mission_ended", Message: "The mission ended before the post went out."}
}

// NoTimeLeft is why a post is canceled that the mission's end leaves no time for.
func (m Mission) NoTimeLeft() Failure {
	f := Failure{Code: "no_time_left", Message: "The mission's end leaves no time for the post."}
	if m.EndsAt != nil {
		f.Message = "The mission ends at " + m.EndsAt.Format(time.RFC3339) + ", which leaves no time for the post."
	}
	return f
}
