package mission

import (
	"strings"
	"time"
)

// LookupKind says how it is found out whether a platform has a post whose call got no
// response.
type LookupKind string

// The kinds of lookups.
const (
	// LookupExact: by an id that the service chose.
	LookupExact LookupKind = "exact"
	// LookupByText: among the account's latest posts, by text and position.
	LookupByText LookupKind = "by_text"
	// LookupNone: not at all. A person has to say what became of the post.
	LookupNone LookupKind = "none"
)

// Lookup is how the outcome of a call without a response is found out on an account. Its
// times are the platform's, in real time.
type Lookup struct {
	Kind LookupKind
	// Lag is how long after a call a lookup may miss what the platform accepted by it: one
	// that finds nothing counts only afterwards.
	Lag time.Duration
	// ResendWindow is how long after the first call a call for the same part may begin
	// without a second post, since the platform refuses the text and names the post that has
	// it; 0 if no call may. It is shorter than the platform promises, by what a call takes.
	ResendWindow time.Duration
}

// Scaled returns the lookup with its times converted by domain, for a development clock
// that runs fast.
func (l Lookup) Scaled(domain func(time.Duration) time.Duration) Lookup {
	l.Lag, l.ResendWindow = domain(l.Lag), domain(l.ResendWindow)
	return l
}

// LookupOf returns how the outcome of a call is found out on an integration's account; the
// sandbox, which nil is, knows its posts.
func LookupOf(i *Integration) Lookup {
	if i == nil {
		return Lookup{Kind: LookupExact}
	}
	c, _ := CapabilitiesOf(i.Platform)
	if i.Account != nil {
		return c.LookupFor(i.Account.ID)
	}
	return c.Lookup
}

// CommentLookupOf is LookupOf for first comments and answers: where they aren't posts, the same one is
// accepted twice, and most platforms can't be asked about them.
func CommentLookupOf(i *Integration) Lookup {
	if i != nil {
		switch c, _ := CapabilitiesOf(i.Platform); {
		case c.CommentLookup != nil:
			return *c.CommentLookup
		case !c.Threads():
			return Lookup{Kind: LookupNone}
		}
	}
	return LookupOf(i)
}

// LookupFor returns how the outcome of a call is found out on an account, by its id on the
// platform.
func (c Capabilities) LookupFor(accountID string) Lookup {
	if c.PageLookup != nil && isPage(accountID) {
		return *c.PageLookup
	}
	return c.Lookup
}

// isPage reports whether an account's id is that of an organisation on LinkedIn, or of a
// channel that a Discord bot posts to.
func isPage(accountID string) bool {
	return strings.HasPrefix(accountID, "urn:li:organization:") || strings.HasPrefix(accountID, DiscordChannel)
}

// DiscordChannel is what the ids of Discord's accounts begin with that a bot posts to; those of
// webhooks don't.
const DiscordChannel = "channel:"

// MaySendAgain reports whether a call for the post's next part may begin although an
// earlier one may have been accepted.
func (c Content) MaySendAgain(l Lookup, now time.Time) bool {
	return c.CalledAt != nil && l.ResendWindow > 0 && now.Before(c.CalledAt.Add(l.ResendWindow))
}

// TooLate reports whether the post's next part must not be sent any more at now: an
// earlier call may have been accepted, and the platform doesn't refuse a second post any
// longer. Every call that sends a part is preceded by this question.
func (c Content) TooLate(l Lookup, now time.Time) bool {
	return c.Unconfirmed && !c.MaySendAgain(l, now)
}

// Undecidable reports whether nothing that the service could do any more tells what became of a
// post whose next part was sent: its platform can't be asked, and doesn't refuse a second post any
// longer.
func (c Content) Undecidable(l Lookup, now time.Time) bool {
	return c.inFlight() && l.Kind == LookupNone && !c.MaySendAgain(l, now)
}

// LookAgain returns when a post that can't be called before until is looked at again: then, or
// when its next part, which the platform may have, can't be sent again any more.
func (c Content) LookAgain(l Lookup, until, now time.Time) time.Time {
	if !c.Unconfirmed && !c.inFlight() || !c.MaySendAgain(l, now) {
		return until
	}
	if end := c.CalledAt.Add(l.ResendWindow); end.Before(until) {
		return end
	}
	return until
}

// visible returns from when on a lookup shows whatever the platform has accepted of the
// post's next part.
func (c Content) visible(l Lookup, now time.Time) time.Time {
	if c.CalledAt == nil {
		return now
	}
	return c.CalledAt.Add(l.ResendWindow + l.Lag)
}

// Doubt settles a scheduled post that is too late to be sent again: it is looked up.
// Errors: conflict.
func (c Content) Doubt(now time.Time) (Settlement, error) {
	if c.Status != ContentScheduled {
		return Settlement{}, c.refuse("looked up")
	}
	ch, f := c.move(ContentUnknown, now), NoResponse()
	ch.To.Error = &f
	return Settlement{Change: ch, Task: TaskWaiting, RunAt: now, Unpaid: UnknownOutcome()}, nil
}

// Settled reports whether the post won't change any more by itself: its state is final,
// or its outcome stays unknown until a person says what became of it.
func (c Content) Settled() bool { return c.Status.Settled() || c.AwaitsPerson() }

// AwaitsPerson reports whether the service has given up finding out whether the platform
// has the post.
func (c Content) AwaitsPerson() bool {
	return c.Status == ContentUnknown && c.Error != nil && c.Error.Code == CodeOutcomeUnknown
}

// CheckSettleable returns a conflict unless the post's outcome is unknown.
func (c Content) CheckSettleable() error {
	if c.Status != ContentUnknown {
		return c.refuse("settled by a person, since its outcome isn't unknown")
	}
	return nil
}

// SettleAsPublished settles a post with an unknown outcome as a person says: the platform
// has its next part, as p. The part counts as published when the platform was called. The
// rest of a thread is sent at once, unless its mission has ended. Errors: conflict.
func (c Content) SettleAsPublished(p Publication, by string, m Status, now time.Time) (Settlement, error) {
	if err := c.CheckSettleable(); err != nil {
		return Settlement{}, err
	}
	given := c.AwaitsPerson()
	c.Error, c.Unconfirmed = nil, false
	s, err := c.accepted(PublishResult{Outcome: OutcomeAccepted, Publication: p, LookedUp: true}, m == StatusCompleted, now)
	if err == nil && s.Task != "" {
		s, err = s.Change.To.sendNow(now)
	}
	s.Change.From, s.Change.FromSettled = c.Status, given
	if n := s.Change.To.Comment; n != nil && n.Status == CommentWaiting && !p.named(c.Platform) {
		failed := *n
		failed.Status, failed.Error = CommentFailed, &Failure{
			Code: CodeNotNamed, Message: "The post's address doesn't say enough about it for a reply.",
		}
		s.Change.To.Comment = &failed
	}
	return s.by(by), err
}

// CodeNotNamed is the code of a first comment of a post whose address doesn't name it.
const CodeNotNamed = "post_not_named"

// named reports whether the publication says what a reply to it needs.
func (p Publication) named(on Platform) bool {
	return p.PostID != "" && (on != Bluesky || p.Hash != "")
}

// CheckPublishedAt returns an error if a person can't settle the post as published as p: p is
// an earlier part of it, or doesn't say enough for the rest of the thread, which replies to
// it. Errors: invalid_request on published_url.
func (c Content) CheckPublishedAt(p Publication) error {
	for i, part := range c.Published {
		if part.URL == p.URL || part.PostID != "" && part.PostID == p.PostID {
			return Invalid("published_url", "This is part %d of the thread, not part %d.", i+1, len(c.Published)+1)
		}
	}
	if len(c.Published)+1 < len(c.Texts()) && !p.named(c.Platform) {
		return Invalid("published_url", "The rest of the thread replies to this part, and the address doesn't say enough about it.")
	}
	return nil
}

// PublishAgain settles a post with an unknown outcome as a person decides: its next part is
// sent once more. Errors: conflict.
func (c Content) PublishAgain(by string, m Status, now time.Time) (Settlement, error) {
	switch {
	case c.CheckSettleable() != nil:
		return Settlement{}, c.CheckSettleable()
	case m == StatusCompleted:
		return Settlement{}, Conflict("The post's mission is completed.")
	}
	given := c.AwaitsPerson()
	c.Error, c.Unconfirmed = nil, false
	s, err := c.sendNow(now)
	s.Change.FromSettled = given
	return s.by(by), err
}

// sendNow schedules a post in flight, so that its next part is sent at once and isn't looked
// up before. Errors: conflict.
func (c Content) sendNow(now time.Time) (Settlement, error) {
	ch, err := c.Withdraw(now)
	ch.To.ScheduledAt, ch.To.Placed = &now, true // another post may have its slot
	return Settlement{Change: ch.telling(EventContentScheduled, now), Task: TaskWaiting, RunAt: now}, err
}

// by names who settled a post in the settlement's events.
func (s Settlement) by(who string) Settlement {
	for i, e := range s.Change.Events {
		switch data := e.Data.(type) {
		case ContentPublishedData:
			data.SettledBy = who
			s.Change.Events[i].Data = data
		case ContentEventData:
			data.SettledBy = who
			s.Change.Events[i].Data = data
		}
	}
	return s
}
