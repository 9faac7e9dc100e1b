package idempotency

import (
	"context"

	"missiond/store"
)

// charge is what a request is charged with its first change.
type charge struct {
	of   func(ctx context.Context, tx store.Tx, result any) error
	made bool
}

type chargeKey struct{}

// WithCharge returns a context for a request that is charged for what it changes. Once calls fn in
// the transaction of the request's first change, with that change's result, before the commit: if fn
// returns an error, nothing is changed.
func WithCharge(ctx context.Context, fn func(ctx context.Context, tx store.Tx, result any) error) context.Context {
	return context.WithValue(ctx, chargeKey{}, &charge{of: fn})
}

// charging returns fn with the charge of its request, which it makes unless that is made; done marks
// it as made.
func charging[T any](ctx context.Context, fn func(tx store.Tx) (T, error)) (with func(tx store.Tx) (T, error), done func()) {
	c, ok := ctx.Value(chargeKey{}).(*charge)
	if !ok || c.made {
		return fn, func() {}
	}
	return func(tx store.Tx) (T, error) {
		result, err := fn(tx)
		if err == nil {
			err = c.of(ctx, tx, result)
		}
		return result, err
	}, func() { c.made = true }
}
