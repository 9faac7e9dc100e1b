package mission

import "time"

// A restored database knows nothing of what happened between its backup and the moment at
// which it is reconciled: posts whose slots lie before that moment may be on their
// platforms.

// Restore is the time span of which a restored database knows nothing: from the
// moment of its backup to the moment at which it was reconciled.
type Restore struct {
	Backup     time.Time `json:"backup"`
	Reconciled time.Time `json:"reconciled"`
}

// Reconcile settles an unsettled post of a restored database whose slot has passed: its
// platform is asked whether it has the post, since its slot or, if that is later, since
// the backup. The outcome of a post on an account that can't be asked, as l says, stays
// unknown, for a person to look at it. integrationID is that of a post that wasn't sent
// before the backup. Errors: conflict.
func (c Content) Reconcile(integrationID string, l Lookup, backup, now time.Time) (Settlement, error) {
	if c.Status != ContentScheduled && !c.inFlight() {
		return Settlement{}, c.refuse("reconciled")
	}
	if l.Kind == LookupNone {
		return settled(c.Fail(UnknownOutcome(), now))
	}
	ch, f := c.move(ContentUnknown, now), NoResponse()
	ch.To.Error, ch.To.Unconfirmed = &f, true
	s := Settlement{Task: TaskWaiting, RunAt: now}
	if c.Status == ContentScheduled {
		s.Unpaid = UnknownOutcome() // else it is reserved already
		ch.To.IntegrationID = integrationID
	}
	if c.CalledAt == nil {
		since := *c.ScheduledAt
		if since.Before(backup) {
			since = backup
		}
		ch.To.CalledAt = &since
	}
	s.Change = ch
	return s, nil
}

// Missed returns the failure of an approved post whose slot passed before a restored
// database was reconciled: it may have been published since the backup, or another in its
// place. ok is false for other posts, and for those that a person approved since.
func (c Content) Missed(reconciled time.Time) (why Failure, ok bool) {
	if c.ScheduledAt == nil || c.ScheduledAt.After(reconciled) || c.ReviewedAt != nil && c.ReviewedAt.After(reconciled) {
		return Failure{}, false
	}
	return Failure{
		Code:    CodeOutcomeUnknown,
		Message: "The service was restored from a backup, and the post's time had passed; it may have been published before.",
	}, true
}
