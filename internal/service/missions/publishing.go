package missions

import (
	"context"
	"time"

	"missiond/internal/links"
	"missiond/internal/topic"
	"missiond/mission"
	"missiond/store"
)

// PostPlatform returns the platform of the task's post or reply. Errors: store.ErrLost if it
// was deleted.
func (s *Pipeline) PostPlatform(ctx context.Context, t mission.Task) (mission.Platform, error) {
	if t.Type == mission.TaskReplyAnswer || t.Type == mission.TaskReplyHide {
		r, err := s.store.Reply(ctx, t.TenantID, t.Subject)
		if mission.CodeOf(err) == mission.CodeNotFound {
			return "", store.ErrLost
		}
		return r.Platform, err
	}
	c, err := s.store.Content(ctx, t.TenantID, t.Subject)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return "", store.ErrLost
	}
	return c.Platform, err
}

// Call is the next step for a post.
type Call struct {
	Content mission.Content
	// Via is the integration that publishes the post; nil is the sandbox.
	Via *mission.Integration
	// Ready reports whether the platform is to be called; if not, the post and its
	// task are settled or put back already.
	Ready bool
	// LookUp reports whether the next part was sent before, and has to be looked up
	// first.
	LookUp bool
	// Lookup is how unknown outcomes are found out on the account, in domain time.
	Lookup mission.Lookup
	// Presentation is how the post is presented.
	Presentation mission.Presentation
	// Upload is the file that goes a step further before the post is sent; nil if the platform
	// has all of them.
	Upload *PendingUpload
}

// Late reports whether a call that sends the next part must not begin any more; see
// mission.Content.TooLate.
func (c Call) Late(now time.Time) bool { return !c.LookUp && c.Content.TooLate(c.Lookup, now) }

// lookupOf returns how the outcome of a task's call is found out on an integration's
// account, in domain time.
func (s *core) lookupOf(via *mission.Integration, t mission.TaskType) mission.Lookup {
	of := mission.LookupOf
	if t == mission.TaskContentComment || t == mission.TaskReplyAnswer {
		of = mission.CommentLookupOf
	}
	return of(via).Scaled(s.clock.Domain)
}

// Part returns the part that is sent or looked up next. open opens a file of it.
func (c Call) Part(now time.Time, open func(mission.Content, mission.PostMedia) mission.File) mission.Part {
	p := c.Content.NextPart()
	p.Presentation = c.Presentation
	p.Media = c.Content.PartFiles(p.Index, now, func(m mission.PostMedia) mission.File { return open(c.Content, m) })
	if !c.LookUp {
		if card, ok := cardOf(c.Content); ok {
			p.Media = append(p.Media, mission.PartFile{File: mission.File{PostMedia: card}, Upload: c.Content.UploadOf(card, now)})
		}
	}
	return p
}

// lockedPost is a locked post in a transaction that leases its task.
type lockedPost struct {
	mission.Content

	tx      store.Tx
	task    mission.Task
	mission mission.Mission
	now     time.Time
	// at is what the post's step follows from, as far as it was read; verdict is what at.Excluded is from.
	at      mission.ContentSituation
	verdict mission.Verdict
	// reply is the reply to which the post is an answer; nil if the post isn't an answer.
	reply *mission.Reply
}

// OpenPost returns the next step for the task's post, first comment or answer to a reply, which
// are handled as posts; see mission.Content.Commenting and Answering. What it is follows from the rules by which
// mission.WhyContent says why a post hasn't gone out. A post that was already in flight
// has to be looked up first. A post that isn't ready was put back or settled. The state is committed before the platform
// is called, so that no call is forgotten. A post fails if the budget can't pay its fee,
// or its platform isn't connected. Errors: ErrDone, store.ErrLost.
func (s *Pipeline) OpenPost(ctx context.Context, t mission.Task) (call Call, err error) {
	err = s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		p, err := subjectOf(ctx, tx, m, t, now)
		if err != nil {
			return err
		}
		step, err := p.at.Step(func(f mission.PostFact) error { return s.read(ctx, &p, f) })
		if err == nil {
			call, err = s.take(ctx, p, step)
		}
		call.Presentation = m.Constraints.Presents(p.Platform, languageOf(p.Content))
		return err
	})
	return call, err
}

// read reads a fact that the post's step depends on.
func (s *Pipeline) read(ctx context.Context, p *lockedPost, f mission.PostFact) (err error) {
	switch f {
	case mission.FactStops:
		var stops store.Stops
		stops, err = p.tx.PublishingStops(ctx, p.TenantID, p.Platform, p.IntegrationID)
		if p.at.Account.PausedUntil = stops.Until; stops.Held {
			p.at.Stops.HeldSince = &p.now
		}
	case mission.FactRestore:
		if p.task.Type != mission.TaskContentPublish && p.IntegrationID != "" {
			p.at.Restore, err = p.tx.Restore(ctx)
		}
	case mission.FactExcluded:
		if p.Status == mission.ContentScheduled && p.reply == nil {
			err = s.readExcluded(ctx, p)
		}
	case mission.FactAccount:
		err = s.readIntegration(ctx, p)
	default:
	}
	return err
}

// readIntegration reads the integration of a post; none for what was sent to the sandbox, or is an answer there.
func (s *Pipeline) readIntegration(ctx context.Context, p *lockedPost) error {
	p.at.Account.Platform, p.at.Account.Sandbox = p.Platform, s.sandbox
	if p.IntegrationID != "" || p.Status == mission.ContentScheduled && p.reply == nil {
		found, ok, err := p.tx.PublishingIntegration(ctx, p.TenantID, p.Platform, p.IntegrationID)
		if err != nil {
			return err
		}
		if ok {
			p.at.Account.Integration = &found
		}
	}
	p.at.Lookup = s.lookupOf(p.at.Account.Integration, p.task.Type)
	return nil
}

// take takes a post's step. Errors: ErrDone.
func (s *Pipeline) take(ctx context.Context, p lockedPost, step mission.Step) (Call, error) {
	via := p.at.Account.Integration
	switch step.Act {
	case mission.ActDrop:
		return Call{}, s.dropComment(ctx, p)
	case mission.ActWait:
		return Call{}, p.waitFor(ctx, step)
	case mission.ActReconcile:
		return Call{}, s.reconcile(ctx, p)
	case mission.ActLeaveBlackout:
		return Call{}, s.leaveBlackout(ctx, p)
	case mission.ActCatchUp:
		return Call{}, s.catchUp(ctx, p, *via)
	case mission.ActReview:
		return Call{}, s.reviewExcluded(ctx, p)
	case mission.ActDoubt:
		return Call{}, s.doubt(ctx, p)
	case mission.ActFail:
		return Call{}, s.abandon(ctx, p, step.Failure)
	case mission.ActLookUp:
		return p.lookUp(), nil
	case mission.ActSend:
		if stopped, err := p.stopUnreviewed(ctx); err != nil || stopped {
			return Call{}, err
		}
		return s.begin(ctx, p, via, p.at.Lookup)
	case mission.ActNone:
	}
	return Call{}, ErrDone
}

// waitFor puts a post back until a step's time.
func (p lockedPost) waitFor(ctx context.Context, step mission.Step) error {
	attempts := p.task.Attempt - 1
	if step.Anew {
		attempts = 0
	}
	return p.tx.ReleaseTask(ctx, p.task, step.At, p.now, attempts)
}

// lookUp returns the call that finds out whether the platform has the post.
func (p lockedPost) lookUp() Call {
	call := Call{Content: p.Content, Ready: true, LookUp: true}
	if p.IntegrationID != "" {
		call.Via, call.Lookup = p.at.Account.Integration, p.at.Lookup
	}
	return call
}

// languageOf returns the language that a post seems to be in, or "". The words of its links,
// mentions and tags don't count.
func languageOf(c mission.Content) string {
	return topic.Language(links.Prose(c.Platform, c.FullText()))
}

// wait puts a post back until a time, without counting an attempt.
func (p lockedPost) wait(ctx context.Context, until time.Time) error {
	return p.tx.ReleaseTask(ctx, p.task, until, p.now, p.task.Attempt-1)
}

// doubt puts a post back that is too late to be sent again, so that it is looked up.
func (s *Pipeline) doubt(ctx context.Context, p lockedPost) error {
	n, err := p.Doubt(p.now)
	if err == nil {
		_, err = s.settlePost(ctx, p, n)
	}
	return err
}

// leaveBlackout moves the mission's posts that are late in a blackout to later slots, at the pace
// of the mission. p is one of them.
func (s *Pipeline) leaveBlackout(ctx context.Context, p lockedPost) error {
	return s.moveLate(ctx, p, func(c mission.Content) bool { return p.mission.Late(*c.ScheduledAt, p.now) })
}

// catchUp moves the mission's posts whose slots passed while their integration wasn't
// connected to later slots, at the pace of the mission and never in a burst. p is one of
// them.
func (s *Pipeline) catchUp(ctx context.Context, p lockedPost, via mission.Integration) error {
	return s.moveLate(ctx, p, func(c mission.Content) bool {
		through := c.IntegrationID == via.ID || c.IntegrationID == "" && via.Default
		return c.Platform == p.Platform && through && c.ScheduledAt.Before(*via.ConnectedAt)
	})
}

// moveLate moves those of the mission's scheduled posts that are late, and of which their platforms
// have nothing, to later slots. p is one of them.
func (s *Pipeline) moveLate(ctx context.Context, p lockedPost, isLate func(mission.Content) bool) error {
	j, err := jobOf(ctx, p.tx, p.mission, p.Content)
	if err != nil {
		return err
	}
	posts, err := p.tx.UnsettledContents(ctx, p.MissionID)
	if err != nil {
		return err
	}
	late := only(posts, func(c mission.Content) bool {
		return c.Status == mission.ContentScheduled && !c.MayBePublished() && (c.ID == p.ID || isLate(c))
	})
	return s.relocate(ctx, p.tx, p.mission, j.Brief.Constraints, p.mission.Room(j, len(late), p.now), posts, late, p.task, p.now)
}
