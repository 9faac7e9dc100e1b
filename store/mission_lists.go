package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/mission"
)

type missionPlatformRow struct {
	bun.BaseModel `bun:"table:mission_platforms,alias:mp"`

	MissionID string           `bun:",pk"`
	Platform  mission.Platform `bun:",pk"`
	TenantID  string
	Status    mission.Status
	CreatedAt time.Time
}

type missionTotalRow struct {
	bun.BaseModel `bun:"table:mission_totals,alias:mt"`

	TenantID string           `bun:",pk"`
	Platform mission.Platform `bun:",pk"`
	Status   mission.Status   `bun:",pk"`
	N        int
}

// addTotals counts a mission in and out under statuses. The rows come in one
// order always, so that two transactions can't wait for each other.
func (tx Tx) addTotals(ctx context.Context, m mission.Mission, changes map[mission.Status]int) error {
	var rows []missionTotalRow
	for _, p := range append([]mission.Platform{""}, m.Platforms...) {
		for s, n := range changes {
			rows = append(rows, missionTotalRow{TenantID: m.TenantID, Platform: p, Status: s, N: n})
		}
	}
	slices.SortFunc(rows, func(a, b missionTotalRow) int {
		return cmp.Or(cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.Status, b.Status))
	})
	_, err := tx.tx.NewInsert().Model(&rows).
		On("CONFLICT (tenant_id, platform, status) DO UPDATE").Set("n = mt.n + EXCLUDED.n").Exec(ctx)
	return err
}

// MissionFilter picks missions of a tenant; "" is no filter.
type MissionFilter struct {
	Status   mission.Status
	Platform mission.Platform
}

// Page asks for up to Limit rows, newest first, After an id of the list, or
// oldest first Before one. Each "" is the list's end.
type Page struct {
	After, Before string
	Limit         int
	// Backward takes the rows next to Before, or the list's last ones.
	Backward bool
}

// Missions answers a page of a tenant's missions, newest first, and whether
// more lie beyond it in the direction asked for. Errors: invalid_request
// without a param where the cursor is none of the tenant's missions.
func (db *DB) Missions(ctx context.Context, tenantID string, f MissionFilter, p Page) (list []mission.Mission, more bool, err error) {
	at, id := "m.created_at", "m.id"
	var rows []missionRow
	q := db.read.NewSelect().Model(&rows).Where("m.tenant_id = ?", tenantID)
	if f.Platform != "" {
		// Both tables' tenant and status, so that the index on the platform
		// answers all of it.
		at, id = "mp.created_at", "mp.mission_id"
		q.Join("JOIN mission_platforms AS mp ON mp.mission_id = m.id").
			Where("mp.tenant_id = ?", tenantID).Where("mp.platform = ?", f.Platform)
		if f.Status != "" {
			q.Where("mp.status = ?", f.Status)
		}
	} else if f.Status != "" {
		q.Where("m.status = ?", f.Status)
	}
	for _, bound := range []struct{ cursor, than string }{{p.After, "<"}, {p.Before, ">"}} {
		if bound.cursor == "" {
			continue
		}
		row, err := db.missionCursor(ctx, tenantID, bound.cursor)
		if err != nil {
			return nil, false, err
		}
		q.Where("(?, ?) ? (?, ?)", bun.Safe(at), bun.Safe(id), bun.Safe(bound.than), row.CreatedAt, row.ID)
	}
	direction := "DESC"
	if p.Backward {
		direction = "ASC"
	}
	q.OrderExpr("? ?, ? ?", bun.Safe(at), bun.Safe(direction), bun.Safe(id), bun.Safe(direction)).Limit(int64(p.Limit) + 1)
	if err := q.Scan(ctx); err != nil {
		return nil, false, err
	}
	more = len(rows) > p.Limit
	rows = rows[:min(len(rows), p.Limit)]
	if p.Backward {
		slices.Reverse(rows)
	}
	return missionsOf(rows), more, nil
}

func (db *DB) missionCursor(ctx context.Context, tenantID, id string) (missionRow, error) {
	var row missionRow
	err := db.read.NewSelect().Model(&row).Column("id", "created_at").
		Where("m.tenant_id = ?", tenantID).Where("m.id = ?", id).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return row, mission.Invalid("", "The cursor %q is no mission.", id)
	}
	return row, err
}

// CountMissions answers how many missions a filter matches, from at most four
// counter rows.
func (db *DB) CountMissions(ctx context.Context, tenantID string, f MissionFilter) (n int, err error) {
	q := db.read.NewSelect().Model((*missionTotalRow)(nil)).ColumnExpr("CAST(COALESCE(SUM(mt.n), 0) AS bigint)").
		Where("mt.tenant_id = ?", tenantID).Where("mt.platform = ?", f.Platform)
	if f.Status != "" {
		q.Where("mt.status = ?", f.Status)
	}
	err = q.Scan(ctx, &n)
	return n, err
}
