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

// Page asks for up to Limit rows, newest first, After an id of the list, or
// oldest first Before one. Each "" is the list's end.
type Page struct {
	After, Before string
	Limit         int
	// Backward takes the rows next to Before, or the list's last ones.
	Backward bool
}

// keyset is the order of a tenant's list: by time and id, newest first.
type keyset struct {
	table  string // where cursors are looked up
	noun   string
	at, id string // the columns, with their alias
}

// page bounds q to the page and orders it. It takes one row more than the
// limit: cut takes it off again. Errors: invalid_request without a param where
// a cursor is none of the tenant's.
func (db *DB) page(ctx context.Context, q *bun.SelectQuery, k keyset, tenantID string, p Page) error {
	for _, bound := range []struct{ cursor, than string }{{p.After, "<"}, {p.Before, ">"}} {
		if bound.cursor == "" {
			continue
		}
		var at time.Time
		err := db.read.NewSelect().Table(k.table).Column("created_at").
			Where("tenant_id = ?", tenantID).Where("id = ?", bound.cursor).Scan(ctx, &at)
		if errors.Is(err, sql.ErrNoRows) {
			return mission.Invalid("", "The cursor %q is no %s.", bound.cursor, k.noun)
		}
		if err != nil {
			return err
		}
		q.Where("(?, ?) ? (?, ?)", bun.Safe(k.at), bun.Safe(k.id), bun.Safe(bound.than), mission.Millis(at), bound.cursor)
	}
	direction := "DESC"
	if p.Backward {
		direction = "ASC"
	}
	q.OrderExpr("? ?, ? ?", bun.Safe(k.at), bun.Safe(direction), bun.Safe(k.id), bun.Safe(direction)).Limit(int64(p.Limit) + 1)
	return nil
}

// cut answers the page's rows, newest first, and whether there are more.
func cut[R any](rows []R, p Page) (list []R, more bool) {
	more = len(rows) > p.Limit
	rows = rows[:min(len(rows), p.Limit)]
	if p.Backward {
		slices.Reverse(rows)
	}
	return rows, more
}

// Counters of a tenant's rows.
const (
	counterKeys  = "api_keys"
	counterUsers = "users"
	counterAudit = "audit_log"
)

type counterRow struct {
	bun.BaseModel `bun:"table:counters,alias:c"`

	TenantID string `bun:",pk"`
	Name     string `bun:",pk"`
	N        int
}

// count adds one to a tenant's counter.
func (tx Tx) count(ctx context.Context, tenantID, name string) error {
	_, err := tx.tx.NewInsert().Model(&counterRow{TenantID: tenantID, Name: name, N: 1}).
		On("CONFLICT (tenant_id, name) DO UPDATE").Set("n = c.n + 1").Exec(ctx)
	return err
}

// addCounters moves counters, which have N 0, in one order always.
func (tx Tx) addCounters(ctx context.Context, moves map[counterRow]int) error {
	var rows []counterRow
	for row, n := range moves {
		if row.N = n; n != 0 {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b counterRow) int {
		return cmp.Or(cmp.Compare(a.TenantID, b.TenantID), cmp.Compare(a.Name, b.Name))
	})
	_, err := tx.tx.NewInsert().Model(&rows).On("CONFLICT (tenant_id, name) DO UPDATE").Set("n = c.n + EXCLUDED.n").Exec(ctx)
	return err
}

// sumCounters adds up counters of a tenant's.
func (db *DB) sumCounters(ctx context.Context, tenantID string, names []string) (n int, err error) {
	err = db.read.NewSelect().Model((*counterRow)(nil)).ColumnExpr("CAST(COALESCE(SUM(c.n), 0) AS bigint)").
		Where("c.tenant_id = ?", tenantID).Where("c.name IN (?)", bun.List(names)).Scan(ctx, &n)
	return n, err
}

func (db *DB) counter(ctx context.Context, tenantID, name string) (n int, err error) {
	err = db.read.NewSelect().Model((*counterRow)(nil)).Column("n").
		Where("tenant_id = ?", tenantID).Where("name = ?", name).Scan(ctx, &n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}
