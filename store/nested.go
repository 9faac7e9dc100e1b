package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"missiond/internal/database"
)

// readPerParent reads the rows below several records in one statement: for each of
// parents the rows of query, which gets the parent's id, or the SQL name of it.
func readPerParent[R any](ctx context.Context, db *DB, parents []string, query func(parent any) *bun.SelectQuery) (rows []*R, err error) {
	if !db.Lateral() {
		err = perParent(ctx, db.read, db.Builder, &rows, parents, func(parent string) *bun.SelectQuery { return query(parent) })
		return rows, err
	}
	if len(parents) == 0 {
		return nil, nil
	}
	return database.Rows[R](ctx, db.read, db.NewRaw("SELECT part.* FROM unnest(?::text[]) AS parent (id) CROSS JOIN LATERAL (?) AS part",
		database.Texts(parents), query(bun.Safe("parent.id"))))
}

// perParent is readPerParent for a few parents: the statement's text grows with their number.
func perParent(ctx context.Context, on database.Reader, b database.Builder, rows any, parents []string, query func(parent string) *bun.SelectQuery) error {
	if len(parents) == 0 {
		return nil
	}
	parts, args := make([]string, len(parents)), make([]any, len(parents))
	for i, id := range parents {
		parts[i], args[i] = "SELECT * FROM (?) AS part", query(id)
	}
	return database.Scan(ctx, on, b.NewRaw(strings.Join(parts, " UNION ALL "), args...), rows)
}

// countOf returns how many rows of a table are below each of a tenant's records, by the ids in a
// column.
func countOf(ctx context.Context, db *DB, table, column, tenantID string, parents []string) (map[string]int, error) {
	type counted struct {
		Parent string
		N      int
	}
	rows, err := database.Rows[counted](ctx, db.read, db.NewSelect().TableExpr("?", bun.Ident(table)).
		ColumnExpr("? AS parent", bun.Ident(column)).ColumnExpr("count(*) AS n").
		Where("tenant_id = ?", tenantID).Where("?", database.In(column, parents)).GroupExpr("?", bun.Ident(column)))
	counts := zeros(parents)
	for _, r := range rows {
		counts[r.Parent] = r.N
	}
	return counts, err
}

// position is where a row belongs: the parent of its list, and the order in it.
type position struct {
	parent string
	at     time.Time
	id     string
}

// placedRow is a row with its position.
type placedRow[R any] struct {
	position

	row *R
}

// partsOf reads the same page of each parent's list, in one statement after
// those of the cursors. Errors: find's.
func partsOf[R, T any](ctx context.Context, db *DB, k keyset, tenantID string, p Page, parents []string,
	query func(parent any) *bun.SelectQuery, where func(R) position, show func(R) T,
) (map[string]Listed[T], error) {
	b, err := db.find(ctx, k, tenantID, p)
	if err != nil {
		return nil, err
	}
	rows, err := readPerParent[R](ctx, db, parents, func(parent any) *bun.SelectQuery { return b.bound(query(parent)) })
	if err != nil {
		return nil, err
	}
	// Rows may be large: they are neither moved nor copied.
	placed := make([]placedRow[R], len(rows))
	for i, r := range rows {
		placed[i] = placedRow[R]{where(*r), r}
	}
	slices.SortStableFunc(placed, func(a, b placedRow[R]) int {
		if p.Backward != p.Oldest {
			a, b = b, a
		}
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id))
	})
	byParent := make(map[string][]*R, len(parents))
	for _, r := range placed {
		byParent[r.parent] = append(byParent[r.parent], r.row)
	}
	parts := make(map[string]Listed[T], len(parents))
	for _, parent := range parents {
		parts[parent] = newPart(byParent[parent], p, show)
	}
	return parts, nil
}
