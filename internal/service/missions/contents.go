package missions

import (
	"context"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const contentNoun = "content"

// Contents returns a page of the tenant's posts, newest first. Errors: invalid_request, naming the field.
func (s *API) Contents(
	ctx context.Context, p mission.Principal, f store.ContentFilter, page store.Page,
) (listed store.Listed[mission.Content], err error) {
	if err := page.Check(mission.PrefixContent, "post"); err != nil {
		return listed, err
	}
	return s.db.Contents(ctx, p.TenantID, f, page)
}

// CountContents returns how many of the tenant's posts match a filter.
func (s *API) CountContents(ctx context.Context, p mission.Principal, f store.ContentFilter) (int, error) {
	return s.db.CountContents(ctx, p.TenantID, f)
}

// Content returns a post that the caller reaches. Errors: not_found.
func (s *API) Content(ctx context.Context, p mission.Principal, id string) (mission.Content, error) {
	if !mission.HasIDForm(mission.PrefixContent, id) {
		return mission.Content{}, mission.NotFound(contentNoun, id)
	}
	c, err := s.db.Content(ctx, p.TenantID, id)
	if err == nil && !p.Reaches(c.MissionID) {
		return mission.Content{}, mission.NotFound(contentNoun, id)
	}
	return c, err
}

// Revisions returns a page of the texts that a post had, the current one first. Errors:
// not_found.
func (s *API) Revisions(ctx context.Context, p mission.Principal, id string, page store.TextPage) ([]mission.Revision, error) {
	c, err := s.Content(ctx, p, id)
	if err != nil {
		return nil, err
	}
	older, err := s.db.RevisionsOf(ctx, p.TenantID, []string{id}, page)
	return page.Of(c.History(older[id])), err
}

// opened is a post that is locked for a change, with its mission and job.
type opened struct {
	mission mission.Mission
	job     mission.Job
	content mission.Content
	now     time.Time
}

// open locks a post, its mission and its job. Errors: not_found; conflict if the
// mission is completed.
func (s *API) open(ctx context.Context, tx store.Tx, p mission.Principal, missionID, id string) (o opened, err error) {
	o.now = s.clock.Now()
	o.mission, err = tx.LockMission(ctx, p.TenantID, missionID)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return o, mission.NotFound(contentNoun, id) // it was deleted with its mission
	}
	if err != nil {
		return o, err
	}
	if o.content, err = tx.LockContent(ctx, p.TenantID, id); err != nil {
		return o, err
	}
	if err := reviewing(o.mission); err != nil {
		return o, err
	}
	o.job, err = jobOf(ctx, tx, o.mission, o.content)
	return o, err
}

// jobOf locks a post's job and returns it; for a person's post it returns what takes its
// place.
func jobOf(ctx context.Context, tx store.Tx, m mission.Mission, c mission.Content) (mission.Job, error) {
	if c.JobID == "" {
		return m.JobOf(c), nil
	}
	return tx.LockJob(ctx, m.TenantID, c.JobID)
}

// reviewing returns an error if a mission's posts can't be reviewed any more.
// Errors: conflict.
func reviewing(m mission.Mission) error {
	if m.Status == mission.StatusCompleted {
		return mission.Conflict("The post's mission is completed.")
	}
	return nil
}

// changePost runs fn in a transaction that locks a post of the tenant's with its
// mission and job, and returns the post as fn left it.
func (s *API) changePost(
	ctx context.Context, p mission.Principal, id string, fn func(tx store.Tx, o opened) error,
) (c mission.Content, err error) {
	found, err := s.Content(ctx, p, id)
	if err != nil {
		return c, err
	}
	return s.changeFound(ctx, p, found, fn)
}

// changeFound is changePost for a post that was read before.
func (s *API) changeFound(
	ctx context.Context, p mission.Principal, found mission.Content, fn func(tx store.Tx, o opened) error,
) (c mission.Content, err error) {
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (mission.Content, error) {
		o, err := s.open(ctx, tx, p, found.MissionID, found.ID)
		if err != nil {
			return c, err
		}
		if err := fn(tx, o); err != nil {
			return c, err
		}
		return tx.LockContent(ctx, p.TenantID, found.ID)
	})
}

// ApproveContent approves a post that waits for review. It is published at its
// slot, or at the next free one if that has passed. revision, if not nil, is the
// revision that was reviewed. Errors: not_found; conflict, also if the text
// mentions a topic that is excluded by now.
func (s *API) ApproveContent(ctx context.Context, p mission.Principal, id string, revision *int) (mission.Content, error) {
	return s.changePost(ctx, p, id, func(tx store.Tx, o opened) error {
		return s.approve(ctx, tx, p, o, revision)
	})
}

func (s *API) approve(ctx context.Context, tx store.Tx, p mission.Principal, o opened, revision *int) error {
	link, err := useLink(ctx, tx, p, mission.OpContentApprove, o.now)
	if err != nil {
		return err
	}
	if err := o.mission.CheckApprover(p, o.content); err != nil {
		return err
	}
	excluded, err := exclusions(ctx, tx, o.mission)
	if err != nil {
		return err
	}
	ch, err := o.content.Approve(p.Reviewer(), judge(o.content, excluded, o.now), revision, o.now)
	if err != nil {
		return err
	}
	if err := tx.ChangeContent(ctx, ch.ReviewedWith(p)); err != nil {
		return err
	}
	if err := auditLink(ctx, tx, p, link, ch, o.now); err != nil {
		return err
	}
	return s.scheduleApproved(ctx, tx, o)
}

// scheduleApproved schedules the approved posts of a job whose posts don't wait
// for the others to be written. The publish stage schedules those of other jobs.
func (s *API) scheduleApproved(ctx context.Context, tx store.Tx, o opened) error {
	if o.job.Gathers() || o.job.Status == mission.RunCanceled {
		return nil
	}
	return s.schedule(ctx, tx, o.mission, o.job, o.now)
}

// RejectContent rejects a post that waits for review. Errors: invalid_request on
// reason; not_found; conflict.
func (s *API) RejectContent(ctx context.Context, p mission.Principal, id, reason string, revision *int) (mission.Content, error) {
	if err := mission.CheckReason(reason); err != nil {
		return mission.Content{}, err
	}
	return s.changePost(ctx, p, id, func(tx store.Tx, o opened) error {
		link, err := useLink(ctx, tx, p, mission.OpContentReject, o.now)
		if err != nil {
			return err
		}
		if err := o.mission.CheckReviewer(p); err != nil {
			return err
		}
		ch, err := o.content.Reject(p.Reviewer(), reason, revision, o.now)
		if err != nil {
			return err
		}
		if err := tx.ChangeContent(ctx, ch.ReviewedWith(p)); err != nil {
			return err
		}
		if err := auditLink(ctx, tx, p, link, ch, o.now); err != nil {
			return err
		}
		if err := distrust(ctx, tx, o.mission, o.now); err != nil {
			return err
		}
		return s.finishPublish(ctx, tx, o.mission, o.job.ID, o.now)
	})
}

// revise gives a post a new text. It drops the tasks of the old text, and
// schedules the post if that may be published. Errors: conflict, also if the
// post's slot has passed and the mission ends before the next free one, or if the tenant's
// texts take as much as they may.
func (s *API) revise(ctx context.Context, tx store.Tx, o opened, w mission.Wording) error {
	if err := tx.CheckTextQuota(ctx, o.mission.TenantID); err != nil {
		return err
	}
	posts, err := tx.Slots(ctx, o.mission.ID)
	if err != nil {
		return err
	}
	at := *o.content.ScheduledAt
	if o.content.Status.Settled() {
		if at, err = slotAgain(ctx, tx, o, posts); err != nil {
			return err
		}
	}
	ch, err := o.content.Revise(w, o.job.Brief.Constraints.RequireApproval, at, o.mission.ReviewTime(o.content, o.job, o.now), o.now)
	if err != nil {
		return err
	}
	if o.content.Status == mission.ContentScheduled && ch.To.Status != mission.ContentScheduled {
		if err := tx.DropSubjects(ctx, o.mission.ID, mission.TaskContentPublish, o.content.ID); err != nil {
			return err
		}
	}
	if err := tx.ReviseContent(ctx, ch); err != nil {
		return err
	}
	if err := distrust(ctx, tx, o.mission, o.now); err != nil {
		return err
	}
	switch ch.To.Status {
	case mission.ContentPendingReview:
		return addReview(ctx, tx, o.mission, o.job, posts, ch.To, o.now)
	case mission.ContentApproved:
		return s.scheduleApproved(ctx, tx, o)
	default:
		return nil
	}
}

// slotAgain returns the slot of a settled post that is to be published after all: the one
// that it had, or a free one if that has passed, or if one of posts, the mission's
// unsettled ones, has it by now. On another account a post may have the time that a person
// chose. Errors: conflict if the mission ends before.
func slotAgain(ctx context.Context, tx store.Tx, o opened, posts []mission.Content) (time.Time, error) {
	slots, err := freeSlots(ctx, tx, o.mission, o.job.Brief.Constraints, o.job.Window, posts, []mission.Content{o.content}, o.now)
	if err != nil {
		return time.Time{}, err
	}
	at := slots[0]
	switch {
	case at.IsZero():
		return at, mission.Conflict("%s", o.mission.NoTimeLeft(o.content.ScheduledAt, o.now).Message)
	case o.content.Placed && !mission.Taken(posts, o.content.ID, o.content.Destination(), at):
		return at, nil
	}
	return o.mission.FreeSlot(at, posts), nil
}
