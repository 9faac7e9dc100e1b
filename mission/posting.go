package mission

import (
	"slices"
	"time"
)

// Origin says who made a post.
type Origin string

// The origins of a post.
const (
	OriginWriter Origin = "writer"
	OriginPerson Origin = "person"
)

// AllOrigins lists the origins of a post.
func AllOrigins() []Origin { return []Origin{OriginWriter, OriginPerson} }

// MaxOwnPosts is how many unpublished posts by people a mission has at most.
const MaxOwnPosts = 1000

// CheckOwnPosts returns an error if a mission that has a number of unpublished posts by
// people can't have another. Errors: conflict.
func CheckOwnPosts(own int) error {
	if own >= MaxOwnPosts {
		return Conflict("The mission has %d posts by people that aren't published yet, which is the most.", own)
	}
	return nil
}

// AddedContent is a post that is added, with its events.
type AddedContent struct {
	Content Content
	Events  []Event
}

// OwnContent is a post that a person makes.
type OwnContent struct {
	To       Destination
	Draft    Draft
	Comment  string // the text of its first comment; "" for none
	Outgoing Outgoing
	Media    []PostMedia
	Verdict  Verdict
	AuthorID string // "" if the caller is a key
	// At is its slot. Placed reports whether the person chose it.
	At     time.Time
	Placed bool
}

// CheckTakesContent returns an error unless people can add posts to the mission: it is active
// or paused. Errors: conflict.
func (m Mission) CheckTakesContent() error {
	if m.Status != StatusActive && m.Status != StatusPaused {
		return Conflict("A mission that is %s takes no posts.", m.Status)
	}
	return nil
}

// CheckSlot returns an error if a person can't choose an instant for a post: it must be in
// the future, within the mission, and in no blackout. Errors: invalid_request on scheduled_at.
func (m Mission) CheckSlot(at, now time.Time) error {
	const param = "scheduled_at"
	switch {
	case !at.After(now):
		return Invalid(param, "The time has passed.")
	case m.EndsAt != nil && !at.Before(*m.EndsAt):
		return Invalid(param, "The mission ends at %s.", m.EndsAt.Format(time.RFC3339))
	}
	if b, in := m.BlackoutAt(at); in {
		return Invalid(param, "The mission has a blackout from %s to %s.", b.StartsAt.Format(time.RFC3339), b.EndsAt.Format(time.RFC3339))
	}
	return nil
}

// Taken reports whether one of some posts of the mission, other than id, has an instant on
// the same account. A post for a platform's default account may be for any of its accounts.
func Taken(posts []Content, id string, to Destination, at time.Time) bool {
	return slices.ContainsFunc(posts, func(c Content) bool {
		same := c.IntegrationID == to.IntegrationID || c.IntegrationID == "" || to.IntegrationID == ""
		return c.ID != id && c.Platform == to.Platform && same && c.ScheduledAt != nil && c.ScheduledAt.Equal(at)
	})
}

// Apart returns those of some moves after which no post of the mission is at another's instant
// on the same account, and the others, whose posts stay where they are. Of two to one instant
// the first is made.
func Apart(posts []Content, moves []ContentChange) (made, taken []ContentChange) {
	after := slices.Clone(posts)
	made = slices.Clone(moves)
	at := make(map[string]int, len(posts))
	for i, c := range posts {
		at[c.ID] = i
	}
	for _, ch := range made {
		after[at[ch.To.ID]].ScheduledAt = ch.To.ScheduledAt
	}
	for i := len(made) - 1; i >= 0; i-- {
		ch := made[i]
		before := posts[at[ch.To.ID]].ScheduledAt
		stays := before != nil && before.Equal(*ch.To.ScheduledAt)
		if stays || !Taken(after, ch.To.ID, ch.To.Destination(), *ch.To.ScheduledAt) {
			continue
		}
		after[at[ch.To.ID]].ScheduledAt = before
		made, taken = slices.Delete(made, i, i+1), append(taken, ch)
		i = len(made) // its post is back where another one may be going
	}
	return made, taken
}

// Destination returns the account that the post is for.
func (c Content) Destination() Destination {
	return Destination{Platform: c.Platform, IntegrationID: c.IntegrationID, Handle: c.AccountHandle}
}

// NewContent returns a person's post. It is scheduled at once, or waits for review if the
// mission requires approval.
func (m Mission) NewContent(id string, p OwnContent, now time.Time) AddedContent {
	c := Content{
		ID: id, TenantID: m.TenantID, MissionID: m.ID, Origin: OriginPerson, Platform: p.To.Platform, IntegrationID: p.To.IntegrationID,
		AccountHandle: p.To.Handle, Format: p.Draft.Format, Status: ContentPendingReview, Text: p.Draft.Text,
		Parts: append([]string{}, p.Draft.Parts...), Comment: NewComment(p.Comment), Media: p.Media,
		Revision: 1, Verdict: p.Verdict, AuthorID: p.AuthorID, Writer: p.Draft.Writer, Disclosed: m.Disclosure.Disclose(""), Outgoing: p.Outgoing, ScheduledAt: &p.At, Placed: p.Placed, CreatedAt: now, UpdatedAt: now,
	}
	added := AddedContent{Events: []Event{c.event(EventContentCreated, now)}}
	if m.Constraints.RequireApproval || !p.Verdict.Passed() {
		added.Content = c.await(m.ReviewTime(c, Job{}, now))
		added.Events = append(added.Events, added.Content.event(EventReviewRequested, now))
		return added
	}
	c.Status = ContentScheduled
	added.Content = c
	added.Events = append(added.Events, c.event(EventContentApproved, now), c.event(EventContentScheduled, now))
	return added
}

// OwnTime reports whether the post's times don't depend on a job's window: a person made
// it, or chose its slot.
func (c Content) OwnTime() bool { return c.JobID == "" || c.Placed }

// JobOf returns what takes the place of a job for a person's post, which has none: the
// mission's constraints as they are, and a window that ends a day after the post's slot.
func (m Mission) JobOf(c Content) Job {
	j := Job{TenantID: m.TenantID, MissionID: m.ID, Brief: Brief{Constraints: m.Constraints}}
	if c.ScheduledAt != nil {
		j.Window = Window{Start: *c.ScheduledAt, End: c.ScheduledAt.Add(lateReview)}
	}
	return j
}

// Place moves an unpublished post to an instant that a person chose. A post that waits for
// review gets another review time. Errors: invalid_request on scheduled_at; conflict.
func (c Content) Place(m Mission, at, now time.Time) (ContentChange, error) {
	if err := c.checkWaiting("rescheduled"); err != nil {
		return ContentChange{}, err
	}
	if err := m.CheckSlot(at, now); err != nil {
		return ContentChange{}, err
	}
	ch := c.move(c.Status, now)
	ch.To.ScheduledAt, ch.To.Placed = &at, true
	switch c.Status {
	case ContentPendingReview:
		return ch.Awaiting(m.ReviewTime(ch.To, Job{}, now)), nil
	case ContentScheduled:
		return ch.telling(EventContentScheduled, now), nil
	default:
		return ch, nil
	}
}

// Withhold cancels an unpublished post because a person wants it. Errors: conflict.
func (c Content) Withhold(now time.Time) (ContentChange, error) {
	if err := c.checkWaiting("canceled"); err != nil {
		return ContentChange{}, err
	}
	return c.Cancel(CanceledByPerson(), now)
}

// checkWaiting returns a conflict unless the post waits, for review or for its slot, and
// its platform has nothing of it.
func (c Content) checkWaiting(operation string) error {
	switch c.Status {
	case ContentPendingReview, ContentApproved, ContentScheduled:
	default:
		return c.refuse(operation)
	}
	if c.MayBePublished() {
		return Conflict("A post that its platform has begun to publish, or may have, can't be %s.", operation)
	}
	return nil
}

// CanceledByPerson returns the reason of a post that a person canceled.
func CanceledByPerson() Failure {
	return Failure{Code: CodeCanceled, Message: "The post was canceled."}
}
