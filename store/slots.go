package store

import (
	"context"

	"github.com/uptrace/bun"
)

// partSlots has the slots of posts that are changed together count as chosen meanwhile: one
// may take the slot that another gives up in the same statement, which looks at each row by
// itself.
func (tx Tx) partSlots(ctx context.Context, rows []contentRow) error {
	var ids []string
	for _, r := range rows {
		if r.ScheduledAt != nil && !r.Placed {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) < 2 {
		return nil
	}
	_, err := tx.update().Model((*contentRow)(nil)).Set("placed = TRUE").Where("NOT placed").Where("id IN (?)", bun.List(ids)).Exec(ctx)
	return err
}
