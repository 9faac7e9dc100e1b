package admission

import (
	"context"

	"missiond/mission"
)

// Allowance is what the caller of a request may do, from which its operations take.
type Allowance interface {
	// Weigh takes what an operation with so many rows weighs beyond a request.
	Weigh(ctx context.Context, op mission.Operation, rows int) error
	// Draw takes from the allowance of an operation that another one does too; n is 1, or -1
	// to give one back.
	Draw(ctx context.Context, op mission.Operation, n int) error
}

type allowanceKey struct{}

// WithAllowance returns a context for operations of a caller.
func WithAllowance(ctx context.Context, a Allowance) context.Context {
	return context.WithValue(ctx, allowanceKey{}, a)
}

// Weigh takes from the allowance of ctx's caller what an operation with so many rows weighs
// beyond the request, which was counted before its body was read. Call it as soon as the
// number is known, before the work. Without a caller it does nothing. Errors:
// rate_limit_exceeded.
func Weigh(ctx context.Context, op mission.Operation, rows int) error {
	if a, ok := ctx.Value(allowanceKey{}).(Allowance); ok {
		return a.Weigh(ctx, op, rows)
	}
	return nil
}

// Draw runs fn, which does what op does too, within op's allowance: it isn't spent if fn
// fails. Without a caller it only runs fn. Errors: rate_limit_exceeded; fn's.
func Draw[T any](ctx context.Context, op mission.Operation, fn func() (T, error)) (result T, err error) {
	a, ok := ctx.Value(allowanceKey{}).(Allowance)
	if !ok {
		return fn()
	}
	if err := a.Draw(ctx, op, 1); err != nil {
		return result, err
	}
	result, err = fn()
	if err != nil {
		_ = a.Draw(context.WithoutCancel(ctx), op, -1)
	}
	return result, err
}
