package mission

import "time"

const (
	// LookupWait is the wait between lookups of a post with an unknown outcome,
	// once the plan's delays are used up.
	LookupWait = 5 * time.Minute
	// lookupLimit is how long such a post is looked up.
	lookupLimit = 48 * time.Hour
	// unauthorizedWait is the wait after the platform rejected the credentials:
	// by then the integration is known to need reconnecting.
	unauthorizedWait = 3 * time.Second
)

// PublishAttempt is an attempt to publish a post.
type PublishAttempt struct {
	// Number counts the attempts of the post's task, from 1.
	Number int
	// Mission is the status of the post's mission.
	Mission Status
	// WindowEnd is the end of the window of the post's cycle: until then a post is tried again of which nothing was
	// accepted.
	WindowEnd time.Time
	// Lookup is how unknown outcomes are found out on the post's account.
	Lookup Lookup
	// Task is the post's task, as it was claimed.
	Task Task
}

// Settlement is what becomes of a post and its task after an attempt.
type Settlement struct {
	Change ContentChange
	// Task is the next state of the task: waiting until RunAt, parked, or running
	// if the next part is to be sent at once; "" if the post is settled.
	Task  TaskState
	RunAt time.Time
	// Attempts counts the attempts that the task has used up.
	Attempts int
	// PausedUntil is until when the platform wants no calls for the tenant; zero if
	// it doesn't say.
	PausedUntil time.Time
	// Trouble is what the task waits for; "" if that isn't trouble of the service's own.
	Trouble Trouble
	// LookedUp reports whether a lookup is to be paid for.
	LookedUp bool
	// Unpaid is why the post fails if the budget can't pay for what is left to
	// do, which is reserved first; zero if nothing is to be reserved.
	Unpaid Failure
}

// FeesDue reports whether the post's reserved fees are to be settled. They stay
// reserved while a thread goes on and while an outcome is unknown.
func (s Settlement) FeesDue() bool { return s.Unpaid.Code != "" || !s.Change.To.inFlight() }

// drafting returns the settlement of a post that goes on: if its next part is made as a draft before it is
// sent, it isn't in flight meanwhile. Errors: err; conflict.
func (s Settlement) drafting(m Status, err error, now time.Time) (Settlement, error) {
	if err != nil || s.Task != TaskRunning || s.Change.To.IntegrationID == "" || !s.Change.To.Drafts() {
		return s, err
	}
	next, err := s.Change.To.sendAgain(m, 0, now)
	next.Change.From, next.Change.FromSettled = s.Change.From, s.Change.FromSettled
	return next, err
}

// WithoutBudget returns the settlement of a post whose budget can't pay for what is
// left to do. Errors: conflict.
func (s Settlement) WithoutBudget(now time.Time) (Settlement, error) {
	ch, err := s.Change.To.Fail(s.Unpaid, now)
	ch.From, ch.FromSettled = s.Change.From, s.Change.FromSettled
	return Settlement{Change: ch}, err
}

// Drop settles a scheduled post whose mission has ended: it is canceled, or
// looked up if the platform may have it. Errors: conflict.
func (c Content) Drop(now time.Time) (Settlement, error) {
	if !c.Unconfirmed {
		return settled(c.Cancel(MissionEnded(), now))
	}
	s, err := c.Doubt(now)
	s.RunAt = time.Time{} // its task stays as it is
	return s, err
}

// LookupsOver reports whether the post has been looked up for long enough.
func (c Content) LookupsOver(now time.Time) bool {
	return c.CalledAt != nil && now.Sub(*c.CalledAt) > lookupLimit
}

// After returns what becomes of a post in flight after its next part was sent or
// looked up. Errors: conflict.
func (c Content) After(r PublishResult, at PublishAttempt, now time.Time) (Settlement, error) {
	s, err := c.after(r, at, now)
	s.LookedUp, s.Attempts, s.Trouble = r.LookedUp, at.Number, r.Trouble
	if r.LookedUp {
		s.Trouble = at.Task.Trouble // which kept it from being sent, and isn't known to be over
	}
	if err == nil && s.Task == TaskWaiting && s.Trouble != "" &&
		!now.Before(s.Change.To.TroubleEnds(at.Task.TroubledSince(s.Trouble, now), at.WindowEnd)) {
		s, err = settled(c.Fail(s.Change.To.TroubleOver(s.Trouble.Failure()), now))
	}
	if s.Task == TaskParked || !r.spends() {
		s.Attempts--
	}
	if r.RetryAfter > 0 && r.Outcome != OutcomeRefused {
		s.PausedUntil = now.Add(r.RetryAfter)
	}
	return s, err
}

func (c Content) after(r PublishResult, at PublishAttempt, now time.Time) (Settlement, error) {
	switch {
	case !c.inFlight():
		return Settlement{}, c.refuse("settled")
	case r.Outcome == OutcomeAccepted:
		s, err := c.accepted(r, at.Mission == StatusCompleted, now)
		return s.drafting(at.Mission, err, now)
	case r.Outcome == OutcomeRefused && r.Failure.Code == CodeFileMissing: // nothing was sent
		return settled(c.Fail(c.FinalFailure(r.Failure), now))
	case r.Outcome == OutcomeRefused:
		return settled(c.Fail(r.Failure, now))
	case r.Outcome == OutcomeUnknowable:
		return settled(c.Fail(UnknownOutcome(), now))
	case r.Outcome == OutcomeNotAccepted:
		return c.notAccepted(r, at, now)
	case r.Outcome == OutcomeAbsent && !now.Before(c.visible(at.Lookup, now)):
		return c.absent(at, now)
	case r.Outcome == OutcomeAbsent, r.Outcome == OutcomeInconclusive:
		return c.inconclusive(r, at, now)
	case c.LookupsOver(now):
		return settled(c.Fail(UnknownOutcome(), now))
	}
	wait, more := TaskContentPublish.Plan().Delay(at.Number)
	if !more {
		wait = LookupWait
	}
	if r.Trouble != "" {
		wait = TroublePause(now.Sub(at.Task.TroubledSince(r.Trouble, now)))
	}
	return c.lookUpAgain(r.Failure, r.wait(wait), now)
}

// notAccepted settles a post that its platform didn't accept, or that trouble of the service's own kept from being sent: it is
// sent again, as long as the window of its cycle lasts.
func (c Content) notAccepted(r PublishResult, at PublishAttempt, now time.Time) (Settlement, error) {
	wait, more := TaskContentPublish.Plan().OutageDelay(at.Number, 0, at.WindowEnd.Sub(now))
	switch {
	case r.Trouble != "":
		wait = TroublePause(now.Sub(at.Task.TroubledSince(r.Trouble, now)))
	case !more && r.spends():
		return settled(c.Fail(c.FinalFailure(r.Failure), now))
	}
	if r.FilesGone {
		c.Uploads = nil
	}
	return c.sendAgain(at.Mission, c.LookAgain(at.Lookup, now.Add(r.wait(wait)), now).Sub(now), now)
}

// absent settles a post that its platform doesn't have, as a lookup says: it is sent again, unless its attempts are used up and the
// window of its cycle is over.
func (c Content) absent(at PublishAttempt, now time.Time) (Settlement, error) {
	if _, more := TaskContentPublish.Plan().Delay(at.Number); !more && !now.Before(at.WindowEnd) {
		why := NoResponse()
		if at.Task.Trouble != "" {
			why = at.Task.Trouble.Failure()
		}
		return settled(c.Fail(why, now))
	}
	called := c.CalledAt
	c.Unconfirmed = false
	s, err := c.sendAgain(at.Mission, 0, now)
	s.Change.To.CalledAt = called // a restored post isn't looked up twice
	return s, err
}

func settled(ch ContentChange, err error) (Settlement, error) { return Settlement{Change: ch}, err }

// inconclusive settles a post that a lookup didn't find, although the platform may have
// it: it is sent again as long as the platform refuses a second post, and else looked up
// again once a lookup counts. A platform that can't be asked leaves the outcome unknown.
func (c Content) inconclusive(r PublishResult, at PublishAttempt, now time.Time) (Settlement, error) {
	switch {
	case at.Mission != StatusCompleted && c.MaySendAgain(at.Lookup, now):
		c.Unconfirmed = true
		return c.sendAgain(at.Mission, 0, now)
	case r.Outcome == OutcomeAbsent:
		return c.lookUpAgain(NoResponse(), c.visible(at.Lookup, now).Sub(now), now)
	}
	return settled(c.Fail(UnknownOutcome(), now))
}

// accepted settles a post of which the platform has the next part. A lookup that
// finds it interrupts a thread, whose rest is reserved again; if the post was
// unconfirmed, the platform may have the next part too, which is looked up.
func (c Content) accepted(r PublishResult, ended bool, now time.Time) (Settlement, error) {
	ch, err := c.RecordPart(r.Publication, now)
	switch {
	case err != nil || ch.To.Status.Settled():
		return settled(ch, err)
	case !r.LookedUp:
		return Settlement{Change: ch, Task: TaskRunning}, nil
	case ended:
		return Settlement{Change: ch, Unpaid: Interrupted()}.WithoutBudget(now)
	case c.Unconfirmed:
		ch.To.Status, ch.To.Unconfirmed, ch.To.CalledAt = ContentUnknown, true, c.CalledAt
		return Settlement{Change: ch, Task: TaskWaiting, RunAt: now, Unpaid: BudgetExhausted()}, nil
	}
	return Settlement{Change: ch, Task: TaskRunning, Unpaid: BudgetExhausted()}, nil
}

// sendAgain settles a post that is to be sent again after a wait, unless its
// mission is paused or has ended.
func (c Content) sendAgain(m Status, wait time.Duration, now time.Time) (Settlement, error) {
	ch, err := c.Withdraw(now)
	s := Settlement{Change: ch, Task: TaskWaiting}
	switch {
	case err != nil:
	case m == StatusPaused:
		s.Task = TaskParked
	case m == StatusCompleted:
		s, err = ch.To.Drop(now)
		s.Change.From, s.Change.FromSettled = ch.From, ch.FromSettled
	}
	s.RunAt = now.Add(wait)
	return s, err
}

// lookUpAgain settles a post whose outcome stays unknown for now.
func (c Content) lookUpAgain(f Failure, wait time.Duration, now time.Time) (Settlement, error) {
	ch, err := c.Unknown(f, now)
	return Settlement{Change: ch, Task: TaskWaiting, RunAt: now.Add(wait)}, err
}
