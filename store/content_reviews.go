package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type reviewRow struct {
	bun.BaseModel `bun:"table:content_reviews,alias:rv"`

	ID string `bun:",pk"`
	mission.Review
}

func (r reviewRow) review() mission.Review { return r.Review }

// prefixReview begins the ids of reviews, which nobody sees.
const prefixReview = "rvw_"

// addReviews inserts those of the changes that are decisions of reviewers.
func (tx Tx) addReviews(ctx context.Context, changes []mission.ContentChange) error {
	var rows []reviewRow
	for _, ch := range changes {
		if r := ch.Review; r != nil {
			tx.countTexts(r.TenantID, ch.To.MissionID, r.TextBytes())
			rows = append(rows, reviewRow{ID: tx.NewID(prefixReview, r.At), Review: *r})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}
