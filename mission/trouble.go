package mission

import (
	"fmt"
	"time"
)

// Trouble is a part of the service's own that keeps a task from being done, whatever the outside would do.
type Trouble string

// The troubles.
const (
	// TroubleFiles: the store of files doesn't respond.
	TroubleFiles Trouble = "files"
	// TroubleSecrets: stored credentials can't be decrypted with the keys that the process has.
	TroubleSecrets Trouble = "secrets"
	// TroubleDatabase: the database doesn't respond.
	TroubleDatabase Trouble = "database"
	// TroubleWorker: the process that ran the task lost its queue, or had no time for a call.
	TroubleWorker Trouble = "worker"
	// TroubleInternal: a mistake in the program.
	TroubleInternal Trouble = "internal"
)

// AllTroubles lists the troubles.
func AllTroubles() []Trouble {
	return []Trouble{TroubleFiles, TroubleSecrets, TroubleDatabase, TroubleWorker, TroubleInternal}
}

// troubles are the troubles in words, for people.
var troubles = map[Trouble]string{
	TroubleFiles:    "The service can't read its files at the moment.",
	TroubleSecrets:  "The service can't read the account's credentials.",
	TroubleDatabase: "The service's database didn't respond.",
	TroubleWorker:   "The service was interrupted.",
	TroubleInternal: "Something went wrong on our side.",
}

// TroubleError is an error of something of the service's own.
type TroubleError struct {
	By  Trouble
	Err error
}

func (e *TroubleError) Error() string { return fmt.Sprintf("trouble with %s: %v", e.By, e.Err) }
func (e *TroubleError) Unwrap() error { return e.Err }

// Codes of posts that trouble of the service's own kept from being published.
const (
	// CodeFileMissing is that of a file whose bytes are gone for good, or are others.
	CodeFileMissing = "file_missing"
	// CodeCredentialsUnread is that of TroubleSecrets.
	CodeCredentialsUnread = "credentials_unreadable"
)

// FileMissing returns the error for a file of a post whose bytes are gone for good, or are others than those that the
// post's revision names.
func FileMissing() *PublishError {
	return &PublishError{Outcome: OutcomeRefused, Failure: Failure{
		Code:    CodeFileMissing,
		Message: "The bytes of a file of the post are missing from the service's store of files: give the post another file, or none.",
	}}
}

// FileUnread returns the error for a file of a post that can't be read at the moment.
func FileUnread() *PublishError {
	return &PublishError{
		Outcome: OutcomeNotAccepted, Trouble: TroubleFiles, Failure: Failure{Code: CodeFileUnread, Message: "A file of the post could not be read."},
	}
}

// CredentialsUnread returns the error for an account whose stored credentials can't be decrypted.
func CredentialsUnread() *PublishError {
	return &PublishError{Outcome: OutcomeNotAccepted, Trouble: TroubleSecrets, Failure: Failure{
		Code: CodeCredentialsUnread, Message: "The account's stored credentials can't be read: connect the account again.",
	}}
}

// InternalFailure returns the failure of what a mistake in the program kept from being done.
func InternalFailure() Failure {
	return Failure{Code: string(CodeInternal), Message: "Something went wrong on our side."}
}

const (
	// TroubleLimit is how long a task is tried again for trouble that has lasted so long, without an attempt being
	// counted. Afterwards each counts.
	TroubleLimit = 24 * time.Hour
	// troublePatience is how long a post waits at least for trouble to end.
	troublePatience = time.Hour
	// leastTroublePause and mostTroublePause bound the pauses between attempts to send a post in trouble.
	leastTroublePause = 5 * time.Second
	mostTroublePause  = 5 * time.Minute
)

// LateTask is how long after its time a task is late, in real time: no worker of the service has claimed it.
const LateTask = 2 * time.Minute

// inTrouble reports whether something of the service's own keeps the task from being done at now. It is late after so long
// in domain time; 0: never.
func (t *Task) inTrouble(now time.Time, late time.Duration) bool {
	switch {
	case t == nil:
		return false
	case t.Trouble != "":
		return true
	}
	return late > 0 && t.State == TaskWaiting && now.Sub(t.RunAt) > late
}

// unclaimed returns the reason of a task that is late.
func (t *Task) unclaimed(remedies ...Remedy) []Reason {
	message := "What is to be done is due, but no worker of the service has been free for it: it goes on as soon as one is."
	return []Reason{because(ReasonTrouble, message, append(remedies, RemedyWait)...).since(&t.RunAt)}
}

// TroublePause returns the pause before a post is tried again whose trouble has lasted for a while: as long again, within
// bounds.
func TroublePause(lasted time.Duration) time.Duration {
	return min(max(lasted, leastTroublePause), mostTroublePause)
}

// TroubleEnds returns until when the post is tried again in trouble since an instant: for as long as the window of its
// cycle lasts, and an hour at least. A post whose platform may have it is tried for as long as it is looked up.
func (c Content) TroubleEnds(since, windowEnd time.Time) time.Time {
	end := since.Add(troublePatience)
	if c.inFlight() && c.CalledAt != nil {
		end = c.CalledAt.Add(lookupLimit)
	}
	if windowEnd.After(end) {
		return windowEnd
	}
	return end
}

// Failure returns the failure of a post that the trouble kept from being published.
func (t Trouble) Failure() Failure {
	switch t {
	case TroubleFiles:
		return FileUnread().Failure
	case TroubleSecrets:
		return CredentialsUnread().Failure
	default:
		return InternalFailure()
	}
}

// TroubleOver returns the failure of a post that isn't tried any more, since trouble of the service's own lasts.
func (c Content) TroubleOver(why Failure) Failure {
	if c.inFlight() {
		return UnknownOutcome()
	}
	return c.FinalFailure(why)
}

// TroubledSince returns since when the task has been in a trouble at now.
func (t Task) TroubledSince(by Trouble, now time.Time) time.Time {
	if t.Trouble == by && t.TroubleSince != nil {
		return *t.TroubleSince
	}
	return now
}

// TroubleLasts reports whether the task has been in a trouble for longer than TroubleLimit at now.
func (t Task) TroubleLasts(by Trouble, now time.Time) bool {
	return now.Sub(t.TroubledSince(by, now)) > TroubleLimit
}

// troubled returns the reason of a task that met trouble. until is when it is given up; nil if that
// isn't known.
func (m Mission) troubled(t *Task, now time.Time, until *time.Time, remedies ...Remedy) []Reason {
	message := troubles[t.Trouble] + " It is tried again by itself."
	if until != nil && until.After(now) {
		message = fmt.Sprintf("%s It is tried again by itself until %s.", troubles[t.Trouble], m.said(*until))
	}
	if t.Trouble == TroubleSecrets {
		remedies = append(remedies, RemedyReconnect)
	}
	return []Reason{because(ReasonTrouble, message, append(remedies, RemedyWait)...).since(t.TroubleSince).until(until)}
}
