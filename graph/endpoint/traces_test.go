package endpoint

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
)

// An operation and its fields cost nothing while there is no trace.
func TestUntracedOperation(t *testing.T) { // not parallel: it counts the process's allocations
	response := &graphql.Response{}
	var respond graphql.ResponseHandler = func(context.Context) *graphql.Response { return response }
	allocs := testing.AllocsPerRun(100, func() {
		ctx, span := startRootField(context.Background())
		if traced(ctx, respond)(ctx) != response {
			t.Error("another response")
		}
		span.End()
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
