package missions

import (
	"context"
	"time"

	"missiond/internal/service/idempotency"
	"missiond/mission"
	"missiond/store"
)

const commentNoun = "comment"

// CommentContent adds a comment to a post, in any state, for those who review it. Errors:
// invalid_request; not_found; conflict if the post has another revision than the one that was
// read, or mission.MaxReviewComments already; forbidden for a link whose maker may not comment.
func (s *API) CommentContent(ctx context.Context, p mission.Principal, id string, in mission.ReviewCommentInput) (mission.ReviewComment, error) {
	in = in.Tidy()
	if err := in.Check(); err != nil {
		return mission.ReviewComment{}, err
	}
	found, err := s.Content(ctx, p, id)
	if err != nil {
		return mission.ReviewComment{}, err
	}
	return idempotency.Once(ctx, s.db, func(tx store.Tx) (made mission.ReviewComment, err error) {
		now := s.clock.Now()
		c, err := tx.LockContent(ctx, p.TenantID, found.ID)
		if err != nil {
			return made, err
		}
		if _, err := useLink(ctx, tx, p, mission.OpContentComment, now); err != nil {
			return made, err
		}
		if p.LinkID != "" {
			latest, ok, err := tx.LatestReviewComment(ctx, c.ID)
			if err != nil || ok && latest.Repeats(in, p.Author(), c.Revision) {
				return latest, err
			}
		}
		return addComment(ctx, tx, c, in, p.Author(), now)
	})
}

// addComment adds a comment to a locked post. Errors: those of CommentContent.
func addComment(
	ctx context.Context, tx store.Tx, c mission.Content, in mission.ReviewCommentInput, author string, now time.Time,
) (made mission.ReviewComment, err error) {
	if err := tx.CheckTextQuota(ctx, c.TenantID); err != nil {
		return made, err
	}
	has, err := tx.CountReviewComments(ctx, c.ID)
	if err != nil {
		return made, err
	}
	made, event, err := c.NewReviewComment(tx.NewID(mission.PrefixComment, now), in, author, has, now)
	if err != nil {
		return made, err
	}
	if err := tx.AddReviewComment(ctx, made, event); err != nil {
		return made, err
	}
	return tx.ReviewComment(ctx, c.TenantID, made.ID)
}

// ReviewComments returns a page of a post's comments, newest first, with their number. Errors:
// invalid_request; not_found.
func (s *API) ReviewComments(
	ctx context.Context, p mission.Principal, id string, page store.Page,
) (listed store.Listed[mission.ReviewComment], err error) {
	if err := page.Check(mission.PrefixComment, commentNoun); err != nil {
		return listed, err
	}
	if _, err := s.Content(ctx, p, id); err != nil {
		return listed, err
	}
	parts, err := s.db.ReviewCommentsOf(ctx, p.TenantID, []string{id}, page)
	if err != nil {
		return listed, err
	}
	counts, err := s.db.CountReviewCommentsOf(ctx, p.TenantID, []string{id})
	listed = parts[id]
	listed.Total = counts[id]
	return listed, err
}

// ReviewCommentsOf returns the same page of the comments of each post, newest first, by the
// posts' ids. Errors: invalid_request.
func (s *API) ReviewCommentsOf(
	ctx context.Context, p mission.Principal, contentIDs []string, page store.Page,
) (map[string]store.Listed[mission.ReviewComment], error) {
	if err := page.Check(mission.PrefixComment, commentNoun); err != nil {
		return nil, err
	}
	return s.db.ReviewCommentsOf(ctx, p.TenantID, contentIDs, page)
}

// CountReviewCommentsOf returns how many comments each post has, by the posts' ids.
func (s *API) CountReviewCommentsOf(ctx context.Context, p mission.Principal, contentIDs []string) (map[string]int, error) {
	return s.db.CountReviewCommentsOf(ctx, p.TenantID, contentIDs)
}

// ReviewCommentsByID returns the tenant's comments with the given ids, by id.
func (s *API) ReviewCommentsByID(ctx context.Context, p mission.Principal, ids []string) (map[string]mission.ReviewComment, error) {
	return s.db.ReviewCommentsByID(ctx, p.TenantID, ids)
}
