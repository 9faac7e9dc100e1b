package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// dayFormat is the format in which days are stored.
const dayFormat = time.DateOnly

type usageRow struct {
	bun.BaseModel `bun:"table:usage_days,alias:ud"`

	TenantID string `bun:",pk"`
	KeyID    string `bun:",pk"`
	Day      string `bun:",pk"`
	Requests int64
}

// Use is how often a tenant's key was used on a day, most recently at LastAt.
// KeyID is "" for sessions.
type Use struct {
	TenantID, KeyID string
	Requests        int64
	LastAt          time.Time
}

// AddUses adds to the counts of days and keys. The rows are always written in
// one order, so that processes can't deadlock.
func (tx Tx) AddUses(ctx context.Context, uses []Use) error {
	slices.SortFunc(uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.TenantID, b.TenantID), cmp.Compare(a.KeyID, b.KeyID), a.LastAt.Compare(b.LastAt))
	})
	rows := make([]usageRow, len(uses))
	for i, u := range uses {
		rows[i] = usageRow{TenantID: u.TenantID, KeyID: u.KeyID, Day: u.LastAt.UTC().Format(dayFormat), Requests: u.Requests}
	}
	err := tx.write(ctx, tx.NewInsert().Model(&rows).
		On("CONFLICT (tenant_id, key_id, day) DO UPDATE").Set("requests = ud.requests + EXCLUDED.requests"))
	if err != nil {
		return err
	}
	return tx.addKeyUses(ctx, uses)
}

// addKeyUses adds uses, which are sorted by key, to the keys.
func (tx Tx) addKeyUses(ctx context.Context, uses []Use) error {
	var keys []keyRow
	for _, u := range uses {
		if n := len(keys); n > 0 && keys[n-1].ID == u.KeyID {
			keys[n-1].Requests += u.Requests
			keys[n-1].LastUsedAt = &u.LastAt
		} else if u.KeyID != "" {
			keys = append(keys, keyRow{APIKey: mission.APIKey{ID: u.KeyID, Requests: u.Requests, LastUsedAt: &u.LastAt}})
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return tx.write(ctx, tx.NewUpdate().With("_data", tx.NewValues(&keys).Column("id", "requests", "last_used_at")).
		Model((*keyRow)(nil)).TableExpr("_data").
		Set("requests = k.requests + _data.requests").Set("last_used_at = _data.last_used_at").
		Where("k.id = _data.id"))
}

// KeyRequests returns how often each of a tenant's keys was used since a day
// (UTC), by id; a key that wasn't used is missing.
func (db *DB) KeyRequests(ctx context.Context, tenantID string, keyIDs []string, from time.Time) (map[string]int64, error) {
	return findMap(ctx, db.read, db.NewSelect().Column("ud.key_id").ColumnExpr("CAST(SUM(ud.requests) AS bigint) AS requests").
		Where("ud.tenant_id = ?", tenantID).Where("?", database.In("ud.key_id", keyIDs)).
		Where("ud.day >= ?", from.UTC().Format(dayFormat)).Group("ud.key_id"), func(r usageRow) (string, int64) { return r.KeyID, r.Requests })
}

// DailyRequests returns how many requests a tenant made on each day (UTC) since
// one, by date; a day without requests is missing.
func (db *DB) DailyRequests(ctx context.Context, tenantID string, from time.Time) (map[string]int64, error) {
	return findMap(ctx, db.read, db.NewSelect().Column("ud.day").ColumnExpr("CAST(SUM(ud.requests) AS bigint) AS requests").
		Where("ud.tenant_id = ?", tenantID).Where("ud.day >= ?", from.UTC().Format(dayFormat)).Group("ud.day"), func(r usageRow) (string, int64) { return r.Day, r.Requests })
}
