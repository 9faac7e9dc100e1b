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

// addWords indexes the words of a mission's name for searches.
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

// addTotals adds changes, by status, to the counters of a mission's tenant and
// platforms. The rows are always written in one order, so that transactions
// can't deadlock.
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

// MissionFilter selects missions of a tenant; an empty field doesn't filter.
type MissionFilter struct {
	Status   mission.Status
	Platform mission.Platform
	// Words are prefixes: the name must have a word for each.
	Words []string
}

// Missions returns a page of a tenant's missions, newest first. Errors:
// invalid_request without a param if the cursor isn't one of the tenant's
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

// binding begins a read with the filter.
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
		// The tenant and status of both tables, so that the index on the platform
		// covers the whole condition.
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

// platformsFirst makes a query of missions walk over a platform's missions,
// which are in the list's order. A prepared plan gets no choice: it is made for
// any tenant, and with a wrong estimate of how many missions one has it might
// sort them all.
func platformsFirst(b *binding, q *bun.SelectQuery) *bun.SelectQuery {
	if !b.prepare {
		return q.Join("JOIN mission_platforms AS mp ON mp.mission_id = m.id")
	}
	return q.ModelTableExpr("mission_platforms AS mp").
		Join("CROSS JOIN LATERAL (SELECT * FROM missions WHERE id = mp.mission_id OFFSET 0) AS m")
}

// following returns the upper bound, in bytes, of the words that begin with
// word: UTF-8 has no byte 0xff.
func following(word string) []byte { return append([]byte(word), 0xff) }

// CountMissions returns how many missions a filter matches, from at most four
// counter rows. The results of a search by words are counted one by one.
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
