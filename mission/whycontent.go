package mission

import (
	"fmt"
	"slices"
	"time"
)

// ContentSituation is what the step and the reasons of a post follow from.
type ContentSituation struct {
	// Content is the post; an answer to a reply is one by Content.Answering.
	Content Content
	Mission Mission
	// Job is the job that made the post; nil if a person did, or it isn't known.
	Job *Job
	// Task is the task that publishes the post, or its first comment; nil if there is none.
	Task    *Task
	Stops   Stops
	Account AccountState
	// Lookup is how unknown outcomes are found out on the account, in domain time.
	Lookup Lookup
	// Restore is the last restore of the database; nil if there was none.
	Restore *Restore
	// Excluded is what keeps the post from going out at the moment, whoever wrote it: an excluded topic
	// or a banned word that it has, or a fact that doesn't hold any more; zero for nothing.
	Excluded Failure
	// Price is the most that publishing what is left of the post costs. What the budget can't pay fails when it is reserved.
	Price Micros
	// Late is LateTask in domain time; 0 if no task is late.
	Late time.Duration
	Now  time.Time
}

// next is what goes out next: the post, or the first comment of a published one.
func (s ContentSituation) next() Content { return s.Content.Commenting() }

// open reports whether something is still to go out.
func (s ContentSituation) open() bool { return !s.next().Settled() }

// waits reports whether the platform is not being called for the post.
func (s ContentSituation) waits() bool { return s.open() && !s.next().inFlight() }

// scheduled reports whether the post, or its comment, waits for its time or its task.
func (s ContentSituation) scheduled() bool { return s.next().Status == ContentScheduled }

// answer reports whether the post is an answer to a reply, which a person has decided: neither its mission's end nor its
// texts stop it.
func (s ContentSituation) answer() bool { return s.Content.Replying != nil }

// comments reports whether what goes out next is the first comment of a published post.
func (s ContentSituation) comments() bool { return s.Content.PublishedAt != nil }

// because returns a reason with the remedies that the states of the post and its mission allow.
func (s ContentSituation) because(code ReasonCode, message string, remedies ...Remedy) Reason {
	return because(code, message, s.allowed(remedies...)...)
}

// allowed returns those of some remedies that the states of the post and its mission allow, and those that aren't actions
// on it.
func (s ContentSituation) allowed(remedies ...Remedy) []Remedy {
	var allowed []ContentAction
	if !s.answer() {
		allowed = s.Content.AllowedActions(s.Mission.Status)
	}
	return slices.DeleteFunc(remedies, func(r Remedy) bool {
		if r == RemedyCreate {
			return s.Mission.CheckTakesContent() != nil
		}
		if r == RemedyAnswer {
			return !s.answer()
		}
		return slices.Contains(allContentActions(), ContentAction(r)) && !slices.Contains(allowed, ContentAction(r))
	})
}

// ended decides about a post that doesn't change any more by itself.
func (s ContentSituation) ended() (*Step, []Reason) {
	if !s.open() {
		return &Step{}, s.end()
	}
	return nil, s.end()
}

// end returns the reasons of a post that doesn't change any more by itself.
func (s ContentSituation) end() []Reason {
	c, again := s.Content, []Remedy{RemedyAnswer, RemedyReopen, RemedyEdit, RemedyRegenerate}
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
			return []Reason{s.because(ReasonUnknown, "A person has to say what became of it.", RemedySettle, RemedyAnswer).since(c.CalledAt).failing(c.Error)}
		}
		return nil
	}
}

// cures returns what helps against a failure, beside the actions on the post.
func (s ContentSituation) cures(f *Failure) []Remedy {
	if f == nil || s.answer() && f.Code == CodeNoTimeLeft {
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

// reviewed decides about a post that waits for review.
func (s ContentSituation) reviewed() (*Step, []Reason) {
	c := s.Content
	if c.Status != ContentPendingReview {
		return nil, nil
	}
	remedies := []Remedy{RemedyReject, RemedyEdit, RemedyRegenerate}
	if s.Excluded.Code == "" {
		remedies = append(remedies, RemedyApprove)
	}
	if s.Mission.Status != StatusActive || c.ExpiresAt == nil { // the time moves in a pause
		return &Step{}, []Reason{s.because(ReasonReview, "It waits for review.", remedies...)}
	}
	return &Step{}, []Reason{s.because(ReasonReview, "It waits for review until "+s.Mission.said(*c.ExpiresAt)+".", remedies...).until(c.ExpiresAt)}
}

// unscheduled decides about an approved post that has no task yet.
func (s ContentSituation) unscheduled() (*Step, []Reason) {
	if s.Content.Status != ContentApproved {
		return nil, nil
	}
	if s.Job != nil && s.Job.Status == RunFailed {
		return &Step{}, []Reason{s.because(ReasonJobFailed, "The job that made it failed.", RemedyRetry, RemedyReschedule, RemedyCancel).failing(s.Job.Error)}
	}
	return &Step{}, []Reason{s.because(ReasonWriting, "It is scheduled once the other posts of its day are written.", RemedyWait, RemedyReschedule, RemedyCancel)}
}

// outdated decides about an answer that couldn't be sent for too long.
func (s ContentSituation) outdated() (*Step, []Reason) {
	if !s.answer() || !s.scheduled() || s.Now.Before(s.Content.ScheduledAt.Add(AnswerLimit)) {
		return nil, nil
	}
	return failing(s.Content.FinalFailure(AnswerOutdated())), nil
}

// stoppedMission decides about a post whose mission isn't active. Of what is in flight the outcome is found out.
func (s ContentSituation) stoppedMission() (*Step, []Reason) {
	m := s.Mission
	switch {
	case !s.open() || m.Status == StatusActive || m.Status == StatusCompleted && s.answer():
		return nil, nil
	case s.waits() && s.scheduled() && s.comments():
		return &Step{Act: ActDrop}, m.stateReasons()
	case s.waits():
		return &Step{}, m.stateReasons()
	case m.Status == StatusCompleted: // its outcome is still found out
		return nil, nil
	}
	return nil, m.stateReasons()
}

// held decides about a post while all posts are held. The tenant's own hold, and its deletion, stop its missions, and
// answers in missions that have ended.
func (s ContentSituation) held() (*Step, []Reason) {
	if !s.open() {
		return nil, nil
	}
	reasons := s.Stops.reasons(s.Mission)
	if s.Stops.HeldSince != nil || s.answer() && (s.Mission.OnHold || s.Mission.Leaving) {
		return waiting(s.Now.Add(HoldPoll)), reasons
	}
	return nil, reasons
}

// restored decides about a first comment or an answer that may have been sent between the backup and the reconciliation of
// a restored database.
func (s ContentSituation) restored() (*Step, []Reason) {
	c := s.next()
	if !s.scheduled() || !s.answer() && !s.comments() || c.CalledAt != nil || c.IntegrationID == "" {
		return nil, nil
	}
	due := s.Content.PublishedAt
	if s.answer() {
		due = c.ScheduledAt
	}
	if s.Restore == nil || due.After(s.Restore.Reconciled) {
		return nil, nil
	}
	return &Step{Act: ActReconcile}, []Reason{
		s.because(ReasonLookup, "The service was restored from a backup: the platform is asked whether it has it.", RemedyWait).since(&s.Restore.Reconciled),
	}
}

// early decides about a post whose slot is ahead.
func (s ContentSituation) early() (*Step, []Reason) {
	c := s.next()
	if !s.scheduled() || c.ScheduledAt == nil || !c.ScheduledAt.After(s.Now) || s.answer() || s.comments() {
		return nil, nil
	}
	r := s.because(ReasonSlot, "It goes out on "+s.Mission.said(*c.ScheduledAt)+".", RemedyWait, RemedyReschedule, RemedyCancel)
	return &Step{Act: ActWait, At: *c.ScheduledAt, Anew: true}, []Reason{r.until(c.ScheduledAt)}
}

// silent decides about a post whose time comes in a blackout of its mission. One that isn't scheduled yet has a reason if
// it will be canceled for it.
func (s ContentSituation) silent() (*Step, []Reason) {
	c, m, at := s.next(), s.Mission, s.Now
	if !s.waits() || s.answer() || c.MayBePublished() || s.scheduled() && s.ahead() {
		return nil, nil
	}
	if s.ahead() {
		at = *s.Content.ScheduledAt
	}
	b, in := m.BlackoutAt(at)
	if !in {
		return nil, nil
	}
	r := s.because(ReasonBlackout, "The mission has a blackout until "+m.said(b.EndsAt)+": it moves to a later time.",
		RemedyWait, RemedyUpdate)
	ends := m.Status == StatusActive && m.EndsAt != nil && !m.silence().open(at).Before(*m.EndsAt)
	if ends {
		r = s.because(ReasonBlackout, "The mission has a blackout from "+m.said(b.StartsAt)+" until "+m.said(b.EndsAt)+
			" and ends on "+m.said(*m.EndsAt)+": no time is left for the post.", RemedyUpdate, RemedyExtend)
	}
	r = r.since(&b.StartsAt).until(&b.EndsAt)
	switch {
	case s.scheduled():
		return &Step{Act: ActLeaveBlackout}, []Reason{r}
	case ends:
		return nil, []Reason{r}
	}
	return nil, nil
}

// ahead reports whether the post's time is still to come.
func (s ContentSituation) ahead() bool {
	return s.Content.ScheduledAt != nil && s.Content.ScheduledAt.After(s.Now)
}

// excluded decides about a post whose text doesn't keep to the brand's rules any more.
func (s ContentSituation) excluded() (*Step, []Reason) {
	if s.Excluded.Code == "" || !s.waits() || s.answer() {
		return nil, nil
	}
	reasons := []Reason{s.because(ReasonExcluded, s.Excluded.Message, RemedyEdit, RemedyRegenerate, RemedyExclusions)}
	if s.next().MayBePublished() {
		return failing(s.next().FinalFailure(s.Excluded)), reasons
	}
	return &Step{Act: ActReview}, reasons
}

func (s ContentSituation) paid() (*Step, []Reason) {
	if !s.waits() || s.Price == 0 || s.Mission.Affords(s.Price) {
		return nil, nil
	}
	return failing(s.next().FinalFailure(BudgetExhausted())), []Reason{
		s.because(ReasonBudget, "What is left of the mission's budget doesn't pay for it.", RemedyBudget),
	}
}

// troubled returns the reason of a post that trouble of the service's own keeps from going out.
func (s ContentSituation) troubled() (*Step, []Reason) {
	if !s.open() || !s.Task.inTrouble(s.Now, s.Late) {
		return nil, nil
	}
	remedies := s.allowed(RemedyReschedule, RemedyCancel)
	if s.Task.Trouble == "" {
		return nil, s.Task.unclaimed(remedies...)
	}
	c, window := s.next(), s.Mission.JobOf(s.Content).Window
	if s.Job != nil {
		window = s.Job.Window
	}
	ends := c.TroubleEnds(*s.Task.TroubleSince, window.End)
	return nil, s.Mission.troubled(s.Task, s.Now, &ends, remedies...)
}

// runs returns when the post's task runs next; nil if that isn't known, or at once.
func (s ContentSituation) runs() *time.Time {
	if s.Task == nil || s.Task.State != TaskWaiting || !s.Task.RunAt.After(s.Now) {
		return nil
	}
	return &s.Task.RunAt
}

// underWay decides about a post whose platform is called, or asked about it.
func (s ContentSituation) underWay() (*Step, []Reason) {
	var reasons []Reason
	switch c := s.Content; {
	case c.Settled():
	case c.Status == ContentPublishing:
		reasons = []Reason{s.because(ReasonPublishing, "It is being published.", RemedyWait).since(c.CalledAt)}
	case c.Status == ContentUnknown:
		r := s.because(ReasonLookup, "The platform is asked whether it has it.", RemedySettle, RemedyWait)
		reasons = []Reason{r.since(c.CalledAt).until(s.runs()).failing(c.Error)}
	}
	if s.next().inFlight() {
		return &Step{Act: ActLookUp}, reasons
	}
	return nil, reasons
}

// due returns what a post waits for whose time has come.
func (s ContentSituation) due() (*Step, []Reason) {
	c, m := s.Content, s.Mission
	switch {
	case c.Status != ContentScheduled || s.ahead() || s.Task.inTrouble(s.Now, s.Late):
		return nil, nil
	case s.runs() != nil && c.uploading():
		return nil, []Reason{s.because(ReasonUploading, "The platform is working on its files.", RemedyWait).until(s.runs())}
	case s.runs() != nil && s.Task.Attempt > 0:
		r := s.because(ReasonRetry, "An attempt failed; the next is on "+m.said(*s.runs())+".", RemedyWait, RemedyReschedule, RemedyCancel)
		return nil, []Reason{r.until(s.runs())}
	}
	return nil, []Reason{s.because(ReasonDue, "Its time has come, and it is next in line.", RemedyWait).since(c.ScheduledAt)}
}

// repeats returns the reason why there is a post that repeats another, until it has gone out.
func (s ContentSituation) repeats() (*Step, []Reason) {
	if s.Content.Repeats == "" || s.Content.Settled() {
		return nil, nil
	}
	return nil, []Reason{s.because(ReasonRepeats, "It repeats the post "+s.Content.Repeats+", which did better than most.", RemedyEdit, RemedyReject, RemedyCancel)}
}

// uploading reports whether the upload of a file of the post has begun, and hasn't ended.
func (c Content) uploading() bool {
	return slices.ContainsFunc(c.Uploads, func(u Upload) bool { return u.BegunAt != nil && u.State != UploadReady })
}
