package store

import (
	"cmp"
	"context"
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

type missionWordRow struct {
	bun.BaseModel `bun:"table:mission_words,alias:mw"`

	TenantID  string `bun:",pk"`
	Word      []byte `bun:",pk"`
	MissionID string `bun:",pk"`
}

// addWords has a mission found by the words of its name.
func (tx Tx) addWords(ctx context.Context, m mission.Mission) error {
	rows := wordsOf(m.TenantID, m.ID, m.Name)
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.insert().Model(&rows).Exec(ctx)
	return err
}

func wordsOf(tenantID, missionID, name string) []missionWordRow {
	words := mission.Words(name)
	rows := make([]missionWordRow, len(words))
	for i, w := range words {
		rows[i] = missionWordRow{TenantID: tenantID, Word: []byte(w), MissionID: missionID}
	}
	return rows
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
	_, err := tx.insert().Model(&rows).
		On("CONFLICT (tenant_id, platform, status) DO UPDATE").Set("n = mt.n + EXCLUDED.n").Exec(ctx)
	return err
}

// MissionFilter picks missions of a tenant; "" is no filter.
type MissionFilter struct {
	Status   mission.Status
	Platform mission.Platform
	// Words are the beginnings of words that the name has, all of them.
	Words []string
}

// Missions returns a page of a tenant's missions, newest first. Errors:
// invalid_request without a param where the cursor is none of the tenant's
// missions.
func (db *DB) Missions(ctx context.Context, tenantID string, f MissionFilter, p Page) (Part[mission.Mission], error) {
	at, id := "m.created_at", "m.id"
	if f.Platform != "" {
		at, id = "mp.created_at", "mp.mission_id"
	}
	var rows []struct {
		missionRow `bun:",extend"`

		Total int `bun:",scanonly"`
	}
	b := f.binding(db)
	q := p.Columns.of("m", f.where(b, b.NewSelect().Model(&rows), tenantID), "tenant_id", "created_at")
	if p.Total && len(f.Words) == 0 {
		q.ColumnExpr("(?) AS total", f.totals(b, tenantID))
	}
	more, err := readPage(ctx, db, b, q, keyset{table: "missions", noun: "mission", at: at, id: id}, tenantID, p, &rows)
	if err != nil {
		return Part[mission.Mission]{}, err
	}
	part := Part[mission.Mission]{List: make([]mission.Mission, len(rows)), More: more}
	for i, r := range rows {
		part.List[i], part.Total = r.mission(), r.Total
	}
	if !p.Total || part.Total > 0 {
		return part, nil
	}
	part.Total, err = db.CountMissions(ctx, tenantID, f)
	return part, err
}

// binding begins a read by the filter.
func (f MissionFilter) binding(db *DB) *binding {
	if len(f.Words) > 0 {
		return db.written()
	}
	return db.bound()
}

func (f MissionFilter) where(b *binding, q *bun.SelectQuery, tenantID string) *bun.SelectQuery {
	q.Where("m.tenant_id = ?", b.bind(tenantID))
	switch {
	case f.Platform != "":
		// Both tables' tenant and status, so that the index on the platform
		// answers all of it.
		platformsFirst(b, q).
			Where("mp.tenant_id = ?", b.bind(tenantID)).Where("mp.platform = ?", b.bind(f.Platform))
		if f.Status != "" {
			q.Where("mp.status = ?", b.bind(f.Status))
		}
	case f.Status != "":
		q.Where("m.status = ?", b.bind(f.Status))
	}
	for _, w := range f.Words {
		q.Where("m.id IN (SELECT mission_id FROM mission_words WHERE tenant_id = ? AND word >= ? AND word < ?)",
			b.bind(tenantID), b.bind([]byte(w)), b.bind(following(w)))
	}
	return q
}

// platformsFirst has a query of missions walk over a platform's, which has them
// in the list's order. A prepared plan is left no choice: it is made for any
// tenant, and by a guess at how many missions one has it may sort them all.
func platformsFirst(b *binding, q *bun.SelectQuery) *bun.SelectQuery {
	if !b.prepare {
		return q.Join("JOIN mission_platforms AS mp ON mp.mission_id = m.id")
	}
	return q.ModelTableExpr("mission_platforms AS mp").
		Join("CROSS JOIN LATERAL (SELECT * FROM missions WHERE id = mp.mission_id OFFSET 0) AS m")
}

// following returns the first of the words, by their bytes, that doesn't begin
// with a word: UTF-8 has no byte 0xff.
func following(word string) []byte { return append([]byte(word), 0xff) }

// CountMissions returns how many missions a filter matches, from at most four
// counter rows; those that a search finds are counted one by one.
func (db *DB) CountMissions(ctx context.Context, tenantID string, f MissionFilter) (n int, err error) {
	b := f.binding(db)
	if len(f.Words) > 0 {
		found, err := f.where(b, b.NewSelect().Model((*missionRow)(nil)), tenantID).Count(ctx)
		return int(found), err
	}
	err = f.totals(b, tenantID).Scan(ctx, &n)
	return n, err
}

// totals sums the counter rows of a filter without words.
func (f MissionFilter) totals(b *binding, tenantID string) *bun.SelectQuery {
	q := b.NewSelect().Model((*missionTotalRow)(nil)).ColumnExpr("CAST(COALESCE(SUM(mt.n), 0) AS bigint)").
		Where("mt.tenant_id = ?", b.bind(tenantID)).Where("mt.platform = ?", b.bind(f.Platform))
	if f.Status != "" {
		q.Where("mt.status = ?", b.bind(f.Status))
	}
	return q
}
