package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// A transaction writes a dozen rows of a dozen tables, and asks the database
// for little. So that it doesn't wait for the answer to each, its writes are
// kept back until something is asked, and sent with that: BEGIN with the first
// read, the last writes with COMMIT. Nothing is sent in another order than it
// was written in. What goes wrong with a write is so told by what follows it,
// at the latest by COMMIT: nobody may rely on a write before.

// deferringKey marks the contexts of transactions whose writes may be kept back.
type deferringKey struct{}

// want is how many rows a write must change, and what it fails with otherwise.
type want struct {
	rows      int64
	otherwise error
}

// unmet returns what is wrong with how many rows were changed.
func (w want) unmet(changed int64) error {
	if w.otherwise == nil || changed == w.rows {
		return nil
	}
	return w.otherwise
}

// wantKey marks the contexts of writes that must change rows.
type wantKey struct{}

// Bounds of what is kept back, and of the end of a transaction that came to
// nothing.
const (
	maxDeferred   = 64
	maxDeferBytes = 256 << 10
	rollbackLimit = 5 * time.Second
)

// deferringConnector opens connections that keep writes back.
type deferringConnector struct{ driver.Connector }

// Connect opens a connection.
func (c deferringConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := opened.(*stdlib.Conn)
	if !ok {
		return nil, fmt.Errorf("the driver's connection is a %T", opened)
	}
	return &deferringConn{Conn: conn}, nil
}

// deferringConn is a connection; it keeps back the writes of a transaction that
// allows it, and behaves as pgx's does in all else.
type deferringConn struct {
	*stdlib.Conn
	tx *deferringTx // nil outside such a transaction
}

var (
	_ driver.ConnBeginTx     = (*deferringConn)(nil)
	_ driver.ExecerContext   = (*deferringConn)(nil)
	_ driver.QueryerContext  = (*deferringConn)(nil)
	_ driver.SessionResetter = (*deferringConn)(nil)
)

// BeginTx begins a transaction: with its first statement, where writes may be
// kept back.
func (c *deferringConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if ctx.Value(deferringKey{}) == nil || o != (driver.TxOptions{}) {
		return c.Conn.BeginTx(ctx, o)
	}
	if c.Conn.Conn().IsClosed() {
		return nil, driver.ErrBadConn
	}
	c.tx = &deferringTx{conn: c, ctx: ctx}
	c.tx.keep(ctx, "BEGIN")
	return c.tx, nil
}

// ExecContext keeps a write back; its result is known once it is asked for.
func (c *deferringConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.tx == nil {
		return c.Conn.ExecContext(ctx, query, args)
	}
	if c.tx.failed != nil {
		return nil, c.tx.failed
	}
	if len(args) > 0 {
		return nil, errors.New("bug: a write of a transaction has its values in its text")
	}
	kept := c.tx.keep(ctx, query)
	if len(c.tx.kept) >= maxDeferred || c.tx.bytes >= maxDeferBytes {
		return kept, c.tx.flush(ctx)
	}
	return kept, nil
}

// QueryContext sends what was kept back, with a question.
func (c *deferringConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.tx == nil {
		return c.Conn.QueryContext(ctx, query, args)
	}
	if c.tx.failed != nil {
		return nil, c.tx.failed
	}
	return c.tx.ask(ctx, query, args)
}

// ResetSession makes the connection ready for whoever comes next.
func (c *deferringConn) ResetSession(ctx context.Context) error {
	c.tx = nil
	return c.Conn.ResetSession(ctx)
}

// deferringTx is a transaction with the writes that it keeps back.
type deferringTx struct {
	conn  *deferringConn
	ctx   context.Context //nolint:containedctx // database/sql gives COMMIT none
	kept  []*keptWrite
	bytes int
	// begun reports whether anything was sent.
	begun bool
	// failed is what the transaction came to nothing by.
	failed error
}

// keptWrite is a write that is sent later.
type keptWrite struct {
	tx    *deferringTx
	ctx   context.Context //nolint:containedctx // who asks for its result has none
	query string
	want  want
	guard bool
	sent  bool
	tag   pgconn.CommandTag
}

// LastInsertId isn't known to Postgres.
func (*keptWrite) LastInsertId() (int64, error) {
	return 0, errors.New("store: Postgres tells no last id")
}

// RowsAffected has the write sent, where it wasn't yet.
func (w *keptWrite) RowsAffected() (int64, error) {
	if !w.sent {
		if err := w.tx.flush(w.ctx); err != nil {
			return 0, err
		}
	}
	return w.tag.RowsAffected(), nil
}

func (tx *deferringTx) keep(ctx context.Context, query string) *keptWrite {
	rows, _ := ctx.Value(wantKey{}).(want)
	w := &keptWrite{tx: tx, ctx: ctx, query: query, want: rows}
	tx.kept = append(tx.kept, w)
	tx.bytes += len(query)
	return w
}

// batch takes what is kept back, to be sent.
func (tx *deferringTx) batch() (*pgconn.Batch, []*keptWrite) {
	b := &pgconn.Batch{}
	for _, w := range tx.kept {
		b.ExecParams(w.query, nil, nil, nil, nil)
	}
	writes := tx.kept
	tx.kept, tx.bytes, tx.begun = nil, 0, true
	return b, writes
}

// flush sends what is kept back.
func (tx *deferringTx) flush(ctx context.Context) error {
	if tx.failed != nil || len(tx.kept) == 0 {
		return tx.failed
	}
	first := !tx.begun
	b, writes := tx.batch()
	results := tx.conn.Conn.Conn().PgConn().ExecBatch(ctx, b)
	err := cmp.Or(tx.written(results, writes), results.Close())
	if writes[len(writes)-1].query == commit {
		return tx.fail(err) // perhaps it was committed: it must not run again
	}
	return tx.fail(tx.unbegun(first, err))
}

// written takes the results of writes, and answers what is wrong with the first
// of them.
func (tx *deferringTx) written(results *pgconn.MultiResultReader, writes []*keptWrite) (wrong error) {
	for _, w := range writes {
		if !results.NextResult() {
			return cmp.Or(wrong, results.Close(), errNoAnswer)
		}
		tag, err := results.ResultReader().Close()
		if err != nil {
			return cmp.Or(wrong, w.meaning(err))
		}
		w.sent, w.tag = true, tag
		if !w.guard {
			wrong = cmp.Or(wrong, w.want.unmet(tag.RowsAffected()))
		}
	}
	return wrong
}

// meaning returns what a write fails with whose guard has seen that it changes
// too few rows, or too many.
func (w *keptWrite) meaning(err error) error {
	var pg *pgconn.PgError
	if w.guard && errors.As(err, &pg) && pg.Code == divisionByZero {
		return w.want.otherwise
	}
	return err
}

var errNoAnswer = errors.New("store: the database has not answered a statement")

// commit ends a transaction with its writes.
const commit = "COMMIT"

// errUnbegun marks the loss of a connection, perhaps long ago, that was noticed
// with a transaction's first statements: nothing can have been committed.
var errUnbegun = errors.New("store: the connection was lost")

// unbegun marks an error of a batch without COMMIT where it was the first.
func (tx *deferringTx) unbegun(first bool, err error) error {
	if err != nil && first && tx.conn.Conn.Conn().IsClosed() {
		return errors.Join(errUnbegun, err)
	}
	return err
}

// fail keeps what the transaction came to nothing by.
func (tx *deferringTx) fail(err error) error {
	if err != nil && tx.failed == nil {
		tx.failed = err
	}
	return err
}

// ask sends what is kept back with a question behind it.
func (tx *deferringTx) ask(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	conn, first := tx.conn.Conn.Conn(), !tx.begun
	b, writes := tx.batch()
	if len(args) == 0 {
		b.ExecParams(query, nil, nil, nil, nil)
	} else {
		values := make([]any, 0, len(args))
		for _, a := range args {
			if _, mode := a.Value.(pgx.QueryExecMode); !mode {
				values = append(values, a.Value)
			}
		}
		statement, err := conn.Prepare(ctx, query, query)
		if err != nil {
			return nil, tx.fail(err)
		}
		var encoded pgx.ExtendedQueryBuilder
		if err := encoded.Build(conn.TypeMap(), statement, values); err != nil {
			return nil, tx.fail(err)
		}
		b.ExecStatement(statement, encoded.ParamValues, encoded.ParamFormats, nil)
	}
	results := conn.PgConn().ExecBatch(ctx, b)
	if err := tx.written(results, writes); err != nil {
		_ = results.Close() // what is wrong is known
		return nil, tx.fail(tx.unbegun(first, err))
	}
	if !results.NextResult() {
		return nil, tx.fail(tx.unbegun(first, cmp.Or(results.Close(), errNoAnswer)))
	}
	return &textRows{tx: tx, results: results, reader: results.ResultReader(), types: conn.TypeMap()}, nil
}

// guarded has the database itself see that a write changes as many rows as it
// must, by a division by zero, so that a COMMIT may follow it at once.
func (w *keptWrite) guarded() {
	w.query = fmt.Sprintf("WITH changed AS (%s RETURNING 1) SELECT 1 / (count(*) = %d)::int FROM changed", w.query, w.want.rows)
	w.guard = true
}

// Commit sends what is kept back, and ends the transaction, in one go.
func (tx *deferringTx) Commit() error {
	tx.conn.tx = nil
	if tx.failed == nil && !tx.begun && len(tx.kept) == 1 {
		return nil // it did nothing
	}
	for _, w := range tx.kept {
		if w.want.otherwise != nil {
			w.guarded()
		}
	}
	if tx.failed == nil {
		last := tx.keep(context.WithoutCancel(tx.ctx), commit)
		if err := tx.flush(tx.ctx); err == nil && last.tag.String() != commit {
			tx.failed = fmt.Errorf("store: COMMIT was answered with %s", last.tag)
		}
	}
	if tx.failed != nil {
		return errors.Join(tx.failed, tx.end())
	}
	return nil
}

// Rollback ends the transaction without its writes.
func (tx *deferringTx) Rollback() error {
	tx.conn.tx = nil
	return tx.end()
}

// end has the database forget the transaction. A connection that is lost has
// done that.
func (tx *deferringTx) end() error {
	tx.kept = nil
	conn := tx.conn.Conn.Conn()
	if !tx.begun || conn.IsClosed() || conn.PgConn().TxStatus() == 'I' {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), rollbackLimit)
	defer cancel()
	return conn.PgConn().Exec(ctx, "ROLLBACK").Close()
}
