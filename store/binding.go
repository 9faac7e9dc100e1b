package store

import (
	"context"
	"database/sql"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// binding is a statement that each Postgres connection prepares once. Its
// values are bound instead of written into its text, so that there are only a
// few texts. It is meant for reads that come with every request and every task.
// On SQLite, whose parser runs in the process, values are written into the
// text.
//
// A binding is made for one query, which is built on it:
//
//	b := db.bound()
//	b.NewSelect().Model(&rows).Where("m.id = ?", b.bind(id))
type binding struct {
	on      bun.IDB
	conn    bun.IConn
	prepare bool
	values  []any
	faults  *Faults
}

var _ bun.IConn = (*binding)(nil)

// bound begins a prepared read.
func (db *DB) bound() *binding {
	return &binding{on: db.read, conn: db.read.DB, prepare: db.dialect.prepares(), faults: db.faults}
}

// written begins a read whose values are written into its text. The plan of a
// search by words depends on how common each word is.
func (db *DB) written() *binding { return &binding{on: db.read, conn: db.read.DB} }

// boundWrite begins a prepared statement on the handle for writes.
func (db *DB) boundWrite() *binding {
	return &binding{on: db.write, conn: db.write.DB, prepare: db.dialect.prepares(), faults: db.faults}
}

// bound begins a prepared read in the transaction.
func (tx Tx) bound() *binding {
	return &binding{on: tx.tx, conn: tx.tx.Tx, prepare: tx.db.dialect.prepares(), faults: tx.db.faults}
}

// NewSelect begins the binding's query as a SELECT.
func (b *binding) NewSelect() *bun.SelectQuery {
	if !b.prepare {
		return b.on.NewSelect()
	}
	return b.on.NewSelect().Conn(b)
}

// NewUpdate begins the binding's query as an UPDATE.
func (b *binding) NewUpdate() *bun.UpdateQuery {
	if !b.prepare {
		return b.on.NewUpdate()
	}
	return b.on.NewUpdate().Conn(b)
}

// NewRaw begins the binding's query with the given text.
func (b *binding) NewRaw(query string, args ...any) *bun.RawQuery {
	if !b.prepare {
		return b.on.NewRaw(query, args...)
	}
	return b.on.NewRaw(query, args...).Conn(b)
}

// bind returns the query argument that stands for v.
func (b *binding) bind(v any) any {
	if !b.prepare {
		return v
	}
	b.values = append(b.values, v)
	return placeholder(len(b.values))
}

// among returns the arguments of a Where that compares a column with a list of
// texts.
func (b *binding) among(column string, of []string) (query string, arg any) {
	if !b.prepare {
		return column + " IN (?)", bun.List(of)
	}
	return column + " = ANY(?)", b.bind(of)
}

// placeholder is the number of a bound value in a statement's text.
type placeholder int

var _ schema.QueryAppender = placeholder(0)

// AppendQuery writes the placeholder.
func (s placeholder) AppendQuery(_ schema.QueryGen, text []byte) ([]byte, error) {
	return strconv.AppendInt(append(text, '$'), int64(s), 10), nil
}

// QueryContext runs the statement with its values.
func (b *binding) QueryContext(ctx context.Context, query string, _ ...any) (*sql.Rows, error) {
	b.faults.bound(query, b.values)
	return b.conn.QueryContext(ctx, query, b.arguments()...)
}

// QueryRowContext runs the statement with its values.
func (b *binding) QueryRowContext(ctx context.Context, query string, _ ...any) *sql.Row {
	return b.conn.QueryRowContext(ctx, query, b.arguments()...)
}

// ExecContext runs the statement with its values.
func (b *binding) ExecContext(ctx context.Context, query string, _ ...any) (sql.Result, error) {
	return b.conn.ExecContext(ctx, query, b.arguments()...)
}

// arguments returns the values, preceded by the mode that overrides the
// connection's own.
func (b *binding) arguments() []any {
	return append([]any{pgx.QueryExecModeCacheStatement}, b.values...)
}
