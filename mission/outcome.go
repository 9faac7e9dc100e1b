package mission

import (
	"errors"
	"time"
)

// Outcome is what is known about a part of a post after a call to its platform.
type Outcome string

// The outcomes of sending a part, and of looking it up.
const (
	// OutcomeAccepted: the platform has the part.
	OutcomeAccepted Outcome = "accepted"
	// OutcomeRefused: the platform will never accept the post as it is.
	OutcomeRefused Outcome = "refused"
	// OutcomeNotAccepted: the platform didn't accept the post, and may accept it
	// later.
	OutcomeNotAccepted Outcome = "not_accepted"
	// OutcomeUnknown: the platform may have accepted the post.
	OutcomeUnknown Outcome = "unknown"
	// OutcomeAbsent: a lookup found nothing. The platform doesn't have the part if whatever
	// it accepted is visible by then.
	OutcomeAbsent Outcome = "absent"
	// OutcomeInconclusive: a lookup failed with ErrInconclusive.
	OutcomeInconclusive Outcome = "inconclusive"
	// OutcomeUnknowable: a lookup failed with ErrUnknowable, or a call to send the part
	// again said nothing about the earlier one.
	OutcomeUnknowable Outcome = "unknowable"
)

// PublishError is a publisher's failure, with its outcome for the post. Any
// other error of a publisher counts as OutcomeUnknown.
type PublishError struct {
	Outcome Outcome
	Failure Failure
	// RetryAfter is the wait that the platform requested; 0 if it doesn't say.
	// It applies to all posts of the tenant on the platform.
	RetryAfter time.Duration
	// Unauthorized reports that the platform rejected the credentials, and so
	// accepted nothing. Forbidden reports that they may still be valid for
	// other calls.
	Unauthorized, Forbidden bool
	// FilesGone reports that the platform no longer has a file that was uploaded, and so
	// accepted nothing: it has to be uploaded again, from the zero Upload.
	FilesGone bool
	// Trouble is what of the service's own failed before anything was sent that the platform could accept, so that the
	// attempt doesn't count; "" if nothing did.
	Trouble Trouble
	// Param is the field of ConnectInput that the error of connecting an account is about; "" for the
	// credentials.
	Param string
}

func (e *PublishError) Error() string { return e.Failure.Code + ": " + e.Failure.Message }

// PublishResult is the result of sending a part of a post, or of looking it up.
type PublishResult struct {
	Outcome     Outcome
	Publication Publication // for OutcomeAccepted
	// Failure, RetryAfter and Unauthorized are those of a PublishError.
	Failure      Failure
	RetryAfter   time.Duration
	Unauthorized bool
	// FilesGone and Trouble are those of a PublishError.
	FilesGone bool
	Trouble   Trouble
	// LookedUp reports whether a lookup was completed, whatever it found.
	LookedUp bool
}

// SendResult returns the result of a call that sent a part.
func SendResult(p Publication, err error) PublishResult {
	var pe *PublishError
	switch {
	case err == nil:
		return PublishResult{Outcome: OutcomeAccepted, Publication: p}
	case errors.As(err, &pe):
		return PublishResult{
			Outcome: pe.Outcome, Failure: pe.Failure, RetryAfter: pe.RetryAfter, Unauthorized: pe.Unauthorized, FilesGone: pe.FilesGone, Trouble: pe.Trouble,
		}
	}
	return PublishResult{Outcome: OutcomeUnknown, Failure: NoResponse()}
}

// LookupResult returns the result of a call that looked up a part.
func LookupResult(p Publication, found bool, err error) PublishResult {
	switch {
	case errors.Is(err, ErrUnknowable):
		return PublishResult{Outcome: OutcomeUnknowable}
	case errors.Is(err, ErrInconclusive):
		return PublishResult{Outcome: OutcomeInconclusive, LookedUp: true}
	case err != nil:
		r := SendResult(p, err)
		r.Outcome = OutcomeUnknown // a refused lookup says nothing about the post
		return r
	case found:
		return PublishResult{Outcome: OutcomeAccepted, Publication: p, LookedUp: true}
	}
	return PublishResult{Outcome: OutcomeAbsent, LookedUp: true}
}

// spends reports whether the result uses up an attempt. A completed lookup, a pause
// that the platform requested, credentials that it rejects, and trouble of the service's own don't.
func (r PublishResult) spends() bool {
	return !r.Unauthorized && r.Trouble == "" && (r.Outcome == OutcomeUnknown || r.Outcome == OutcomeNotAccepted && r.RetryAfter == 0)
}

// wait returns the wait before the next attempt, at least the given one.
func (r PublishResult) wait(least time.Duration) time.Duration {
	if r.Unauthorized {
		return unauthorizedWait
	}
	return max(least, r.RetryAfter)
}
