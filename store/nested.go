package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// perParent reads the rows below several records in one statement: for each of
// parents the rows of query, which gets the parent's id, or the SQL name of it.
func (db *DB) perParent(ctx context.Context, b *prepared, rows any, parents []string, query func(b *prepared, parent any) *bun.SelectQuery) error {
	if !db.dialect.lateral() {
		return perParent(ctx, b.NewRaw, rows, parents, func(parent string) *bun.SelectQuery { return query(b, parent) })
	}
	if len(parents) == 0 {
		return nil
	}
	return b.NewRaw("SELECT part.* FROM unnest(?::text[]) AS parent (id) CROSS JOIN LATERAL (?) AS part",
		b.bind(parents), query(b, bun.Safe("parent.id"))).Scan(ctx, rows)
}

// perParent is DB.perParent with a query that raw begins, for a few parents: its
// text grows with their number.
func perParent(ctx context.Context, raw func(query string, args ...any) *bun.RawQuery, rows any, parents []string, query func(parent string) *bun.SelectQuery) error {
	if len(parents) == 0 {
		return nil
	}
	parts, args := make([]string, len(parents)), make([]any, len(parents))
	for i, id := range parents {
		parts[i], args[i] = "SELECT * FROM (?) AS part", query(id)
	}
	return raw(strings.Join(parts, " UNION ALL "), args...).Scan(ctx, rows)
}

// position is where a row belongs: the parent of its list, and the order in it.
type position struct {
	parent string
	at     time.Time
	id     string
}

// partsOf reads the same page of each parent's list, in one statement after
// those of the cursors. Errors: find's.
func partsOf[R, T any](ctx context.Context, db *DB, k keyset, tenantID string, p Page, parents []string,
	query func(b *prepared, parent any) *bun.SelectQuery, where func(R) position, show func(R) T,
) (map[string]Part[T], error) {
	b, err := db.find(ctx, k, tenantID, p)
	if err != nil {
		return nil, err
	}
	var rows []R
	err = db.perParent(ctx, db.prepared(db.read), &rows, parents, func(values *prepared, parent any) *bun.SelectQuery { return b.bound(values, query(values, parent)) })
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(x, y R) int {
		a, b := where(x), where(y)
		if p.Backward != p.Oldest {
			a, b = b, a
		}
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id))
	})
	byParent := map[string][]R{}
	for _, r := range rows {
		parent := where(r).parent
		byParent[parent] = append(byParent[parent], r)
	}
	parts := make(map[string]Part[T], len(parents))
	for _, parent := range parents {
		parts[parent] = newPart(byParent[parent], p, show)
	}
	return parts, nil
}
