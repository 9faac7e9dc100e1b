package store

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type plannedSlotRow struct {
	bun.BaseModel `bun:"table:planned_slots,alias:ps"`

	JobID         string `bun:",pk"`
	Position      int    `bun:",pk"`
	TenantID      string
	IntegrationID string
	SlotAt        time.Time
}

// AddPlannedSlots records slots of a job's plan, which AccountTimes returns until their posts are
// written.
func (tx Tx) AddPlannedSlots(ctx context.Context, j mission.Job, slots []mission.Slot) error {
	if len(slots) == 0 {
		return nil
	}
	rows := make([]plannedSlotRow, len(slots))
	for i, s := range slots {
		rows[i] = plannedSlotRow{JobID: j.ID, Position: s.Position, TenantID: j.TenantID, IntegrationID: s.IntegrationID, SlotAt: s.At}
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows))
}

// LockAccounts locks those of a tenant's integrations that have one of the ids, deleted ones too: who
// adds posts to accounts by how many they have adds them one after the other. Missions are locked
// before.
func (tx Tx) LockAccounts(ctx context.Context, tenantID string, ids []string) error {
	_, err := database.Rows[integrationRow](ctx, tx.on, tx.locking().Model((*integrationRow)(nil)).WhereAllWithDeleted().Column("id").
		Where("i.tenant_id = ?", tenantID).Where("?", database.In("i.id", ids)).OrderExpr("i.id"))
	return err
}

// AccountTimes returns when the posts of a tenant's accounts go out, or did, from one time up to, not
// including, another, by integration id: of posts that are published, that wait, or that are planned in
// any mission. Each is a range of an index.
func (tx Tx) AccountTimes(ctx context.Context, tenantID string, ids []string, from, to time.Time) (map[string][]time.Time, error) {
	type slot struct {
		IntegrationID string
		At            time.Time
	}
	of := func(q *bun.SelectQuery, table, at string) *bun.SelectQuery {
		return q.ColumnExpr("?.integration_id, ? AS at", bun.Safe(table), bun.Safe(at)).Where("?.tenant_id = ?", bun.Safe(table), tenantID).
			Where("?", database.In(table+".integration_id", ids)).Where("? >= ?", bun.Safe(at), from).Where("? < ?", bun.Safe(at), to)
	}
	published := of(tx.NewSelect().TableExpr("contents AS c"), "c", "c.published_at").Where("c.integration_id <> ''").Where("c.published_at IS NOT NULL")
	waiting := of(tx.NewSelect().TableExpr("contents AS c"), "c", "c.scheduled_at").Where("c.integration_id <> ''").Where("c.published_at IS NULL").
		Where("c.status IN ('pending_review', 'approved', 'scheduled', 'publishing', 'unknown')")
	written := tx.NewSelect().TableExpr("contents AS c").ColumnExpr("1").Where("c.job_id = ps.job_id").Where("c.position = ps.position")
	planned := of(tx.NewSelect().TableExpr("planned_slots AS ps"), "ps", "ps.slot_at").Join("JOIN jobs AS j ON j.id = ps.job_id").
		Where("j.status = 'running'").Where("j.current_stage = 'content'").Where("NOT EXISTS (?)", written)
	rows, err := database.Rows[slot](ctx, tx.on, tx.NewRaw("? UNION ALL ? UNION ALL ?", published, waiting, planned))
	times := map[string][]time.Time{}
	for _, r := range rows {
		times[r.IntegrationID] = append(times[r.IntegrationID], r.At)
	}
	return times, err
}
