package store

import (
	"context"

	"github.com/uptrace/bun"

	"missiond/internal/database"
	"missiond/mission"
)

// findOne returns the record of the row that q selects; ok is false if there is
// none.
func findOne[R, T any](ctx context.Context, on database.Reader, q *bun.SelectQuery, show func(R) T) (record T, ok bool, err error) {
	rows, err := database.Rows[R](ctx, on, q.Model((*R)(nil)))
	if err != nil || len(rows) == 0 {
		return record, false, err
	}
	return show(*rows[0]), true, nil
}

// readOne is findOne for the row with an id. Errors: not_found.
func readOne[R, T any](ctx context.Context, on database.Reader, q *bun.SelectQuery, show func(R) T, noun, id string) (T, error) {
	record, ok, err := findOne(ctx, on, q, show)
	if err == nil && !ok {
		err = mission.NotFound(noun, id)
	}
	return record, err
}

// findAll returns the records of the rows that q selects.
func findAll[R, T any](ctx context.Context, on database.Reader, q *bun.SelectQuery, show func(R) T) ([]T, error) {
	rows, err := database.Rows[R](ctx, on, q.Model((*R)(nil)))
	list := make([]T, len(rows))
	for i, r := range rows {
		list[i] = show(*r)
	}
	return list, err
}

// findMap returns the entries of the rows that q selects.
func findMap[R any, K comparable, V any](ctx context.Context, on database.Reader, q *bun.SelectQuery, entry func(R) (K, V)) (map[K]V, error) {
	rows, err := database.Rows[R](ctx, on, q.Model((*R)(nil)))
	found := make(map[K]V, len(rows))
	for _, r := range rows {
		k, v := entry(*r)
		found[k] = v
	}
	return found, err
}

// byID reads those of a tenant's rows that exist, in one statement, and returns
// the records by id.
func byID[R, T any](ctx context.Context, db *DB, alias, tenantID string, ids []string, show func(R) T, id func(T) string) (map[string]T, error) {
	return findMap(ctx, db.read, db.NewSelect().Where(alias+".tenant_id = ?", tenantID).Where("?", database.In(alias+".id", ids)), func(r R) (string, T) {
		t := show(r)
		return id(t), t
	})
}
