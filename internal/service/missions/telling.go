package missions

import (
	"context"
	"time"

	"missiond/mission"
	"missiond/store"
)

// TellReviewers notifies people of what waits for review in the task's mission, all of it at
// once. It takes the place of an earlier notification that nobody has read.
func (s *Pipeline) TellReviewers(ctx context.Context, t mission.Task) error {
	return s.leased(ctx, t, func(tx store.Tx, m mission.Mission, now time.Time) error {
		w, err := tx.Waiting(ctx, m.ID)
		if err != nil {
			return err
		}
		if w.Posts > 0 {
			if err := tx.ReplaceNotification(ctx, m.NotifyWaiting(tx.NewID(mission.PrefixNotification, now), w, now)); err != nil {
				return err
			}
		}
		return tx.FinishTask(ctx, t)
	})
}

// checkReviewers checks the reviewers of a mission. Errors: invalid_request, with all problems.
func checkReviewers(ctx context.Context, from choiceReader, tenantID string, ids []string) (mission.Problems, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	members, err := from.UsersByID(ctx, tenantID, ids)
	return mission.CheckReviewers(ids, members), err
}
