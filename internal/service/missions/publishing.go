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
	stops   store.Stops
	// reply is the reply to which the post is an answer; nil if the post isn't an answer.
	reply *mission.Reply
}

// OpenPost returns the next step for the task's post, first comment or answer to a reply, which
// are handled as posts; see mission.Content.Commenting and Answering. A post that was already in flight
// has to be looked up first. A post that isn't ready was put back, since its slot has
// moved, all posts are held, or its platform can't be called now. The state is committed before the platform
// is called, so that no call is forgotten. A post fails if the budget can't pay its fee,
// or its platform isn't connected. Errors: ErrDone, store.ErrLost.
func (s *Pipeline) OpenPost(ctx context.Context, t mission.Task) (call Call, err error) {
	err = s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		p, err := subjectOf(ctx, tx, m, t, now)
		if err != nil {
			return err
		}
		c, open := p.Content, s.reopen
		switch {
		case c.AwaitsPerson():
			return ErrDone
		case c.Status == mission.ContentPublishing, c.Status == mission.ContentUnknown:
		case c.Status == mission.ContentScheduled && p.reply != nil:
			open = s.prepareAnswer
		case c.Status == mission.ContentScheduled && m.Status == mission.StatusActive:
			open = s.prepare
		case c.Status == mission.ContentScheduled && t.Type == mission.TaskContentComment:
			return s.dropComment(ctx, p)
		default:
			return ErrDone
		}
		if p.stops, err = tx.PublishingStops(ctx, c.TenantID, c.Platform, c.IntegrationID); err != nil {
			return err
		}
		if p.stops.Held {
			return p.wait(ctx, now.Add(holdPoll))
		}
		if done, err := s.restored(ctx, p); err != nil || done {
			return err
		}
		call, err = open(ctx, p)
		call.Presentation = m.Constraints.Presents(c.Platform, languageOf(c))
		return err
	})
	return call, err
}

// languageOf returns the language that a post seems to be in, or "". The words of its links,
// mentions and tags don't count.
func languageOf(c mission.Content) string {
	return topic.Language(links.Prose(c.Platform, c.FullText()))
}

// reopen resumes a post that is in flight. If its integration was disconnected it fails,
// since it can't be found out whether the platform took it.
func (s *Pipeline) reopen(ctx context.Context, p lockedPost) (call Call, err error) {
	call = Call{Content: p.Content, Ready: true, LookUp: true}
	if p.IntegrationID == "" {
		return call, nil
	}
	via, ok, err := p.tx.PublishingIntegration(ctx, p.TenantID, p.Platform, p.IntegrationID)
	if err != nil {
		return Call{}, err
	}
	if !ok || via.DeletedAt != nil {
		return Call{}, s.abandon(ctx, p, mission.Disconnected(p.Platform))
	}
	call.Lookup = s.lookupOf(&via, p.task.Type)
	if p.Undecidable(call.Lookup, p.now) || !via.Usable() && p.LookupsOver(p.now) {
		return Call{}, s.abandon(ctx, p, mission.UnknownOutcome())
	}
	if stopped, err := p.stopped(ctx, &via, call.Lookup); err != nil || stopped {
		return Call{}, err
	}
	call.Via = &via
	return call, nil
}

// holdPoll is how often a post checks whether all posts are still held.
const holdPoll = time.Minute

// reconnectPoll is how often a post checks whether its integration is usable again.
const reconnectPoll = 10 * time.Minute

// wait puts a post back until a time, without counting an attempt.
func (p lockedPost) wait(ctx context.Context, until time.Time) error {
	return p.tx.ReleaseTask(ctx, p.task, until, p.now, p.task.Attempt-1)
}

// stopped puts a post back if its account, which via is unless it is the sandbox's, can't be called
// now: it needs reconnecting, or its platform has requested a pause. It reports whether it did.
func (p lockedPost) stopped(ctx context.Context, via *mission.Integration, lookup mission.Lookup) (bool, error) {
	var until time.Time
	switch {
	case via != nil && !via.Usable():
		until = p.now.Add(reconnectPoll)
	case p.stops.Until != nil && p.stops.Until.After(p.now):
		until = *p.stops.Until
	default:
		return false, nil
	}
	return true, p.wait(ctx, p.LookAgain(lookup, until, p.now))
}

// prepare records that the post's platform is about to be called, if the post is due and
// violates no exclusion, the platform may be called, and the budget can pay the fee. A post
// that its platform may have already, and would take twice by now, is looked up instead.
func (s *Pipeline) prepare(ctx context.Context, p lockedPost) (call Call, err error) {
	if p.ScheduledAt.After(p.now) {
		return Call{}, p.tx.ReleaseTask(ctx, p.task, *p.ScheduledAt, p.now, 0)
	}
	if _, silent := p.mission.BlackoutAt(p.now); silent && !p.MayBePublished() {
		return Call{}, s.leaveBlackout(ctx, p)
	}
	if stopped, err := s.stopExcluded(ctx, p); err != nil || stopped {
		return Call{}, err
	}
	if stopped, err := p.stopUnreviewed(ctx); err != nil || stopped {
		return Call{}, err
	}
	via, ready, err := s.route(ctx, p)
	if err != nil || !ready {
		return Call{}, err
	}
	return s.call(ctx, p, via)
}

// call records that the post's platform is about to be called through an integration; nil is the
// sandbox. A post that is too late to be sent again is put back to be looked up, whether its account
// can be called or not.
func (s *Pipeline) call(ctx context.Context, p lockedPost, via *mission.Integration) (Call, error) {
	lookup := s.lookupOf(via, p.task.Type)
	if p.TooLate(lookup, p.now) {
		return Call{}, s.doubt(ctx, p)
	}
	if stopped, err := p.stopped(ctx, via, lookup); err != nil || stopped {
		return Call{}, err
	}
	return s.begin(ctx, p, via, lookup)
}

// doubt puts a post back that is too late to be sent again, so that it is looked up.
func (s *Pipeline) doubt(ctx context.Context, p lockedPost) error {
	n, err := p.Doubt(p.now)
	if err == nil {
		_, err = s.settlePost(ctx, p, n)
	}
	return err
}

// route returns the integration that publishes a post; nil is the sandbox. If ready is
// false, the post has failed or has moved to a later slot, and its task is settled.
func (s *Pipeline) route(ctx context.Context, p lockedPost) (via *mission.Integration, ready bool, err error) {
	found, ok, err := p.tx.PublishingIntegration(ctx, p.TenantID, p.Platform, p.IntegrationID)
	if err != nil {
		return nil, false, err
	}
	switch {
	case p.MayBePublished() && (p.IntegrationID != found.ID || found.DeletedAt != nil):
		return nil, false, s.abandon(ctx, p, mission.Disconnected(p.Platform))
	case !ok && s.sandbox:
		return nil, true, nil
	case !ok:
		return nil, false, s.abandon(ctx, p, mission.NotConnected(p.Platform))
	case !p.MayBePublished() && found.Usable() && found.ConnectedAt.After(*p.ScheduledAt):
		return nil, false, s.catchUp(ctx, p, found)
	}
	return &found, true, nil
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
