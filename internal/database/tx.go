package database

import (
	"context"
	"errors"
	"time"
)

// Tx is a transaction. It keeps its writes back, BEGIN included, and sends them together, in
// their order: with its next read, and at its end with COMMIT.
//
// What goes wrong with a write is therefore returned by a later call, at the latest by
// Commit's, on both databases alike. Once something went wrong, all later calls return the
// same error: the transaction can only be rolled back.
type Tx struct {
	db      *DB
	conn    connection
	pending []*Write
	bytes   int
	begun   bool // whether anything was sent
	failed  error
}

var _ Reader = (*Tx)(nil)

// Write is a statement of a transaction's.
type Write struct {
	statement

	// rows is how many rows it must change, or the transaction fails with unmet; any number
	// will do if that is nil.
	rows    int64
	unmet   error
	changed int64
}

// Changed returns how many rows the write has changed; 0 until it was sent.
func (w *Write) Changed() int { return int(w.changed) }

// Bounds of what a transaction keeps back, and of the time to roll back.
const (
	maxWrites     = 64
	maxWriteBytes = 256 << 10
	rollbackLimit = 5 * time.Second
)

// txAttempts is how often Tx runs a function whose transaction the database
// aborts because of a concurrent one.
const txAttempts = 5

const commit = "COMMIT"

// Tx runs fn in a transaction and commits it if fn returns nil. If the database aborts the
// transaction because of a concurrent one, fn runs again, so it must have no effect except on
// tx and the variables it assigns.
func (db *DB) Tx(ctx context.Context, fn func(tx *Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := db.once(ctx, db.Writes, false, fn)
		if err == nil || attempt == txAttempts || !db.engine.retryable(err) {
			return err
		}
	}
}

// View runs fn in a transaction that only reads, on the primary: what it writes is refused.
// It keeps nobody from writing.
func (db *DB) View(ctx context.Context, fn func(tx *Tx) error) error {
	return db.once(ctx, db.Reads, true, fn)
}

// once runs fn in one transaction. A transaction that isn't known to be committed is rolled
// back, even after a panic, because SQLite has only one writer.
func (db *DB) once(ctx context.Context, p *Pool, readOnly bool, fn func(tx *Tx) error) error {
	tx := &Tx{db: db}
	err := patiently(ctx, func() (err error) {
		tx.conn, err = p.from.acquire(ctx)
		return err
	})
	if err != nil {
		return err
	}
	defer tx.conn.release()
	ended := false
	defer func() {
		if !ended {
			tx.rollback(ctx)
		}
	}()
	if _, err := tx.add(ctx, &Write{statement: statement{text: db.engine.begin(readOnly)}}); err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return err
	}
	if !tx.begun && len(tx.pending) == 1 {
		ended = true // it did nothing
		return nil
	}
	if readOnly {
		return tx.Flush(ctx) // what was written is refused
	}
	if _, err := tx.add(ctx, &Write{statement: statement{text: commit}}); err != nil {
		return err
	}
	err = tx.Flush(ctx)
	ended = err == nil
	return err
}

// Write adds a write.
func (tx *Tx) Write(ctx context.Context, q Query) (*Write, error) {
	s, err := tx.db.render(q, false)
	if err != nil {
		return nil, tx.fail(err)
	}
	return tx.add(ctx, &Write{statement: s})
}

// Must adds a write that must change as many rows as rows says. If it changes
// another number, the transaction fails with unmet.
func (tx *Tx) Must(ctx context.Context, q Query, rows int, unmet error) error {
	s, err := tx.db.render(q, false)
	if err != nil {
		return tx.fail(err)
	}
	s.text = tx.db.engine.demand(s.text, rows)
	if s.literal != "" {
		s.literal = tx.db.engine.demand(s.literal, rows)
	}
	_, err = tx.add(ctx, &Write{statement: s, rows: int64(rows), unmet: unmet})
	return err
}

func (tx *Tx) add(ctx context.Context, w *Write) (*Write, error) {
	ctx = tx.db.faults.before(ctx, w.statement)
	if tx.failed != nil {
		return nil, tx.failed
	}
	if err := ctx.Err(); err != nil {
		return nil, tx.fail(err)
	}
	if len(tx.pending) >= maxWrites || tx.bytes >= maxWriteBytes {
		if err := tx.Flush(ctx); err != nil {
			return nil, err
		}
	}
	tx.pending = append(tx.pending, w)
	tx.bytes += w.size()
	return w, nil
}

// size returns about how many bytes the statement is.
func (s statement) size() int {
	n := len(s.text)
	for _, v := range s.values {
		switch v := v.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		}
	}
	return n
}

// read implements Reader.
func (tx *Tx) read(ctx context.Context, q Query, collect func(rows) error) error {
	s, err := tx.db.render(q, false)
	if err != nil {
		return tx.fail(err)
	}
	var found error
	if err := tx.send(tx.db.faults.before(ctx, s), &s, func(r rows) { found = collect(r) }); err != nil {
		return err
	}
	return found
}

// Flush sends the writes that were kept back.
func (tx *Tx) Flush(ctx context.Context) error {
	if len(tx.pending) == 0 {
		return tx.failed
	}
	return tx.send(ctx, nil, nil)
}

// send sends the writes that were kept back, and a read, unless it is nil.
func (tx *Tx) send(ctx context.Context, read *statement, collect func(rows)) error {
	if tx.failed != nil {
		return tx.failed
	}
	writes, first := tx.pending, !tx.begun
	tx.pending, tx.bytes, tx.begun = nil, 0, true
	ctx, span := traceStatements(ctx, tx.db.engine.system(), writes, read)
	err := tx.conn.send(ctx, writes, read, collect)
	endStatements(span, err)
	if first && errors.Is(err, errConnectionLost) && writes[len(writes)-1].text != commit {
		err = errors.Join(errNotCommitted, err)
	}
	return tx.fail(err)
}

// fail stores the error that the transaction fails with.
func (tx *Tx) fail(err error) error {
	err = waited(err)
	if tx.failed == nil {
		tx.failed = err
	}
	return err
}

// rollback ends a transaction that wasn't committed. A connection that fails to
// is closed, whereupon the database does it. ctx may have ended.
func (tx *Tx) rollback(ctx context.Context) {
	if !tx.begun {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackLimit)
	defer cancel()
	w := []*Write{{statement: statement{text: "ROLLBACK", literal: "ROLLBACK"}}} // never prepared
	ctx, span := traceStatements(ctx, tx.db.engine.system(), w, nil)
	err := tx.conn.send(ctx, w, nil, nil)
	endStatements(span, err)
	if err != nil {
		tx.conn.close()
	}
}
