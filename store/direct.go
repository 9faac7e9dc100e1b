package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"reflect"

	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// On Postgres the reads of many rows are scanned by pgx: in binary, into the
// fields of bun's rows. database/sql and bun only pass on pgx's rows, and do
// everything else as for other reads.

// scanner is a query of bun's that returns rows.
type scanner interface {
	Scan(ctx context.Context, dest ...any) error
}

// scanRows returns the rows that a query of b selects.
func scanRows[R any](ctx context.Context, b *prepared, q scanner) (rows []*R, err error) {
	if _, pooled := b.conn.(handle); !pooled || !b.binds || len(b.values) == 0 {
		err = q.Scan(ctx, &rows)
		return rows, err
	}
	err = q.Scan(context.WithValue(ctx, directKey{}, true), &directModel[R]{rows: &rows, table: b.db.Table(reflect.TypeFor[R]())})
	return rows, err
}

// directKey is the key of contexts whose query returns directRows.
type directKey struct{}

// directRows is the result of a query: a single row, with itself as its value.
type directRows struct {
	pgx.Rows

	some bool // whether there is a first row, which has been read
	done bool
}

var _ driver.Rows = (*directRows)(nil)

// queryDirectly runs a query, whose result is directRows. The first row is read,
// so that the query's errors are found at once.
func (c *conn) queryDirectly(ctx context.Context, query string, values []driver.NamedValue) (driver.Rows, error) {
	server := c.Conn.Conn()
	if server.IsClosed() {
		return nil, driver.ErrBadConn
	}
	arguments := make([]any, len(values))
	for i, v := range values {
		arguments[i] = v.Value
	}
	rows, err := server.Query(ctx, query, arguments...)
	if err != nil {
		if pgconn.SafeToRetry(err) {
			return nil, driver.ErrBadConn
		}
		return nil, err
	}
	some := rows.Next()
	if err := rows.Err(); err != nil {
		return nil, err // it has closed the rows
	}
	return &directRows{Rows: rows, some: some}, nil
}

// Columns are the names of the single row's columns.
func (r *directRows) Columns() []string { return []string{"rows"} }

// Next returns the single row.
func (r *directRows) Next(values []driver.Value) error {
	if r.done {
		return io.EOF
	}
	r.done, values[0] = true, r
	return nil
}

// Close ends the query.
func (r *directRows) Close() error {
	r.Rows.Close()
	return r.Err()
}

// directModel has bun scan directRows into rows.
type directModel[R any] struct {
	rows  *[]*R
	table *schema.Table
}

var _ bun.Model = (*directModel[struct{}])(nil)

// Value returns the rows.
func (m *directModel[R]) Value() any { return m.rows }

// ScanRows reads all rows.
func (m *directModel[R]) ScanRows(_ context.Context, from *sql.Rows) (int, error) {
	var single any
	if !from.Next() {
		return 0, from.Err()
	}
	if err := from.Scan(&single); err != nil {
		return 0, err
	}
	rows, ok := single.(*directRows)
	if !ok {
		return 0, fmt.Errorf("the query's result is a %T", single)
	}
	columns := rows.FieldDescriptions()
	fields, to := make([]*schema.Field, len(columns)), make([]any, len(columns))
	for i, column := range columns {
		if fields[i] = m.table.LookupField(column.Name); fields[i] == nil {
			return 0, fmt.Errorf("%s has no column %s", m.table, column.Name)
		}
	}
	for some := rows.some; some; some = rows.Rows.Next() {
		scanned := new(R)
		*m.rows = append(*m.rows, scanned)
		row := reflect.ValueOf(scanned).Elem()
		for i, value := range rows.RawValues() {
			if to[i] = nil; value != nil { // NULL is a field's zero
				to[i] = fields[i].Value(row).Addr().Interface()
			}
		}
		if err := rows.Scan(to...); err != nil {
			return 0, err
		}
	}
	return len(*m.rows), rows.Err()
}

// registerJSON has a connection read JSON as bun's provider does.
func registerJSON(c *pgx.Conn) {
	c.TypeMap().RegisterType(&pgtype.Type{Name: "jsonb", OID: pgtype.JSONBOID, Codec: &pgtype.JSONBCodec{Marshal: jsonv1.Marshal, Unmarshal: jsonv1.Unmarshal}})
}
