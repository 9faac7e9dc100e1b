package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"
)

// batch is the connection of a transaction. It keeps the transaction's writes
// back, BEGIN included, and sends them together, in their order: before the
// transaction's next read, and at its end.
//
// What goes wrong with a write is therefore returned by a later call, at the
// latest by commit. Once something went wrong, all later calls return the same
// error: the transaction can only be rolled back.
type batch struct {
	conn    *sql.Conn
	dialect dialect
	kept    []*write
	bytes   int
	begun   bool // whether anything was sent
	failed  error
}

var _ bun.IConn = (*batch)(nil)

// write is a statement of a batch.
type write struct {
	text string // with its values, perhaps marked
	// rows is how many rows it must change, or the transaction fails with
	// unmet; nil if any number will do.
	rows  int64
	unmet error
	// changed is how many rows it changed; 0 until it was sent.
	changed int64
}

// Bounds of what a batch keeps back, and of the time to roll back.
const (
	maxWrites     = 64
	maxWriteBytes = 256 << 10
	rollbackLimit = 5 * time.Second
)

// errNotCommitted marks the loss of a connection, perhaps long ago, that was
// noticed with a transaction's first statements, COMMIT not among them.
var errNotCommitted = errors.New("store: the connection was lost before the transaction began")

// errNotSent fails a transaction whose writes a read went ahead of.
var errNotSent = errors.New("store: a read was sent without the writes before it")

// ExecContext keeps a write back.
func (b *batch) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if len(args) > 0 {
		return nil, errors.New("store: a write has its values in its text")
	}
	if b.failed != nil {
		return nil, b.failed
	}
	if err := ctx.Err(); err != nil {
		return nil, b.fail(err)
	}
	if len(b.kept) >= maxWrites || b.bytes >= maxWriteBytes {
		if err := b.flush(ctx); err != nil {
			return nil, err
		}
	}
	b.kept = append(b.kept, &write{text: query})
	b.bytes += len(query)
	return driver.ResultNoRows, nil
}

// QueryContext sends what was kept back, and then a read.
func (b *batch) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if len(b.kept) > 0 && len(args) > 0 && b.dialect.leads() && ctx.Value(directKey{}) != nil {
		return b.queryBehind(ctx, query, args)
	}
	if err := b.flush(ctx); err != nil {
		return nil, err
	}
	ctx, span := traceStatements(ctx, b.dialect.system(), nil, query)
	rows, err := b.conn.QueryContext(ctx, withoutMarks(query), args...)
	endStatements(span, err)
	return rows, b.fail(err)
}

// QueryRowContext sends what was kept back, and then a read. What went wrong
// with the writes is returned by the next call.
func (b *batch) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	_ = b.flush(ctx)
	ctx, span := traceStatements(ctx, b.dialect.system(), nil, query)
	row := b.conn.QueryRowContext(ctx, withoutMarks(query), args...)
	endStatements(span, row.Err())
	return row
}

// last returns the write that was kept back last.
func (b *batch) last() *write { return b.kept[len(b.kept)-1] }

// queryBehind sends what was kept back together with a read.
func (b *batch) queryBehind(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	if b.failed != nil {
		return nil, b.failed
	}
	p := b.take()
	l := &lead{statements: p.texts}
	ctx, span := traceStatements(ctx, b.dialect.system(), p.texts, query)
	rows, err := b.conn.QueryContext(context.WithValue(ctx, leadKey{}, l), query, args...)
	if !l.reached {
		l.err = cmp.Or(err, errNotSent)
	}
	endStatements(span, cmp.Or(l.err, err))
	if failed := b.settle(p, l.changed, l.err); failed != nil {
		if err == nil {
			_ = rows.Close() //nolint:sqlclosecheck // otherwise the caller closes them
		}
		return nil, failed
	}
	if p.first && errors.Is(err, errConnectionLost) {
		err = errors.Join(errNotCommitted, err)
	}
	return rows, b.fail(err)
}

// flush sends what was kept back.
func (b *batch) flush(ctx context.Context) error {
	if b.failed != nil || len(b.kept) == 0 {
		return b.failed
	}
	p := b.take()
	ctx, span := traceStatements(ctx, b.dialect.system(), p.texts)
	changed, err := b.dialect.send(ctx, b.conn, p.texts)
	endStatements(span, err)
	return b.settle(p, changed, err)
}

// parcel is what is sent of a batch at a time.
type parcel struct {
	writes []*write
	texts  []string
	first  bool // whether nothing was sent before
}

// take returns what was kept back, which is sent now.
func (b *batch) take() parcel {
	p := parcel{writes: b.kept, first: !b.begun, texts: make([]string, len(b.kept))}
	for i, w := range b.kept {
		p.texts[i] = w.text
	}
	b.kept, b.bytes, b.begun = nil, 0, true
	return p
}

// settle records what became of a parcel: how many rows those of its writes changed
// that were run, and why one wasn't.
func (b *batch) settle(p parcel, changed []int64, err error) error {
	for i, n := range changed {
		w := p.writes[i]
		if w.changed = n; w.unmet != nil && n != w.rows {
			return b.fail(w.unmet)
		}
	}
	if failed := len(changed); failed < len(p.writes) && p.writes[failed].unmet != nil && isUnmet(err) {
		return b.fail(p.writes[failed].unmet)
	}
	if p.first && errors.Is(err, errConnectionLost) && p.texts[len(p.texts)-1] != commit {
		err = errors.Join(errNotCommitted, err)
	}
	return b.fail(err)
}

// fail keeps the error that the transaction fails with.
func (b *batch) fail(err error) error {
	err = waited(err)
	if b.failed == nil {
		b.failed = err
	}
	return err
}

const commit = "COMMIT"

// commit sends what was kept back and COMMIT: together, unless a write must
// change rows and the database doesn't check that itself.
func (b *batch) commit(ctx context.Context, db *bun.DB) error {
	if !b.begun && len(b.kept) == 1 {
		return nil // it did nothing
	}
	if err := b.check(ctx); err != nil {
		return err
	}
	if _, err := db.NewRaw(commit).Conn(b).Exec(ctx); err != nil {
		return err
	}
	return b.flush(ctx)
}

// check sends what was kept back if a write in it must change rows and the
// database doesn't check that itself.
func (b *batch) check(ctx context.Context) error {
	if !b.dialect.demands() && slices.ContainsFunc(b.kept, func(w *write) bool { return w.unmet != nil }) {
		return b.flush(ctx)
	}
	return nil
}

// rollback ends a transaction that wasn't committed. A connection that fails to
// is closed, whereupon the database does it. ctx may have ended.
func (b *batch) rollback(ctx context.Context) {
	if !b.begun {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackLimit)
	defer cancel()
	ctx, span := traceStatements(ctx, b.dialect.system(), nil, "ROLLBACK")
	_, err := b.conn.ExecContext(ctx, "ROLLBACK")
	endStatements(span, err)
	if err != nil {
		_ = b.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
