package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/graph/guard"
	"missiond/internal/service"
	"missiond/mission"
)

// costs holds operations to what their callers' plans let one cost, and shows it
// in each of their responses.
type costs struct{ of *guard.Costs }

// cost is what the responses of an operation show.
type cost struct {
	Requested int `json:"requested"`
	Limit     int `json:"limit"`
}

// ExtensionName names it for gqlgen, and in the responses.
func (*costs) ExtensionName() string { return "cost" }

// Validate takes the schema whose fields cost.
func (c *costs) Validate(s graphql.ExecutableSchema) error {
	c.of = guard.NewCosts(s.Schema(), service.DefaultPage, service.MaxPage)
	return nil
}

// MutateOperationContext refuses an operation that costs too much.
func (c *costs) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	requested, err := c.of.Of(op.Doc, op.Operation, op.Variables)
	limit := caller(ctx).CostLimit()
	if err == nil && requested > limit {
		err = mission.Invalid("", "The operation costs %d; %d are allowed.", requested, limit)
	}
	if err != nil {
		return gqlerror.Wrap(err)
	}
	op.Stats.SetExtension(c.ExtensionName(), cost{Requested: requested, Limit: limit})
	return nil
}

// InterceptResponse shows an admitted operation's cost.
func (c *costs) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if graphql.HasOperationContext(ctx) {
		if shown := graphql.GetOperationContext(ctx).Stats.GetExtension(c.ExtensionName()); shown != nil {
			graphql.RegisterExtension(ctx, c.ExtensionName(), shown)
		}
	}
	return next(ctx)
}
