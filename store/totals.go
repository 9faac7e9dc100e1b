package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

type missionTotalRow struct {
	bun.BaseModel `bun:"table:mission_totals,alias:mt"`

	TenantID string           `bun:",pk"`
	Platform mission.Platform `bun:",pk"`
	Status   mission.Status   `bun:",pk"`
	N        int
}

// missionMoves are the changes of counters of missions that a transaction has
// made so far; see contentMoves.
type missionMoves map[missionTotalRow]int

// moved counts a mission out of one status and into another; "" is none.
func (moves missionMoves) moved(m mission.Mission, from, to mission.Status) {
	for _, p := range append([]mission.Platform{""}, m.Platforms...) {
		for status, n := range map[mission.Status]int{from: -1, to: 1} {
			if status != "" {
				moves[missionTotalRow{TenantID: m.TenantID, Platform: p, Status: status}] += n
			}
		}
	}
}

func (tx Tx) writeMissionTotals(ctx context.Context) error {
	var rows []missionTotalRow
	for row, n := range tx.done.missions {
		if row.N = n; n != 0 {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b missionTotalRow) int {
		return cmp.Or(cmp.Compare(a.TenantID, b.TenantID), cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.Status, b.Status))
	})
	return tx.write(ctx, tx.NewInsert().Model(&rows).
		On("CONFLICT (tenant_id, platform, status) DO UPDATE").Set("n = mt.n + EXCLUDED.n"))
}

// CountMissions returns how many missions a filter matches, from at most four
// counter rows. The results of a search are counted one by one: it returns
// Uncounted if they may be more than 10,000.
func (db *DB) CountMissions(ctx context.Context, tenantID string, f MissionFilter) (n int, err error) {
	if missionOrders[f.Order].only != "" {
		return db.countOrdered(ctx, tenantID, f)
	}
	if len(f.Words) > 0 {
		return db.countSearch(ctx, tenantID, f)
	}
	err = database.Scan(ctx, db.read, f.totals(db.Builder, tenantID), &n)
	return n, err
}

// totals sums the counter rows of a filter without words.
func (f MissionFilter) totals(b database.Builder, tenantID string) *bun.SelectQuery {
	q := b.NewSelect().Model((*missionTotalRow)(nil)).ColumnExpr("CAST(COALESCE(SUM(mt.n), 0) AS bigint)").
		Where("mt.tenant_id = ?", tenantID).Where("mt.platform = ?", f.Platform)
	if f.Status != "" {
		q.Where("mt.status = ?", f.Status)
	}
	return q
}

// contentTotalRow is a counter of posts. MissionID "" is all of the tenant's,
// Platform "" is all platforms.
type contentTotalRow struct {
	bun.BaseModel `bun:"table:content_totals,alias:ct"`

	TenantID  string                `bun:",pk"`
	MissionID string                `bun:",pk"`
	Platform  mission.Platform      `bun:",pk"`
	Status    mission.ContentStatus `bun:",pk"`
	N         int
}

// contentMoves are the changes of counters that a transaction has made so far.
// They are written at its end, always in one order, so that rows shared by a
// whole tenant are locked only briefly and never deadlock.
type contentMoves map[contentTotalRow]int

// moved counts a post out of one status and into another; "" is none.
func (moves contentMoves) moved(c mission.Content, from, to mission.ContentStatus) {
	if from == to {
		return
	}
	for _, missionID := range []string{"", c.MissionID} {
		for _, platform := range []mission.Platform{"", c.Platform} {
			for status, n := range map[mission.ContentStatus]int{from: -1, to: 1} {
				if status != "" {
					moves[contentTotalRow{TenantID: c.TenantID, MissionID: missionID, Platform: platform, Status: status}] += n
				}
			}
		}
	}
}

func (tx Tx) writeTotals(ctx context.Context) error {
	var rows []contentTotalRow
	for row, n := range tx.done.totals {
		if row.N = n; n != 0 {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b contentTotalRow) int {
		return cmp.Or(cmp.Compare(a.TenantID, b.TenantID), cmp.Compare(b.MissionID, a.MissionID),
			cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.Status, b.Status))
	})
	return tx.write(ctx, tx.NewInsert().Model(&rows).
		On("CONFLICT (tenant_id, mission_id, platform, status) DO UPDATE").Set("n = ct.n + EXCLUDED.n"))
}

// dropContentTotals counts out the posts of a mission that is about to be
// deleted.
func (tx Tx) dropContentTotals(ctx context.Context, m mission.Mission) error {
	var rows []contentTotalRow
	err := database.Scan(ctx, tx.on, tx.NewSelect().Model(&rows).Where("ct.tenant_id = ?", m.TenantID).Where("ct.mission_id = ?", m.ID), &rows)
	if err != nil {
		return err
	}
	for _, row := range rows {
		tx.done.totals[contentTotalRow{TenantID: row.TenantID, Platform: row.Platform, Status: row.Status}] -= row.N
	}
	return tx.write(ctx, tx.NewDelete().Model((*contentTotalRow)(nil)).Where("tenant_id = ?", m.TenantID).Where("mission_id = ?", m.ID))
}

// CountContents returns how many posts a filter matches, from a few counter
// rows.
func (db *DB) CountContents(ctx context.Context, tenantID string, f ContentFilter) (n int, err error) {
	return db.CountListed(ctx, tenantID, f.query())
}

// CountUnsettled returns how many posts of a mission, or of all the tenant's for "", are neither out nor given up.
func (db *DB) CountUnsettled(ctx context.Context, tenantID, missionID string) (n int, err error) {
	err = database.Scan(ctx, db.read, db.NewSelect().Model((*contentTotalRow)(nil)).ColumnExpr("COALESCE(SUM(ct.n), 0)").Where("ct.tenant_id = ?", tenantID).
		Where("ct.mission_id = ?", missionID).Where("ct.platform = ''").
		Where("ct.status IN ('pending_review', 'approved', 'scheduled', 'publishing', 'unknown')"), &n)
	return n, err
}

// CountContentsOf returns how many posts of each of a tenant's missions a filter
// matches; f has no mission.
func (db *DB) CountContentsOf(ctx context.Context, tenantID string, missionIDs []string, f ContentFilter) (map[string]int, error) {
	var rows []contentTotalRow
	q := db.NewSelect().Model(&rows).Column("mission_id", "n").Where("ct.tenant_id = ?", tenantID).
		Where("?", database.In("ct.mission_id", missionIDs)).Where("ct.platform = ?", f.Platform)
	if f.Status != "" {
		q.Where("ct.status = ?", f.Status)
	}
	err := database.Scan(ctx, db.read, q, &rows)
	counts := zeros(missionIDs)
	for _, r := range rows {
		counts[r.MissionID] += r.N
	}
	return counts, err
}
