package mission

import (
	"fmt"
	"slices"
	"time"
)

// ContentSituation is what the reasons of a post follow from.
type ContentSituation struct {
	Content Content
	Mission Mission
	// Job is the job that made the post; nil if a person did.
	Job *Job
	// Task is the task that publishes the post, or its first comment; nil if there is none.
	Task    *Task
	Stops   Stops
	Account AccountState
	// Excluded is what keeps the post from going out at the moment, whoever wrote it: an excluded topic
	// or a banned word that it has, or a fact that doesn't hold any more; "" for nothing.
	Excluded string
	// Price is the most that publishing what is left of the post costs.
	Price Micros
	Now   time.Time
}

// contentChecks find the reasons of a post, in the order in which they are listed: what came to an
// end, what stops it, what a person has to do, and what is waited for.
var contentChecks = []func(ContentSituation) []Reason{
	ContentSituation.ended,
	ContentSituation.stopped,
	ContentSituation.reviewed,
	ContentSituation.excluded,
	ContentSituation.throughAccount,
	ContentSituation.paid,
	ContentSituation.underWay,
	ContentSituation.scheduled,
	ContentSituation.repeats,
}

// WhyContent returns why a post hasn't gone out, and what can be done. Every post has a reason.
func WhyContent(s ContentSituation) Why {
	var reasons []Reason
	for _, check := range contentChecks {
		reasons = append(reasons, check(s)...)
	}
	return newWhy(string(s.Content.Status), reasons)
}

// open reports whether the post, or the first comment of a published one, is still to go out.
func (s ContentSituation) open() bool { return !s.Content.Commenting().Settled() }

// waits reports whether the platform is not being called for the post.
func (s ContentSituation) waits() bool { return s.open() && !s.Content.Commenting().inFlight() }

// because returns a reason with the remedies that the states of the post and its mission allow,
// and of those that aren't actions on it all.
func (s ContentSituation) because(code ReasonCode, message string, remedies ...Remedy) Reason {
	allowed := s.Content.AllowedActions(s.Mission.Status)
	return because(code, message, slices.DeleteFunc(remedies, func(r Remedy) bool {
		if r == RemedyCreate {
			return s.Mission.CheckTakesContent() != nil
		}
		return slices.Contains(allContentActions(), ContentAction(r)) && !slices.Contains(allowed, ContentAction(r))
	})...)
}

// ended returns the reasons of a post that doesn't change any more by itself.
func (s ContentSituation) ended() []Reason {
	c, again := s.Content, []Remedy{RemedyReopen, RemedyEdit, RemedyRegenerate}
	switch c.Status {
	case ContentPublished:
		r := s.because(ReasonPublished, "It is published.").since(c.PublishedAt)
		return append([]Reason{r}, s.comment()...)
	case ContentRejected:
		r := s.because(ReasonRejected, "It was rejected.", again...).since(c.ReviewedAt)
		if c.RejectionReason != nil {
			r.Message = fmt.Sprintf("It was rejected with the reason %q.", *c.RejectionReason)
		}
		return []Reason{r}
	case ContentExpired:
		return []Reason{s.because(ReasonExpired, "Nobody approved it in time.", RemedyReopen, RemedyCreate).since(&c.UpdatedAt)}
	case ContentCanceled:
		r := s.because(ReasonCanceled, "It was canceled.", append(s.cures(c.Error), RemedyReopen, RemedyCreate)...).since(&c.UpdatedAt)
		if c.Error != nil && c.Error.Code == CodeCanceled {
			r.Failure = c.Error
			return []Reason{r}
		}
		return []Reason{r.failing(c.Error)}
	case ContentFailed:
		return []Reason{s.because(ReasonFailed, "It could not be published.", append(s.cures(c.Error), again...)...).since(&c.UpdatedAt).failing(c.Error)}
	default:
		if c.AwaitsPerson() {
			return []Reason{s.because(ReasonUnknown, "A person has to say what became of it.", RemedySettle).since(c.CalledAt).failing(c.Error)}
		}
		return nil
	}
}

// cures returns what helps against a failure, beside the actions on the post.
func (ContentSituation) cures(f *Failure) []Remedy {
	if f == nil {
		return nil
	}
	return slices.Clone(cures[f.Code])
}

// commentWords are the states of the first comment of a published post, in words.
var commentWords = map[CommentStatus]string{
	CommentWaiting: "Its first comment is still to be sent.", CommentPublishing: "Its first comment is being sent.",
	CommentUnknown: "The platform never responded about its first comment, and is asked.", CommentFailed: "Its first comment was not sent.",
}

// comment returns the reason of the first comment of a published post, if it isn't published too.
func (s ContentSituation) comment() []Reason {
	n := s.Content.Comment
	if n == nil || n.Status == CommentPublished {
		return nil
	}
	remedies := []Remedy{RemedyWait}
	if n.Status == CommentFailed {
		remedies = s.cures(n.Error)
	}
	return []Reason{s.because(ReasonComment, commentWords[n.Status], remedies...).until(s.runs()).failing(n.Error)}
}

func (s ContentSituation) stopped() []Reason {
	switch {
	case !s.open():
		return nil
	case s.Mission.Status == StatusCompleted && !s.waits(): // its outcome is still found out
		return s.Stops.reasons(s.Mission)
	}
	return append(s.Stops.reasons(s.Mission), s.Mission.stateReasons()...)
}

// reviewed returns the reason of a post that waits for review.
func (s ContentSituation) reviewed() []Reason {
	c := s.Content
	if c.Status != ContentPendingReview {
		return nil
	}
	remedies := []Remedy{RemedyReject, RemedyEdit, RemedyRegenerate}
	if s.Excluded == "" {
		remedies = append(remedies, RemedyApprove)
	}
	if s.Mission.Status != StatusActive || c.ExpiresAt == nil { // the time moves in a pause
		return []Reason{s.because(ReasonReview, "It waits for review.", remedies...)}
	}
	return []Reason{s.because(ReasonReview, "It waits for review until "+s.Mission.said(*c.ExpiresAt)+".", remedies...).until(c.ExpiresAt)}
}

func (s ContentSituation) excluded() []Reason {
	if s.Excluded == "" || !s.waits() {
		return nil
	}
	return []Reason{s.because(ReasonExcluded, s.Excluded, RemedyEdit, RemedyRegenerate, RemedyExclusions)}
}

// throughAccount returns what keeps the post from its account. A pause that ends before the
// post's time is none, and neither is anything for what is in flight to the sandbox.
func (s ContentSituation) throughAccount() []Reason {
	c := s.Content.Commenting()
	if !s.open() || c.inFlight() && c.IntegrationID == "" {
		return nil
	}
	a := s.Account
	if s.waits() && a.PausedUntil != nil && c.ScheduledAt != nil && !a.PausedUntil.After(*c.ScheduledAt) {
		a.PausedUntil = nil
	}
	return a.reasons(s.Mission, s.Now)
}

func (s ContentSituation) paid() []Reason {
	if !s.waits() || s.Price == 0 || s.Mission.Affords(s.Price) {
		return nil
	}
	return []Reason{s.because(ReasonBudget, "What is left of the mission's budget doesn't pay for it.", RemedyBudget)}
}

// runs returns when the post's task runs next; nil if that isn't known, or at once.
func (s ContentSituation) runs() *time.Time {
	if s.Task == nil || s.Task.State != TaskWaiting || !s.Task.RunAt.After(s.Now) {
		return nil
	}
	return &s.Task.RunAt
}

// underWay returns the reason of a post whose platform is called, or asked about it.
func (s ContentSituation) underWay() []Reason {
	switch {
	case s.Content.Settled():
		return nil
	case s.Content.Status == ContentPublishing:
		return []Reason{s.because(ReasonPublishing, "It is being published.", RemedyWait).since(s.Content.CalledAt)}
	case s.Content.Status == ContentUnknown:
		r := s.because(ReasonLookup, "The platform is asked whether it has the post.", RemedySettle, RemedyWait)
		return []Reason{r.since(s.Content.CalledAt).until(s.runs()).failing(s.Content.Error)}
	}
	return nil
}

// scheduled returns what an approved post waits for.
func (s ContentSituation) scheduled() []Reason {
	c, m := s.Content, s.Mission
	switch {
	case c.Status == ContentApproved && s.Job != nil && s.Job.Status == RunFailed:
		return []Reason{s.because(ReasonJobFailed, "The job that made it failed.", RemedyRetry, RemedyReschedule, RemedyCancel).failing(s.Job.Error)}
	case c.Status == ContentApproved:
		return []Reason{s.because(ReasonWriting, "It is scheduled once the other posts of its day are written.", RemedyWait, RemedyReschedule, RemedyCancel)}
	case c.Status != ContentScheduled:
		return nil
	case c.ScheduledAt != nil && c.ScheduledAt.After(s.Now):
		r := s.because(ReasonSlot, "It goes out on "+m.said(*c.ScheduledAt)+".", RemedyWait, RemedyReschedule, RemedyCancel)
		return []Reason{r.until(c.ScheduledAt)}
	case s.runs() != nil && c.uploading():
		return []Reason{s.because(ReasonUploading, "The platform is working on its files.", RemedyWait).until(s.runs())}
	case s.runs() != nil && s.Task.Attempt > 0:
		return []Reason{s.because(ReasonRetry, "An attempt failed; the next is on "+m.said(*s.runs())+".", RemedyWait, RemedyReschedule, RemedyCancel).until(s.runs())}
	}
	return []Reason{s.because(ReasonDue, "Its time has come, and it is next in line.", RemedyWait).since(c.ScheduledAt)}
}

// repeats returns the reason why there is a post that repeats another, until it has gone out.
func (s ContentSituation) repeats() []Reason {
	if s.Content.Repeats == "" || s.Content.Settled() {
		return nil
	}
	return []Reason{s.because(ReasonRepeats, "It repeats the post "+s.Content.Repeats+", which did better than most.", RemedyEdit, RemedyReject, RemedyCancel)}
}

// uploading reports whether the upload of a file of the post has begun, and hasn't ended.
func (c Content) uploading() bool {
	return slices.ContainsFunc(c.Uploads, func(u Upload) bool { return u.BegunAt != nil && u.State != UploadReady })
}
