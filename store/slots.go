package store

import (
	"context"
	"slices"

	"missiond/internal/database"
	"missiond/mission"
)

// partSlots has the slots count as chosen, meanwhile, that posts of one change take over from
// each other: the statement that changes them looks at each row by itself, and would find two
// posts in one slot.
func (tx Tx) partSlots(ctx context.Context, changes []mission.ContentChange) error {
	before := map[int64][]string{}
	for _, ch := range changes {
		if ch.FromSlot != nil {
			at := ch.FromSlot.UnixMilli()
			before[at] = append(before[at], ch.To.ID)
		}
	}
	var ids []string
	for _, ch := range changes {
		if ch.To.ScheduledAt == nil || ch.To.Placed {
			continue
		}
		for _, id := range before[ch.To.ScheduledAt.UnixMilli()] {
			if id != ch.To.ID {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	return tx.write(ctx, tx.NewUpdate().Model((*contentRow)(nil)).Set("placed = TRUE").Where("?", database.In("id", ids)))
}
