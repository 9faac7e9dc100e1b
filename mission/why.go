package mission

import (
	"fmt"
	"slices"
	"time"
)

// ReasonCode is why a post hasn't gone out, or a mission doesn't publish.
type ReasonCode string

// The reasons.
const (
	ReasonDraft         ReasonCode = "mission_draft"
	ReasonPaused        ReasonCode = "mission_paused"
	ReasonCompleted     ReasonCode = "mission_completed"
	ReasonDeletion      ReasonCode = "tenant_deletion"  // the tenant is to be deleted
	ReasonHeld          ReasonCode = "publishing_held"  // by the service's operator
	ReasonHold          ReasonCode = "tenant_on_hold"   //
	ReasonReview        ReasonCode = "waits_for_review" //
	ReasonExcluded      ReasonCode = "excluded_topic"   // the text mentions one
	ReasonNotConnected  ReasonCode = "not_connected"    // the account
	ReasonReconnect     ReasonCode = "needs_reconnect"  // the platform refuses the account's credentials
	ReasonPlatformPause ReasonCode = "platform_pause"   // the platform wants no calls
	ReasonBudget        ReasonCode = "budget_used_up"   //
	ReasonJobFailed     ReasonCode = "job_failed"       //
	ReasonPostsMissing  ReasonCode = "posts_missing"    // the latest job left slots empty
	ReasonUnknown       ReasonCode = "outcome_unknown"  // a person has to say what became of posts
	ReasonLookup        ReasonCode = "looked_up"        // the platform never responded and is asked
	ReasonWriting       ReasonCode = "posts_written"    // the posts of the cycle are being written
	ReasonSlot          ReasonCode = "waits_for_slot"   //
	ReasonRetry         ReasonCode = "waits_for_retry"  // an attempt failed
	ReasonUploading     ReasonCode = "files_uploaded"   // the platform is being sent the files
	ReasonDue           ReasonCode = "due"              // it is next in line
	ReasonPublishing    ReasonCode = "publishing"       //
	ReasonPublished     ReasonCode = "published"        //
	ReasonComment       ReasonCode = "first_comment"    // of a published post
	ReasonRejected      ReasonCode = "rejected"         //
	ReasonExpired       ReasonCode = "expired"          //
	ReasonCanceled      ReasonCode = "canceled"         //
	ReasonFailed        ReasonCode = "failed"           //
	ReasonCycle         ReasonCode = "waits_for_cycle"  // for the next posting day
	ReasonNoCycle       ReasonCode = "no_cycle_left"    // there is no posting day left
	ReasonBlackout      ReasonCode = "blackout"         // the mission is silent
	ReasonRepeats       ReasonCode = "repeats_post"     // why there is the post, whatever it waits for
	ReasonCatchUp       ReasonCode = "catches_up"       // the account was connected after the post's time
	ReasonTrouble       ReasonCode = "service_trouble"  // something of the service's own doesn't work
)

// AllReasonCodes lists the reasons.
func AllReasonCodes() []ReasonCode {
	return []ReasonCode{
		ReasonDraft, ReasonPaused, ReasonCompleted, ReasonDeletion, ReasonHeld, ReasonHold, ReasonReview, ReasonExcluded, ReasonNotConnected,
		ReasonReconnect, ReasonPlatformPause, ReasonBudget, ReasonJobFailed, ReasonPostsMissing, ReasonUnknown, ReasonLookup, ReasonWriting,
		ReasonSlot, ReasonRetry, ReasonUploading, ReasonDue, ReasonPublishing, ReasonPublished, ReasonComment, ReasonRejected, ReasonExpired,
		ReasonCanceled, ReasonFailed, ReasonCycle, ReasonNoCycle, ReasonBlackout, ReasonRepeats, ReasonCatchUp, ReasonTrouble,
	}
}

// Remedy is what a person can do about a reason. Those of ContentAction have its names.
type Remedy string

// The remedies.
const (
	RemedyApprove    = Remedy(ContentApprove)
	RemedyReject     = Remedy(ContentReject)
	RemedyReopen     = Remedy(ContentReopen)
	RemedyEdit       = Remedy(ContentEdit)
	RemedyRegenerate = Remedy(ContentRegenerate)
	RemedyReschedule = Remedy(ContentReschedule)
	RemedyCancel     = Remedy(ContentCancel)
	RemedySettle     = Remedy(ContentSettle)

	RemedyCreate     Remedy = "create"
	RemedyStart      Remedy = "start"
	RemedyResume     Remedy = "resume"
	RemedyRetry      Remedy = "retry"
	RemedyUpdate     Remedy = "update"
	RemedyExtend     Remedy = "extend"
	RemedyBudget     Remedy = "raise_budget"
	RemedyExclusions Remedy = "change_exclusions"
	RemedyPictures   Remedy = "add_pictures"
	RemedyWriter     Remedy = "set_writer"
	RemedyConnect    Remedy = "connect"
	RemedyReconnect  Remedy = "reconnect"
	RemedyRestore    Remedy = "restore_tenant"
	RemedyRelease    Remedy = "release_hold"
	RemedyAnswer     Remedy = "answer"
	RemedyWait       Remedy = "wait"
)

// remedyWords are the remedies in words, in the order in which they are listed.
var remedyWords = []RemedyAction{
	{RemedyApprove, "Approve the post."},
	{RemedyReject, "Reject the post."},
	{RemedyReopen, "Have the post wait for review again."},
	{RemedyEdit, "Edit the post: its new text gets its turn."},
	{RemedyRegenerate, "Have the post written again."},
	{RemedyReschedule, "Move the post to another time."},
	{RemedyCancel, "Cancel the post."},
	{RemedySettle, "Look on the platform, and say where the post is or have it published again."},
	{RemedyAnswer, "Look at the reply, and answer it again."},
	{RemedyCreate, "Make another post with its text."},
	{RemedyStart, "Start the mission."},
	{RemedyResume, "Resume the mission."},
	{RemedyRetry, "Retry the job."},
	{RemedyUpdate, "Change the mission's objectives or constraints."},
	{RemedyExtend, "Have the mission last longer."},
	{RemedyBudget, "Raise the mission's budget."},
	{RemedyExclusions, "Change the excluded topics, or the brand's banned words or facts."},
	{RemedyPictures, "Give the mission more pictures."},
	{RemedyWriter, "Set another key, address or model of your own, or remove yours."},
	{RemedyConnect, "Connect the account."},
	{RemedyReconnect, "Connect the account again."},
	{RemedyRestore, "Take the tenant's deletion back."},
	{RemedyRelease, "Release the tenant's hold."},
	{RemedyWait, "Wait: nothing has to be done."},
}

// AllRemedies lists the remedies.
func AllRemedies() []Remedy {
	all := make([]Remedy, len(remedyWords))
	for i, r := range remedyWords {
		all[i] = r.Code
	}
	return all
}

// RemedyAction is a remedy in words.
type RemedyAction struct {
	Code    Remedy `json:"code" doc:"What can be done, whatever the caller's scopes" example:"approve"`
	Message string `json:"message" doc:"The same for people" example:"Approve the post."`
}

// Reason is a reason, and what can be done about it.
type Reason struct {
	Code    ReasonCode
	Message string // for people
	// Since and Until are from when to when it holds; nil where that isn't known.
	Since, Until *time.Time
	// Failure is what went wrong; nil if nothing did.
	Failure *Failure
	Actions []RemedyAction
}

// Why says why a post or a mission is where it is.
type Why struct {
	// Status is the state of the post or the mission.
	Status string
	// Summary is the first reason, in a sentence.
	Summary string
	// Reasons are all of them: what a person has to do first, then what is waited for.
	Reasons []Reason
}

func newWhy(status string, reasons []Reason) Why {
	w := Why{Status: status, Reasons: reasons}
	if len(reasons) > 0 {
		w.Summary = reasons[0].Message
	}
	return w
}

// because returns a reason with remedies.
func because(code ReasonCode, message string, remedies ...Remedy) Reason {
	r := Reason{Code: code, Message: message, Actions: []RemedyAction{}}
	for _, w := range remedyWords {
		if slices.Contains(remedies, w.Code) {
			r.Actions = append(r.Actions, w)
		}
	}
	return r
}

func (r Reason) until(at *time.Time) Reason {
	r.Until = at
	return r
}

func (r Reason) since(at *time.Time) Reason {
	r.Since = at
	return r
}

// failing returns the reason with what went wrong, in its message too.
func (r Reason) failing(f *Failure) Reason {
	if f != nil {
		r.Failure, r.Message = f, r.Message+" "+f.Message
	}
	return r
}

// said returns an instant for people, in the mission's zone.
func (m Mission) said(at time.Time) string {
	return at.In(m.Constraints.Zone()).Format("2006-01-02 15:04 MST")
}

// Stops are what keeps posts from going out whatever their state; nil for what doesn't.
type Stops struct {
	// DeletesAt is when the tenant is deleted.
	DeletesAt *time.Time
	// HeldSince is since when the service's operator holds all posts.
	HeldSince *time.Time
	// Hold is the tenant's hold, without its reason for those who may not read it.
	Hold *Hold
}

// reasons returns the reasons of the stops, with times in a mission's zone.
func (s Stops) reasons(m Mission) (reasons []Reason) {
	if s.DeletesAt != nil {
		r := because(ReasonDeletion, "The tenant is to be deleted on "+m.said(*s.DeletesAt)+": nothing goes out.", RemedyRestore)
		reasons = append(reasons, r.until(s.DeletesAt))
	}
	if s.HeldSince != nil {
		reasons = append(reasons, because(ReasonHeld, "The service's operator holds all posts.", RemedyWait).since(s.HeldSince))
	}
	if s.Hold != nil {
		why := ""
		if s.Hold.Reason != "" {
			why = " (" + s.Hold.Reason + ")"
		}
		r := because(ReasonHold, "The tenant is on hold"+why+": nothing goes out.", RemedyRelease)
		reasons = append(reasons, r.since(&s.Hold.Since).until(s.Hold.Until))
	}
	return reasons
}

// stateReasons returns the reason that the mission's state is; none if it is active.
func (m Mission) stateReasons() []Reason {
	switch m.Status {
	case StatusDraft:
		if m.StartsAt == nil {
			return []Reason{because(ReasonDraft, "The mission hasn't started.", RemedyStart)}
		}
		return []Reason{because(ReasonDraft, "The mission starts on "+m.said(*m.StartsAt)+".", RemedyStart, RemedyWait).until(m.StartsAt)}
	case StatusPaused:
		if m.Held {
			return []Reason{because(ReasonPaused, "The tenant's hold has paused the mission; the release resumes it.", RemedyWait).since(m.PausedAt)}
		}
		return []Reason{because(ReasonPaused, "The mission is paused.", RemedyResume).since(m.PausedAt)}
	case StatusCompleted:
		return []Reason{because(ReasonCompleted, "The mission is completed.")}
	default:
		return nil
	}
}

// AccountState is the account that posts go out through.
type AccountState struct {
	Platform Platform
	// Integration is nil if there is none.
	Integration *Integration
	// Sandbox reports whether posts without an integration go to the sandbox.
	Sandbox bool
	// PausedUntil is until when the platform wants no calls; nil if it doesn't say.
	PausedUntil *time.Time
}

// reasons returns what keeps posts from going out through the account at now.
func (a AccountState) reasons(m Mission, now time.Time) (reasons []Reason) {
	i, name := a.Integration, a.Platform.Name()
	if i != nil && i.called() != "" {
		name = fmt.Sprintf("%s (%s)", name, i.called())
	}
	switch {
	case i == nil && a.Sandbox, i != nil && i.Usable():
	case i == nil:
		reasons = append(reasons, because(ReasonNotConnected, name+" isn't connected: posts there fail when their time comes.", RemedyConnect))
	case i.Status == IntegrationNeedsReconnect && i.DeletedAt == nil:
		reasons = append(reasons, because(ReasonReconnect, name+" has to be connected again; its posts wait.", RemedyReconnect).failing(i.Error))
	default:
		reasons = append(reasons, because(ReasonNotConnected, name+" isn't connected any more; its posts wait until it is.", RemedyConnect).
			since(i.DeletedAt))
	}
	if a.PausedUntil != nil && a.PausedUntil.After(now) {
		reasons = append(reasons, because(ReasonPlatformPause, name+" wants no calls before "+m.said(*a.PausedUntil)+".", RemedyWait).
			until(a.PausedUntil))
	}
	return reasons
}
