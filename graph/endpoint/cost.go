package endpoint

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/graph/querylimit"
	"missiond/internal/httpserver"
	"missiond/mission"
	"missiond/store"
)

// costs limits the cost of an operation to what its caller's plan allows, and shows
// it in the operation's responses.
type costs struct{ of *querylimit.Costs }

// cost is the extension that an operation's responses carry.
type cost struct {
	Requested int `json:"requested"`
	Limit     int `json:"limit"`
}

// ExtensionName is the extension's name for gqlgen, and its key in responses.
func (*costs) ExtensionName() string { return "cost" }

// Validate receives the schema, from which the costs of fields are computed.
func (c *costs) Validate(s graphql.ExecutableSchema) error {
	c.of = querylimit.NewCosts(s.Schema(), store.DefaultPage, store.MaxPage)
	return nil
}

// MutateOperationContext rejects an operation that costs too much.
func (c *costs) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	requested, err := c.of.Of(op.Doc, op.Operation, op.Variables)
	limit := httpserver.Caller(ctx).CostLimit()
	if err == nil && requested > limit {
		err = mission.Invalid("", "The operation costs %d; %d are allowed.", requested, limit)
	}
	if err != nil {
		return gqlerror.Wrap(err)
	}
	op.Stats.SetExtension(c.ExtensionName(), cost{Requested: requested, Limit: limit})
	return nil
}

// InterceptResponse adds the cost of an admitted operation to its response.
func (c *costs) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if graphql.HasOperationContext(ctx) {
		if shown := graphql.GetOperationContext(ctx).Stats.GetExtension(c.ExtensionName()); shown != nil {
			graphql.RegisterExtension(ctx, c.ExtensionName(), shown)
		}
	}
	return next(ctx)
}
