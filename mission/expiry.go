package mission

import (
	"slices"
	"time"
)

// lateReview is how long a post whose cycle is over may wait for review.
const lateReview = 24 * time.Hour

// ReviewTime is the time within which a post is reviewed.
type ReviewTime struct{ From, Until time.Time }

// ReviewTime returns the review time of a post of a job that starts to wait for
// review at now: until the end of the job's window or, for a post with a time of its
// own, a day after its slot; or a day from now if that has passed or nearly passed, but
// not after the mission's end.
func (m Mission) ReviewTime(c Content, j Job, now time.Time) ReviewTime {
	r := ReviewTime{From: m.Clock(now), Until: j.Window.End}
	if c.OwnTime() && c.ScheduledAt != nil {
		r.Until = c.ScheduledAt.Add(lateReview)
	}
	if r.Until.Before(r.From.Add(minRoom)) {
		r.Until = r.From.Add(lateReview)
	}
	r.Until = m.before(r.Until)
	return r
}

// await returns a post that waits for review with its expiry times: it expires
// at the end of r, and the warning is due when a quarter of r is left.
func (c Content) await(r ReviewTime) Content {
	c.ExpiresAt, c.ExpiringAt = &r.Until, nil
	if left := r.Until.Sub(r.From); left > 0 {
		expiring := Millis(r.Until.Add(-left / 4))
		c.ExpiringAt = &expiring
	}
	return c
}

// Awaiting returns the change with the review time r for a post that it leaves
// waiting for review. If it begins to wait, the change has the event of that.
func (ch ContentChange) Awaiting(r ReviewTime) ContentChange {
	ch.To = ch.To.await(r)
	if ch.From != ContentPendingReview {
		ch = ch.telling(EventReviewRequested, ch.To.UpdatedAt)
	}
	return ch
}

// Prolong gives a post that waits for review another review time. Errors:
// conflict.
func (c Content) Prolong(r ReviewTime, now time.Time) (ContentChange, error) {
	if c.Status != ContentPendingReview {
		return ContentChange{}, c.refuse("reviewed")
	}
	ch := c.move(ContentPendingReview, now)
	ch.To = ch.To.await(r)
	return ch, nil
}

// Shift moves the expiry times of a post that waits for review later, by the
// length of its mission's pause. Errors: conflict.
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

// Expired reports whether the post waits for review and its review time is over
// at now.
func (c Content) Expired(now time.Time) bool {
	return c.Status == ContentPendingReview && (c.ExpiresAt == nil || !c.ExpiresAt.After(now))
}

// Expiring reports whether the warning that the post is about to expire is due
// at now.
func (c Content) Expiring(now time.Time) bool {
	return c.Status == ContentPendingReview && c.ExpiringAt != nil && !c.ExpiringAt.After(now)
}

// together is how far apart the times of posts may be that are reported at
// once.
const together = 10 * time.Minute

// NextExpiring returns when the next expiry warning of a job's posts is due; ok
// is false if there is none.
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

// Warn records the warning that a post that waits for review is about to
// expire. Errors: conflict.
func (c Content) Warn(now time.Time) (ContentChange, error) {
	if !c.Expiring(now) {
		return ContentChange{}, c.refuse("recorded as expiring")
	}
	ch := c.move(ContentPendingReview, now)
	ch.To.ExpiringAt = nil
	return ch.telling(EventContentExpiring, now), nil
}

// Expire ends a post that nobody approved within its review time. Errors:
// conflict.
func (c Content) Expire(now time.Time) (ContentChange, error) {
	if c.Status != ContentPendingReview {
		return ContentChange{}, c.refuse("expired")
	}
	ch := c.move(ContentExpired, now)
	ch.Events = append(ch.Events, c.event(EventContentExpired, now)) // c, not ch.To: with its expiry time
	return ch, nil
}

// Cancel ends a post that won't be published any more, and records why: a
// thread of which the platform has parts has failed. A post that the platform
// may have accepted stays as it is. Errors: conflict.
func (c Content) Cancel(why Failure, now time.Time) (ContentChange, error) {
	if c.Status.Settled() || c.inFlight() {
		return ContentChange{}, c.refuse("canceled")
	}
	if len(c.Published) > 0 {
		return c.Fail(Interrupted(), now)
	}
	ch := c.move(ContentCanceled, now)
	ch.To.Error = &why
	return ch.telling(EventContentCanceled, now), nil
}

// MissionEnded returns the reason of a post canceled because its mission ended
// before it was published.
func MissionEnded() Failure {
	return Failure{Code: CodeMissionEnded, Message: "The mission ended before the post went out."}
}

// NoTimeLeft returns the reason of a post that is canceled at now because the mission's end leaves no time for it. It
// names the blackouts in the time that was looked at, which begins at the post's slot if that is ahead; slot is nil if
// the post has none.
func (m Mission) NoTimeLeft(slot *time.Time, now time.Time) Failure {
	if m.EndsAt == nil {
		return Failure{Code: CodeNoTimeLeft, Message: "The mission's end leaves no time for the post."}
	}
	from := m.Clock(now)
	if slot != nil && slot.After(from) {
		from = *slot
	}
	text := "The mission ends at " + m.EndsAt.Format(time.RFC3339)
	for _, b := range m.silence() {
		if b.StartsAt.Before(*m.EndsAt) && b.EndsAt.After(from) {
			text += " and has a blackout from " + b.StartsAt.Format(time.RFC3339) + " to " + b.EndsAt.Format(time.RFC3339)
		}
	}
	return Failure{Code: CodeNoTimeLeft, Message: text + ", which leaves no time for the post."}
}
