package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type reviewRow struct {
	bun.BaseModel `bun:"table:content_reviews,alias:rv"`

	ID        string `bun:",pk"`
	TenantID  string
	ContentID string
	Revision  int
	Decision  mission.Decision
	Reviewer  string
	Reason    string `bun:",nullzero"`
	CreatedAt time.Time
}

func (r reviewRow) review() mission.Review {
	return mission.Review{
		ContentID: r.ContentID, TenantID: r.TenantID, Revision: r.Revision, Decision: r.Decision, By: r.Reviewer, Reason: r.Reason,
		At: mission.Millis(r.CreatedAt),
	}
}

// prefixReview begins the ids of reviews, which nobody sees.
const prefixReview = "rvw_"

// addReviews inserts those of the changes that are decisions of reviewers.
func (tx Tx) addReviews(ctx context.Context, changes []mission.ContentChange) error {
	var rows []reviewRow
	for _, ch := range changes {
		if r := ch.Review; r != nil {
			tx.countTexts(r.TenantID, ch.To.MissionID, r.TextBytes())
			rows = append(rows, reviewRow{
				ID: tx.NewID(prefixReview, r.At), TenantID: r.TenantID, ContentID: r.ContentID, Revision: r.Revision, Decision: r.Decision,
				Reviewer: r.By, Reason: r.Reason, CreatedAt: r.At,
			})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}
