package idempotency

import (
	"context"

	"missiond/store"
)

type preconditionKey struct{}

// WithPrecondition returns a context for a request that changes a record only if it is as the
// caller has read it. Once calls holds, which reads the record, and rolls back on its error.
func WithPrecondition(ctx context.Context, holds func() error) context.Context {
	return context.WithValue(ctx, preconditionKey{}, holds)
}

// conditional returns fn with the request's precondition. It is checked behind fn, which has
// locked what it changes, and before the commit: others still see the record as fn found it,
// and nobody can change it until then. So of two requests with one precondition only the first
// can hold it, and a request that is refused for another reason is refused for that one
// (RFC 9110, section 13.2.1).
func conditional[T any](ctx context.Context, fn func(tx store.Tx) (T, error)) func(tx store.Tx) (T, error) {
	holds, ok := ctx.Value(preconditionKey{}).(func() error)
	if !ok {
		return fn
	}
	return func(tx store.Tx) (T, error) {
		result, err := fn(tx)
		if err == nil {
			err = holds()
		}
		return result, err
	}
}
