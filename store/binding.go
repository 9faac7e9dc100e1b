package store

import (
	"context"
	"database/sql"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// binding is a statement that each connection of Postgres's prepares once: its
// values are bound to it instead of being written into its text, so that the
// text is one of few. It is for reads that come with every request and every
// task. SQLite, whose parser is in the process, has the values written as ever.
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

// bound begins a read whose statement is prepared.
func (db *DB) bound() *binding {
	return &binding{on: db.read, conn: db.read.DB, prepare: db.dialect.prepares(), faults: db.faults}
}

// written begins a read whose values are written into its text: what is found by
// a word is planned by how common the word is.
func (db *DB) written() *binding { return &binding{on: db.read, conn: db.read.DB} }

// boundWrite begins a statement that is prepared, where writes go.
func (db *DB) boundWrite() *binding {
	return &binding{on: db.write, conn: db.write.DB, prepare: db.dialect.prepares(), faults: db.faults}
}

// bound begins a read of the transaction whose statement is prepared.
func (tx Tx) bound() *binding {
	return &binding{on: tx.tx, conn: tx.tx.Tx, prepare: tx.db.dialect.prepares(), faults: tx.db.faults}
}

// NewSelect begins the binding's query.
func (b *binding) NewSelect() *bun.SelectQuery {
	if !b.prepare {
		return b.on.NewSelect()
	}
	return b.on.NewSelect().Conn(b)
}

// NewUpdate begins the binding's query.
func (b *binding) NewUpdate() *bun.UpdateQuery {
	if !b.prepare {
		return b.on.NewUpdate()
	}
	return b.on.NewUpdate().Conn(b)
}

// NewRaw begins the binding's query with its text.
func (b *binding) NewRaw(query string, args ...any) *bun.RawQuery {
	if !b.prepare {
		return b.on.NewRaw(query, args...)
	}
	return b.on.NewRaw(query, args...).Conn(b)
}

// bind returns what stands for a value in the query's arguments.
func (b *binding) bind(v any) any {
	if !b.prepare {
		return v
	}
	b.values = append(b.values, v)
	return placeholder(len(b.values))
}

// among returns the arguments of a Where: a column is one of some texts.
func (b *binding) among(column string, of []string) (query string, arg any) {
	if !b.prepare {
		return column + " IN (?)", bun.List(of)
	}
	return column + " = ANY(?)", b.bind(of)
}

// slot is the place of a bound value in a statement's text.
type placeholder int

var _ schema.QueryAppender = placeholder(0)

// AppendQuery writes the place.
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

// arguments begin with what overrides the connection's ways.
func (b *binding) arguments() []any {
	return append([]any{pgx.QueryExecModeCacheStatement}, b.values...)
}
