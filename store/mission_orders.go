package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// MissionOrder is an order of a list of missions; "" is by creation, newest first.
type MissionOrder string

// The other orders of a list of missions.
const (
	ByName     MissionOrder = "name"      // A to Z, upper and lower case alike
	ByEnd      MissionOrder = "end"       // of active missions only, the first to end first
	ByNextPost MissionOrder = "next_post" // of active missions with a scheduled post only, the earliest post first
)

// missionOrders are what the orders are by, the same of a cursor's row, and the
// condition on the missions that are in the list. A cursor without a next post any
// longer is where its last one was.
var missionOrders = map[MissionOrder]struct{ by, cursor, only string }{
	ByName: {by: "lower(m.name)", cursor: "lower(name)"},
	ByEnd:  {by: "m.ends_at", cursor: "ends_at", only: "m.status = 'active' AND m.ends_at IS NOT NULL"},
	ByNextPost: {
		by: "np.at", only: "np.at IS NOT NULL",
		cursor: "COALESCE((SELECT np.at FROM next_posts AS np WHERE np.mission_id = missions.id), updated_at)",
	},
}

// nextPost writes the slot of a mission's next scheduled post, after changes of the
// mission's state or of its scheduled posts. The mission is locked by a statement
// before: one that waited for the lock wouldn't see what the other wrote.
func (tx Tx) nextPost(ctx context.Context, missionID string) error {
	if tx.db.words.rowLocks {
		if err := tx.write(ctx, tx.NewRaw("SELECT 1 FROM missions WHERE id = ? FOR NO KEY UPDATE", missionID)); err != nil {
			return err
		}
	}
	return tx.write(ctx, tx.NewRaw(`INSERT INTO next_posts (mission_id, tenant_id, at)
		SELECT m.id, m.tenant_id, CASE WHEN m.status = 'active' THEN
			(SELECT MIN(c.scheduled_at) FROM contents AS c WHERE c.mission_id = m.id AND c.status = 'scheduled') END
		FROM missions AS m WHERE m.id = ?
		ON CONFLICT (mission_id) DO UPDATE SET at = EXCLUDED.at`, missionID))
}

// narrow reports whether the filter selects other missions than its order alone does.
func (f MissionFilter) narrow() bool {
	return f.Platform != "" || len(f.Words) > 0 || f.Status != "" && (f.Order == ByName || f.Status != mission.StatusActive)
}

// orderedMissions is Missions for a filter with an order. One index has all missions of
// the tenant in the list's order; those that a filter selects are sorted for each page,
// which listBounds.sorted limits.
func (db *DB) orderedMissions(ctx context.Context, tenantID string, f MissionFilter, p Page) (listed Listed[mission.Mission], err error) {
	k := keyset{table: "missions", noun: "mission", at: missionOrders[f.Order].by, id: "m.id", time: missionOrders[f.Order].cursor}
	if f.Order == ByNextPost {
		k.id = "np.mission_id"
	}
	if f.narrow() {
		all := f
		all.Order = ""
		n, err := db.CountMissions(ctx, tenantID, all)
		if err != nil {
			return listed, err
		}
		if n == Uncounted || n > db.lists.sorted {
			return listed, mission.Invalid("order_by", "The filter selects more than %d missions. Narrow it, or order by creation.", db.lists.sorted)
		}
		k.at = "CASE WHEN m.id <> '' THEN " + k.at + " END" // which no index is by
	}
	q, err := db.ordered(ctx, tenantID, f)
	if err != nil {
		return listed, err
	}
	p.Columns.of("m", q, "tenant_id", "created_at")
	p.Oldest = !p.Oldest
	return readPart(ctx, db, q, k, tenantID, p, func(r listedMission) mission.Mission { return r.mission() })
}

// ordered begins a query of the missions of a list with an order.
func (db *DB) ordered(ctx context.Context, tenantID string, f MissionFilter) (*bun.SelectQuery, error) {
	q := db.NewSelect().Model((*listedMission)(nil))
	switch {
	case f.Order == ByNextPost && !f.narrow():
		return missionsOf(db.Builder, q, "np.mission_id", "next_posts AS np").Where("np.tenant_id = ?", tenantID).Where(missionOrders[f.Order].only), nil
	case len(f.Words) > 0:
		s, err := db.search(ctx, tenantID, f)
		if err != nil {
			return nil, err
		}
		missionsOf(db.Builder, q, "mn.mission_id", "(?) AS mn", withPrefix(db.Builder, tenantID, s.rarest).Column("mission_id").Where("?", s.match(s.rarest)))
	default:
		f.where(db.Builder, q, tenantID)
	}
	if f.Order == ByNextPost {
		q.Join("JOIN next_posts AS np ON np.mission_id = m.id")
	}
	if only := missionOrders[f.Order].only; only != "" {
		q.Where(only)
	}
	return q, nil
}

// countOrdered is CountMissions for an order whose list hasn't all missions.
func (db *DB) countOrdered(ctx context.Context, tenantID string, f MissionFilter) (n int, err error) {
	q, err := db.ordered(ctx, tenantID, f)
	if err != nil {
		return 0, err
	}
	err = database.Scan(ctx, db.read, db.NewSelect().ColumnExpr("count(*)").TableExpr("(?) AS listed", q.ColumnExpr("1").Limit(int64(db.lists.counted)+1)), &n)
	if n > db.lists.counted {
		n = Uncounted
	}
	return n, err
}
