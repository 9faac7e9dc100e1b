package missions

import (
	"context"

	"missiond/mission"
	"missiond/store"
)

// ReopenContent has a post wait for review again: it takes a person's decision about it back, or
// gives one that failed, expired or was canceled another slot. That can be done although the post's
// job has gone on: the post is then published beside it, as a rewritten one is. Errors: not_found;
// conflict, also if the post is published or may be, goes out although nobody reviewed it, or is
// one too many of the mission's unpublished posts by people, or if the mission's end
// leaves no time for it; forbidden if somebody else takes back what the mission's reviewers alone decide.
func (s *API) ReopenContent(ctx context.Context, p mission.Principal, id string) (mission.Content, error) {
	return s.changePost(ctx, p, id, func(tx store.Tx, o opened) error {
		if err := o.content.CheckReopenable(); err != nil {
			return err
		}
		if o.content.ReviewedAt != nil { // whoever takes a decision back, decides
			if err := o.mission.CheckReviewer(p); err != nil {
				return err
			}
		}
		if err := tx.CheckTextQuota(ctx, p.TenantID); err != nil { // each decision is kept
			return err
		}
		posts, err := tx.Slots(ctx, o.mission.ID)
		if err != nil {
			return err
		}
		ch, err := s.reopen(ctx, tx, o, posts)
		if err != nil {
			return err
		}
		if ch.From == mission.ContentScheduled {
			if err := tx.DropSubjects(ctx, o.mission.ID, mission.TaskContentPublish, id); err != nil {
				return err
			}
		}
		if err := tx.ChangeContent(ctx, ch.ReviewedWith(p)); err != nil {
			return err
		}
		return addReview(ctx, tx, o.mission, o.job, posts, ch.To, o.now)
	})
}

// reopen returns the change that reopens a post. posts are the mission's unsettled ones.
// Errors: conflict.
func (s *API) reopen(ctx context.Context, tx store.Tx, o opened, posts []mission.Content) (ch mission.ContentChange, err error) {
	excluded, err := exclusions(ctx, tx, o.mission)
	if err != nil {
		return ch, err
	}
	if err := checkFiles(ctx, tx, o.content); err != nil {
		return ch, err
	}
	c, at := o.content, *o.content.ScheduledAt
	if c.Status.Settled() {
		if byPerson(c) {
			err = mission.CheckOwnPosts(len(only(posts, byPerson)))
		}
		if err == nil {
			at, err = slotAgain(ctx, tx, o, posts)
		}
		if err != nil {
			return ch, err
		}
	}
	c.ScheduledAt = &at // its time for review depends on it
	return o.content.Reopen(judge(c, excluded, o.now), at, o.mission.ReviewTime(c, o.job, o.now), o.now)
}

// checkFiles returns an error if a file of a post was deleted, which may be while the post isn't about
// to go out: it can't be sent any more. The caller is about to have the post wait again. Errors:
// conflict.
func checkFiles(ctx context.Context, tx store.Tx, c mission.Content) error {
	ids := c.MediaIDs()
	found, err := mediaOf(ctx, tx, c.TenantID, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, ok := found[id]; !ok {
			return mission.Conflict("%s, a file of the post, was deleted: edit the post's files.", id)
		}
	}
	return nil
}
