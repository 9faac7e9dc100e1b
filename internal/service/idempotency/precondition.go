package idempotency

import (
	"context"

	"missiond/internal/admission"
	"missiond/store"
)

// conditionalShare is the part of the connections on which transactions with a precondition may
// be at a time: half, since each needs a second one to end.
const conditionalShare = 2

// precondition is what a record must be like for a tenant's request to change it.
type precondition struct {
	turns  *admission.Gate
	tenant string
	check  func() error
}

type preconditionKey struct{}

// WithPrecondition returns a context for a tenant's request that changes a record only if it is
// as the caller has read it. Once calls check, which reads the record on another connection, and
// rolls back on its error.
func (r *Requests) WithPrecondition(ctx context.Context, tenantID string, check func() error) context.Context {
	return context.WithValue(ctx, preconditionKey{}, precondition{turns: r.conditional, tenant: tenantID, check: check})
}

// transact runs fn in a transaction, under the request's precondition. It is checked behind fn,
// which has locked what it changes, and before the commit: others still see the record as fn
// found it, and nobody can change it until then. So of two requests with one precondition only
// the first can meet it. Errors: fn's; the precondition's; service_unavailable if too many
// have one.
func transact(ctx context.Context, db *store.DB, fn func(tx store.Tx) error) error {
	c, ok := ctx.Value(preconditionKey{}).(precondition)
	if !ok {
		return db.Tx(ctx, fn)
	}
	_, leave, err := c.turns.Enter(ctx, c.tenant)
	if err != nil {
		return err
	}
	defer leave()
	return db.Tx(ctx, func(tx store.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return c.check()
	})
}
