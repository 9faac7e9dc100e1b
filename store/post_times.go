package store

import (
	"context"
	"time"

	"missiond/internal/database"
	"missiond/mission"
)

// postTimesRow is when a mission's posts go out. Posts are approved only for as long as it takes
// to schedule them, and at most as many as a job has.
type postTimesRow struct {
	ID                                    string
	Scheduled, Approved, Waiting, LastOut *time.Time
}

// PostTimes returns when the posts of each of a tenant's missions went out last, and go out next,
// by the missions' ids; of those that wait for review, the slots before a time count. Each figure
// is the end of an index range.
func (db *DB) PostTimes(ctx context.Context, tenantID string, missionIDs []string, waitingUntil time.Time) (map[string]mission.PostTimes, error) {
	if len(missionIDs) == 0 {
		return nil, nil
	}
	rows, err := database.Rows[postTimesRow](ctx, db.read, db.NewRaw(`SELECT m.id,
		(SELECT MIN(c.scheduled_at) FROM contents AS c WHERE c.mission_id = m.id AND c.status = 'scheduled') AS scheduled,
		(SELECT MIN(c.scheduled_at) FROM contents AS c WHERE c.mission_id = m.id AND c.status = 'approved') AS approved,
		(SELECT MIN(c.scheduled_at) FROM contents AS c WHERE c.mission_id = m.id AND c.status = 'pending_review' AND c.scheduled_at < ?) AS waiting,
		(SELECT MAX(c.published_at) FROM contents AS c WHERE c.mission_id = m.id AND c.status = 'published') AS last_out
		FROM missions AS m WHERE m.tenant_id = ? AND ?`, waitingUntil, tenantID, database.In("m.id", missionIDs)))
	times := make(map[string]mission.PostTimes, len(rows))
	for _, r := range rows {
		next := r.Scheduled
		if at := r.Approved; next == nil || at != nil && at.Before(*next) {
			next = at
		}
		times[r.ID] = mission.PostTimes{NextApproved: next, NextWaiting: r.Waiting, LastPublished: r.LastOut}
	}
	return times, err
}
