package idempotency

import (
	"context"
	"errors"
	"fmt"

	"github.com/vmihailenco/msgpack/v5"

	"missiond/store"
)

// DB is the database for operations of callers. It is read as a store.DB is, and written
// with Once alone: a change that a retry would make again doesn't compile. Work of the
// process itself is written with the Tx of the store.DB that was passed to Of.
type DB struct {
	*store.DB
	// Tx hides the Tx of store.DB.
	Tx hidden
}

type hidden struct{}

// Of returns the DB on a database.
func Of(db *store.DB) DB { return DB{DB: db} }

// Once runs fn in a transaction and returns its result. If the request has an
// Idempotency-Key, the result is written with the changes: a retry of a request that was
// interrupted gets the result, and doesn't make the changes again.
func Once[T any](ctx context.Context, db DB, fn func(tx store.Tx) (T, error)) (result T, err error) {
	fn, done := charging(ctx, fn)
	defer func() {
		if err == nil {
			done()
		}
	}()
	q := RequestOf(ctx)
	if q == nil {
		err = transact(ctx, db.DB, func(tx store.Tx) (err error) { result, err = fn(tx); return err })
		return result, err
	}
	result, step, ok, err := storedResult[T](ctx, db, q)
	q.note(func() { q.step = step })
	if ok || err != nil {
		return result, err
	}
	err = transact(ctx, db.DB, func(tx store.Tx) (err error) {
		if result, err = fn(tx); err != nil {
			return err
		}
		plain, err := msgpack.Marshal(result)
		if err != nil {
			return err
		}
		return tx.StoreResult(ctx, q.row, step, q.requests.secrets.Seal(q.sealContext(step), plain))
	})
	if errors.Is(err, store.ErrLost) {
		err = keyConflict("The same request was sent again meanwhile, and took over (API: with this Idempotency-Key).")
	}
	return result, err
}

// Earlier returns the result of the request's next change if an earlier try made it and
// was interrupted before it could respond. Call it before work that precedes the change
// and mustn't be repeated.
func Earlier[T any](ctx context.Context, db DB) (result T, ok bool, err error) {
	q := RequestOf(ctx)
	if q == nil {
		return result, false, nil
	}
	result, step, ok, err := storedResult[T](ctx, db, q)
	if ok {
		q.note(func() { q.step = step })
	}
	return result, ok, err
}

// storedResult returns the request's next step, and its result if it is stored.
func storedResult[T any](ctx context.Context, db DB, q *Request) (result T, step int, ok bool, err error) {
	q.note(func() { step = q.step + 1 })
	sealed, ok, err := db.StoredResult(ctx, q.row, step)
	if err != nil || !ok {
		return result, step, false, err
	}
	plain, err := q.requests.secrets.Open(q.sealContext(step), sealed)
	if err != nil {
		return result, step, false, fmt.Errorf("open a stored result: %w", err)
	}
	return result, step, true, msgpack.Unmarshal(plain, &result)
}

// sealContext returns the context with which a step's result is sealed.
func (q *Request) sealContext(step int) string {
	return fmt.Sprintf("%s/%d", q.requests.sealContext(q.row), step)
}
