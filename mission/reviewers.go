package mission

import (
	"fmt"
	"slices"
	"time"
)

// MaxReviewers bounds the reviewers of a mission.
const MaxReviewers = 20

// reviewGathering is how long posts that begin to wait for review are gathered, so that people
// are told of them together.
const reviewGathering = 10 * time.Minute

// TellAt returns when the task TaskReviewTell of a mission is due because of an event at now; ok
// is false if the event is nothing that reviewers are told of.
func (t EventType) TellAt(now time.Time) (at time.Time, ok bool) {
	switch t {
	case EventReviewRequested:
		return now.Add(reviewGathering), true
	case EventContentExpiring:
		return now, true
	default:
		return now, false
	}
}

// Waiting is what of a mission waits for review.
type Waiting struct {
	// Posts is how many there are, Expiring how many of them are about to expire.
	Posts, Expiring int
	// Until is when the first expires; nil if none does.
	Until *time.Time
}

// NotifyWaiting returns the notification about a mission's posts that wait for review.
func (m Mission) NotifyWaiting(id string, w Waiting, now time.Time) Notification {
	n := Notification{ID: id, TenantID: m.TenantID, SubjectID: m.ID, CreatedAt: now, Kind: NotifyReviewWaiting}
	wait := "wait"
	if w.Posts == 1 {
		wait = "waits"
	}
	n.Message = fmt.Sprintf("%s of the mission %q %s for review.", Counted(w.Posts, "post"), m.Name, wait)
	if w.Until != nil {
		until := w.Until.In(m.Constraints.Zone()).Format("Monday, 2 January 15:04 MST")
		n.Message += fmt.Sprintf(" Without a decision the first expires on %s.", until)
	}
	if w.Expiring > 0 {
		n.Message = "Reminder: " + n.Message
	}
	return n
}

// checkReviewers checks the form of the ids of a mission's reviewers.
func checkReviewers(ids []string) (found Problems) {
	if len(ids) > MaxReviewers {
		return Problems{Invalid("reviewers", "At most %d reviewers are allowed.", MaxReviewers)}
	}
	for i, id := range ids {
		param := fmt.Sprintf("reviewers[%d]", i)
		switch {
		case !HasIDForm(PrefixUser, id):
			found.add(Invalid(param, "Invalid id %q: it must begin with %s.", id, PrefixUser))
		case slices.Contains(ids[:i], id):
			found.add(Invalid(param, "%s is named twice.", id))
		}
	}
	return found
}

// CheckReviewers checks a mission's reviewers; members has those that are members of the tenant.
func CheckReviewers(ids []string, members map[string]User) (problems Problems) {
	for i, id := range ids {
		param := fmt.Sprintf("reviewers[%d]", i)
		switch u, ok := members[id]; {
		case !ok && HasIDForm(PrefixUser, id):
			problems.add(Invalid(param, "No such member: %s.", id))
		case ok && !u.MayReview():
			problems.add(Invalid(param, "%s may not approve posts: the role %s only reads.", id, u.Role))
		}
	}
	return problems
}

// MayReview reports whether the user's role lets it approve and reject posts.
func (u User) MayReview() bool { return slices.Contains(u.Role.Scopes(), ScopeContentWrite) }

// CheckReviewer returns an error unless a caller may approve and reject the mission's posts as
// far as its reviewers are concerned. Errors: forbidden.
func (m Mission) CheckReviewer(p Principal) error {
	if !m.ReviewersOnly || !p.Agent && slices.Contains(m.Reviewers, p.UserID) {
		return nil
	}
	return &Error{Code: CodeForbidden, Message: "Only the mission's reviewers may approve and reject its posts."}
}
