package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"

	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// On Postgres the rows of prepared reads are scanned by pgx: in binary, into the
// fields of bun's rows. database/sql and bun only pass on pgx's rows, and do
// everything else as for other reads.

// reading is a query of bun's that returns rows.
type reading interface {
	DB() *bun.DB
	Scan(ctx context.Context, dest ...any) error
}

// scanRows returns the rows that a query selects.
func scanRows[R any](ctx context.Context, q reading) (rows []*R, err error) {
	ctx = context.WithValue(ctx, directKey{}, true)
	err = q.Scan(ctx, &directModel[R]{rows: &rows, db: q.DB()})
	if leaveReplica(ctx, err) {
		rows = nil
		err = q.Scan(ctx, &directModel[R]{rows: &rows, db: q.DB()})
	}
	return rows, err
}

// directKey is the key of contexts whose query returns directRows, if it is a
// prepared one on Postgres.
type directKey struct{}

// directRows is the result of a query: a single row, with itself as its value.
// database/sql closes it as soon as the query's context ends, perhaps while it is
// being read.
type directRows struct {
	pgx.Rows

	mu     sync.Mutex // held while pgx's rows are used
	closed bool

	some bool // whether there is a first row, which has been read
	done bool
	end  func(error) error // ends the message that the query was part of; nil if there is none
}

// queryDirectly runs a query, whose result is directRows. The first row is read,
// so that the query's errors are found at once.
func (c *conn) queryDirectly(ctx context.Context, query string, values []driver.NamedValue) (driver.Rows, error) {
	if l, ok := ctx.Value(leadKey{}).(*lead); ok {
		l.reached = true
		texts, ok := textsOf(values)
		if ok && c.mode == pgx.QueryExecModeCacheStatement {
			return c.queryBehind(ctx, l, query, texts)
		}
		if l.changed, l.err = c.send(ctx, l.statements); l.err != nil {
			return nil, l.err
		}
	}
	server := c.Conn.Conn()
	if server.IsClosed() {
		return nil, unusable(ctx)
	}
	arguments := make([]any, 0, len(values)+1)
	arguments = append(arguments, c.mode)
	for _, v := range values {
		arguments = append(arguments, v.Value)
	}
	rows, err := server.Query(ctx, query, arguments...)
	if err != nil {
		if pgconn.SafeToRetry(err) {
			return nil, unusable(ctx)
		}
		return nil, err
	}
	some := rows.Next()
	if err := rows.Err(); err != nil {
		return nil, err // it has closed the rows
	}
	return &directRows{Rows: rows, some: some}, nil
}

// unusable returns why a connection took no query: the end of the context, which may
// have closed it, or driver.ErrBadConn, whereupon database/sql takes another.
func unusable(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return driver.ErrBadConn
}

// leadKey is the key of a context's *lead.
type leadKey struct{}

// lead is writes of a transaction that are sent before a read, in one message if
// possible.
type lead struct {
	statements []string
	reached    bool // whether the connection has taken them over
	// changed is how many rows each of those changed that were run, err why one wasn't.
	changed []int64
	err     error
}

// textsOf returns values that are texts. ok is false if one isn't.
func textsOf(values []driver.NamedValue) (texts [][]byte, ok bool) {
	texts = make([][]byte, len(values))
	for i, v := range values {
		text, ok := v.Value.(string)
		if !ok {
			return nil, false
		}
		texts[i] = []byte(text)
	}
	return texts, true
}

// queryBehind is queryDirectly for a query that is sent in one message with what
// comes before it.
func (c *conn) queryBehind(ctx context.Context, l *lead, query string, values [][]byte) (driver.Rows, error) {
	statements, skip := c.whole(l.statements)
	m := c.newMessage(ctx)
	m.write(statements)
	m.add(query, values, []int16{pgx.BinaryFormatCode})
	err := m.p.Sync()
	var tags []pgconn.CommandTag
	if err == nil {
		tags, err = m.tags(len(statements))
	}
	var result *pgconn.ResultReader
	if err == nil && len(tags) == len(statements) {
		result, err = m.next()
	}
	if err != nil || result == nil {
		err = m.end(err)
		if err == nil {
			err = errors.New("store: the server has sent no result")
		}
		l.changed, l.err = c.sent(tags, skip, err)
		return nil, l.err
	}
	if l.changed, l.err = c.sent(tags, skip, nil); l.err != nil {
		return nil, m.end(l.err)
	}
	rows := pgx.RowsFromResultReader(c.Conn.Conn().TypeMap(), result)
	some := rows.Next()
	if err := rows.Err(); err != nil {
		delete(c.named, query) // its plan may be out of date
		err = m.end(err)
		_, err = c.sent(nil, 0, err)
		return nil, err
	}
	return &directRows{Rows: rows, some: some, end: m.end}, nil
}

// Columns are the names of the single row's columns.
func (r *directRows) Columns() []string { return []string{directColumn} }

const directColumn = "pgx.Rows"

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
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	r.Rows.Close()
	if r.end != nil {
		return r.end(r.Err())
	}
	return r.Err()
}

// directModel has bun scan into rows, which may be directRows.
type directModel[R any] struct {
	rows *[]*R
	db   *bun.DB
}

var _ bun.Model = (*directModel[struct{}])(nil)

// Value returns the rows.
func (m *directModel[R]) Value() any { return m.rows }

// ScanRows reads all rows.
func (m *directModel[R]) ScanRows(ctx context.Context, from *sql.Rows) (int, error) {
	if columns, err := from.Columns(); err != nil || len(columns) != 1 || columns[0] != directColumn {
		err = m.db.ScanRows(ctx, from, m.rows)
		return len(*m.rows), err
	}
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
	rows.mu.Lock()
	defer rows.mu.Unlock()
	if rows.closed {
		return 0, cmp.Or(ctx.Err(), sql.ErrConnDone)
	}
	table := m.db.Table(reflect.TypeFor[R]())
	columns := rows.FieldDescriptions()
	fields, to := make([]*schema.Field, len(columns)), make([]any, len(columns))
	for i, column := range columns {
		if fields[i] = table.LookupField(column.Name); fields[i] == nil {
			return 0, fmt.Errorf("%s has no column %s", table, column.Name)
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
