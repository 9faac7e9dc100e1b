package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// The names of counters of a tenant's rows.
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
	return tx.write(ctx, tx.NewInsert().Model(&counterRow{TenantID: tenantID, Name: name, N: 1}).
		On("CONFLICT (tenant_id, name) DO UPDATE").Set("n = c.n + 1"))
}

// addCounters adds to counters, which are keys with N 0, always in one order.
func (tx Tx) addCounters(ctx context.Context, moves map[counterRow]int) error {
	rows := sortedCounters(moves)
	if len(rows) == 0 {
		return nil
	}
	return tx.write(ctx, tx.NewInsert().Model(&rows).On("CONFLICT (tenant_id, name) DO UPDATE").Set("n = c.n + EXCLUDED.n"))
}

// sortedCounters returns the counters that change, with by how much, in the
// order in which they are locked.
func sortedCounters(moves map[counterRow]int) (rows []counterRow) {
	for row, n := range moves {
		if row.N = n; n != 0 {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b counterRow) int {
		return cmp.Or(cmp.Compare(a.TenantID, b.TenantID), cmp.Compare(a.Name, b.Name))
	})
	return rows
}

// dropCounters deletes the counters of missions and endpoints that are 0:
// nothing else would, once the mission or the endpoint is deleted.
func (tx Tx) dropCounters(ctx context.Context, counts map[counterRow]int) error {
	var rows []string
	var args []any
	for _, c := range sortedCounters(counts) {
		if !strings.HasPrefix(c.Name, eventCounter("", "")) {
			rows, args = append(rows, "(?, ?)"), append(args, c.TenantID, c.Name)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.write(ctx, tx.NewDelete().Model((*counterRow)(nil)).Where("(tenant_id, name) IN (VALUES "+strings.Join(rows, ", ")+")", args...).Where("n = 0"))
}

func (db *DB) counter(ctx context.Context, tenantID, name string) (n int, err error) {
	err = database.Scan(ctx, db.read, db.NewSelect().Model((*counterRow)(nil)).Column("n").
		Where("tenant_id = ?", tenantID).Where("name = ?", name), &n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

// sumCounters returns the sum of some of a tenant's counters.
func (db *DB) sumCounters(ctx context.Context, tenantID string, names []string) (n int, err error) {
	err = database.Scan(ctx, db.read, sumOf(db.NewSelect(), tenantID, names), &n)
	return n, err
}

func sumOf(q *bun.SelectQuery, tenantID string, names []string) *bun.SelectQuery {
	return q.Model((*counterRow)(nil)).ColumnExpr("CAST(COALESCE(SUM(c.n), 0) AS bigint)").
		Where("c.tenant_id = ?", tenantID).Where("?", database.In("c.name", names))
}

// countersOf sums a tenant's counters by owner; owners maps a counter's name to
// its owner's id.
func (db *DB) countersOf(ctx context.Context, tenantID string, ids []string, owners map[string]string) (map[string]int, error) {
	names := make([]string, 0, len(owners))
	for name := range owners {
		names = append(names, name)
	}
	var rows []counterRow
	err := database.Scan(ctx, db.read, db.NewSelect().Model(&rows).Where("c.tenant_id = ?", tenantID).Where("?", database.In("c.name", names)), &rows)
	counts := zeros(ids)
	for _, r := range rows {
		counts[owners[r.Name]] += r.N
	}
	return counts, err
}

func zeros(ids []string) map[string]int {
	counts := make(map[string]int, len(ids))
	for _, id := range ids {
		counts[id] = 0
	}
	return counts
}
