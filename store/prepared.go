package store

import (
	"context"
	"database/sql"
	"strconv"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// prepared is a statement that each Postgres connection prepares once, unless a
// pooler is between (conn). Its values are bound instead of written into its
// text, so that there are only a few texts. It is meant for reads that come with
// every request and every task; the writes of transactions are prepared as they
// are (marking).
// On SQLite, whose parser runs in the process, values are written into the
// text.
//
// A prepared is made for one query, which is built on it:
//
//	p := dp.bindsd(db.read)
//	p.NewSelect().Model(&rows).Where("m.id = ?", p.bind(id))
type prepared struct {
	db     *bun.DB
	conn   bun.IConn
	binds  bool // whether values are bound
	values []any
	// lateral reports whether a subquery may refer to the row of the outer query.
	lateral bool
	faults  *Faults
}

var _ bun.IConn = (*prepared)(nil)

// prepared begins a prepared statement on a handle.
func (db *DB) prepared(on *bun.DB) *prepared {
	return &prepared{db: on, conn: db.handle(on), binds: db.dialect.prepares(), lateral: db.dialect.lateral(), faults: db.faults}
}

// planned begins a read that Postgres plans anew each time, for its values: a rare one whose
// best plan depends on whose rows it reads, which a plan for any values can't know.
func (db *DB) planned(on *bun.DB) *prepared {
	p := db.prepared(on)
	p.binds = false
	return p
}

// prepared begins a prepared read in the transaction.
func (tx Tx) prepared() *prepared {
	p := tx.db.prepared(tx.db.write)
	p.conn = tx.batch
	return p
}

// NewSelect begins the query as a SELECT.
func (p *prepared) NewSelect() *bun.SelectQuery { return p.db.NewSelect().Conn(p) }

// NewUpdate begins the query as an UPDATE.
func (p *prepared) NewUpdate() *bun.UpdateQuery { return p.db.NewUpdate().Conn(p) }

// NewRaw begins the query with the given text.
func (p *prepared) NewRaw(query string, args ...any) *bun.RawQuery {
	return p.db.NewRaw(query, args...).Conn(p)
}

// bind returns the query argument that stands for v.
func (p *prepared) bind(v any) any {
	if !p.binds {
		return v
	}
	p.values = append(p.values, v)
	return placeholder(len(p.values))
}

// among returns the arguments of a Where that compares a column with a list of
// texts.
func (p *prepared) among(column string, of []string) (query string, arg any) {
	if !p.binds {
		return column + " IN (?)", bun.List(of)
	}
	return column + " = ANY(?)", p.bind(of)
}

// placeholder is the number of a bound value in a statement's text.
type placeholder int

var _ schema.QueryAppender = placeholder(0)

// AppendQuery writes the placeholder.
func (s placeholder) AppendQuery(_ schema.QueryGen, text []byte) ([]byte, error) {
	return strconv.AppendInt(append(text, '$'), int64(s), 10), nil
}

// QueryContext runs the statement with its values.
func (p *prepared) QueryContext(ctx context.Context, query string, _ ...any) (*sql.Rows, error) {
	p.faults.prepared(query, p.values)
	return p.conn.QueryContext(ctx, query, p.arguments()...)
}

// QueryRowContext runs the statement with its values.
func (p *prepared) QueryRowContext(ctx context.Context, query string, _ ...any) *sql.Row {
	return p.conn.QueryRowContext(ctx, query, p.arguments()...)
}

// ExecContext runs the statement with its values.
func (p *prepared) ExecContext(ctx context.Context, query string, _ ...any) (sql.Result, error) {
	return p.conn.ExecContext(ctx, query, p.arguments()...)
}

// arguments returns the values.
func (p *prepared) arguments() []any {
	if !p.binds {
		return nil
	}
	return p.values
}
