package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"missiond/internal/database"
	"missiond/mission"
)

// Page selects up to Limit rows of a list, whose newest row comes first: rows
// after the id After and before the id Before, where "" is no bound.
type Page struct {
	After, Before string
	Limit         int
	// Backward takes the last such rows instead of the first.
	Backward bool
	// Oldest reverses the list: the oldest come first.
	Oldest bool
	// Total requests the length of the list, of lists that can return it with
	// the page.
	Total bool
	// Columns are the columns that are read of each record.
	Columns Columns
}

// Listed is the records that a Page selects of a list.
type Listed[T any] struct {
	List []T
	More bool // whether there are more
	// Total is the length of the whole list, of lists that return it with their
	// pages, or Uncounted.
	Total int
	// Next is the cursor for what comes after the page if that isn't its last
	// record.
	Next string
}

// Uncounted is the length of a list that is too long to be counted.
const Uncounted = -1

// Columns are names of columns of a table, separated by commas. Records have
// only their ids and these columns. "" is all columns.
type Columns string

// without removes a name that stands for more than a column, and reports
// whether it was asked for.
func (c Columns) without(name string) (rest Columns, asked bool) {
	if c == "" {
		return "", true
	}
	names := strings.Split(string(c), ",")
	left := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
	return Columns(strings.Join(append(left, "id"), ",")), len(left) < len(names)
}

// of makes a query of a table, given its alias, read the columns, and those in
// own that the store itself needs.
func (c Columns) of(alias string, q *bun.SelectQuery, own ...string) *bun.SelectQuery {
	if c == "" {
		return q.ColumnExpr("?.*", bun.Safe(alias))
	}
	q.ColumnExpr("?.id", bun.Safe(alias))
	for name := range strings.SplitSeq(string(c), ",") {
		if name != "id" && !slices.Contains(own, name) {
			q.ColumnExpr("?.?", bun.Safe(alias), bun.Ident(name))
		}
	}
	for _, name := range own {
		q.ColumnExpr("?.?", bun.Safe(alias), bun.Ident(name))
	}
	return q
}

// keyset is the order of a tenant's list: by time and id, newest first, or by
// the id alone if it contains the time.
type keyset struct {
	table  string // the table in which cursors are looked up
	noun   string
	at, id string // the columns, with their alias; at is "" for the id alone
	// time is the column of a cursor's time, or an expression; "" is created_at.
	// Rows without a time aren't in the list.
	time string
}

// bounds are the limits of a page in its list: the times of its cursors, or the
// queries that look them up.
type bounds struct {
	keyset
	Page
	after, before any
}

// find looks up the times of a page's cursors. Errors: invalid_request without a
// param if a cursor isn't one of the tenant's rows.
func (db *DB) find(ctx context.Context, k keyset, tenantID string, p Page) (bounds, error) {
	b := bounds{keyset: k, Page: p}
	for cursor, at := range map[string]*any{p.After: &b.after, p.Before: &b.before} {
		if cursor == "" {
			continue
		}
		var found time.Time
		if err := db.findCursor(ctx, k, tenantID, cursor, "at", &found); err != nil {
			return b, err
		}
		*at = found
	}
	return b, nil
}

// checkCursors returns find's errors.
func (db *DB) checkCursors(ctx context.Context, k keyset, tenantID string, p Page) error {
	for _, cursor := range []string{p.After, p.Before} {
		if cursor == "" {
			continue
		}
		var found int
		if err := db.findCursor(ctx, k, tenantID, cursor, "1", &found); err != nil {
			return err
		}
	}
	return nil
}

// findCursor reads an expression of a cursor's row. Errors: find's.
func (db *DB) findCursor(ctx context.Context, k keyset, tenantID, cursor, expr string, found any) error {
	err := database.Scan(ctx, db.read, db.NewSelect().TableExpr("(?) AS found", k.lookup(tenantID, cursor)).ColumnExpr(expr).
		Where("at IS NOT NULL"), found)
	if errors.Is(err, sql.ErrNoRows) {
		return mission.Invalid("", "Invalid cursor %q: there is no %s with this id.", cursor, k.noun)
	}
	return err
}

// lookup returns the query of a cursor's time.
func (k keyset) lookup(tenantID, cursor string) schema.QueryWithArgs {
	return bun.SafeQuery("SELECT ? AS at FROM ? WHERE tenant_id = ? AND id = ?",
		bun.Safe(cmp.Or(k.time, "created_at")), bun.Ident(k.table), tenantID, cursor)
}

// page returns the bounds of a page whose statement also looks up its cursors.
func (k keyset) page(tenantID string, p Page) bounds {
	b := bounds{keyset: k, Page: p}
	for cursor, at := range map[string]*any{p.After: &b.after, p.Before: &b.before} {
		if cursor != "" {
			*at = bun.SafeQuery("(?)", k.lookup(tenantID, cursor))
		}
	}
	return b
}

// bound adds the page's bounds, order and limit to q. It reads one row more
// than the limit, which newPart removes again.
func (b bounds) bound(q *bun.SelectQuery) *bun.SelectQuery {
	afterOp, beforeOp := "<", ">"
	if b.Oldest {
		afterOp, beforeOp = beforeOp, afterOp
	}
	for _, edge := range []struct {
		cursor, than string
		at           any
	}{{b.After, afterOp, b.after}, {b.Before, beforeOp, b.before}} {
		switch {
		case edge.cursor == "":
		case b.at == "":
			q.Where("? ? ?", bun.Safe(b.id), bun.Safe(edge.than), edge.cursor)
		default:
			q.Where("(?, ?) ? (?, ?)", bun.Safe(b.at), bun.Safe(b.id), bun.Safe(edge.than), edge.at, edge.cursor)
		}
	}
	direction := "DESC"
	if b.Backward != b.Oldest {
		direction = "ASC"
	}
	if b.at != "" {
		q.OrderExpr("? ?", bun.Safe(b.at), bun.Safe(direction))
	}
	return q.OrderExpr("? ?", bun.Safe(b.id), bun.Safe(direction)).Limit(int64(b.Limit) + 1)
}

// readPart reads the page of the tenant's list whose rows q selects. The same
// statement looks up the cursors. Errors: find's.
func readPart[R, T any](ctx context.Context, db *DB, q *bun.SelectQuery, k keyset, tenantID string, p Page, show func(R) T) (Listed[T], error) {
	return readPartOn(ctx, db, db.read, q, k, tenantID, p, show)
}

func readPartOn[R, T any](ctx context.Context, db *DB, on database.Reader, q *bun.SelectQuery, k keyset, tenantID string, p Page, show func(R) T) (Listed[T], error) {
	b := k.page(tenantID, p)
	for _, at := range []any{b.after, b.before} {
		if at != nil && k.at == "" {
			q.Where("EXISTS ?", at)
		}
	}
	rows, err := database.Rows[R](ctx, on, b.bound(q.Model((*R)(nil))))
	if err != nil {
		return Listed[T]{}, err
	}
	if len(rows) == 0 && p.After+p.Before != "" {
		if err := db.checkCursors(ctx, k, tenantID, p); err != nil {
			return Listed[T]{}, err
		}
	}
	return newPart(rows, p, show), nil
}

// newPart returns the page's records, in the order of the list, of the rows
// that bound's query has found.
func newPart[R, T any](rows []*R, p Page, show func(R) T) Listed[T] {
	more := len(rows) > p.Limit
	rows = rows[:min(len(rows), p.Limit)]
	if p.Backward {
		slices.Reverse(rows)
	}
	part := Listed[T]{List: make([]T, len(rows)), More: more}
	for i, r := range rows {
		part.List[i] = show(*r)
	}
	return part
}
