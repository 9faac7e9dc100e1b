package stream

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/internal/httpserver"
	"missiond/mission"
)

// ErrUndecoded is the error for a body that can't be decoded, or that more follows.
var ErrUndecoded = mission.Invalid("", "The body must be a JSON object with a query and, optionally, variables and an operationName.")

// readParams decodes an operation; numbers stay as they are written. Errors:
// ErrUndecoded.
func readParams(r io.Reader) (params graphql.RawParams, err error) {
	err = Decode(r, &params)
	return params, err
}

// Decode decodes the one JSON value of a body, with its numbers as they are written.
// Errors: ErrUndecoded.
func Decode(r io.Reader, value any) error {
	d := json.NewDecoder(r)
	d.UseNumber()
	if d.Decode(value) != nil {
		return ErrUndecoded
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return ErrUndecoded
	}
	return nil
}

// enter waits for an operation's turn. One that isn't admitted costs nothing. Errors:
// the gate's.
func (s *Server) enter(ctx context.Context) (context.Context, func(), error) {
	p, _ := httpserver.Principal(ctx)
	held, leave, err := s.Gate.Enter(ctx, p.TenantID)
	if err != nil {
		_ = s.Limits.TakeRequest(context.WithoutCancel(ctx), p, -1)
	}
	return s.Limits.Weighing(held, nil), leave, err
}

// operate begins an operation and passes its responses to send, one after the other,
// until there are no more, ctx ends or send fails. It returns the errors that occurred
// instead of a response. The rest of a subscription is follow, which may be called on
// another goroutine: this one has grown a large stack, and follow waits for hours.
func (s *Server) operate(ctx context.Context, exec graphql.GraphExecutor, params *graphql.RawParams, send func(*graphql.Response) error) (follow func() gqlerror.List, errs gqlerror.List) {
	ctx = graphql.StartOperationTrace(ctx)
	now := graphql.Now()
	params.ReadTime = graphql.TraceTiming{Start: now, End: now}
	operation, errs := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, operation)
	if errs != nil {
		return nil, exec.DispatchError(ctx, errs).Errors
	}
	ctx, leave, err := s.enter(ctx)
	if err != nil {
		return nil, s.errors(ctx, err)
	}
	defer leave()
	from := &source{}
	defer func() {
		if follow == nil {
			from.close()
		}
	}()
	ctx = context.WithValue(ctx, sourceKey{}, from)
	if operation.Operation.Operation != ast.Subscription {
		ctx, cancel := context.WithTimeout(ctx, s.Timeout)
		defer cancel()
		responses, ctx := exec.DispatchOperation(ctx, operation)
		for response := responses(ctx); response != nil && send(response) == nil; response = responses(ctx) {
		}
		return nil, nil
	}
	responses, ctx := exec.DispatchOperation(ctx, operation)
	return func() gqlerror.List {
		defer from.close()
		for {
			from.next()
			response := responses(ctx)
			switch {
			case response == nil && ctx.Err() == nil && from.err != nil:
				return exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(from.err)}).Errors
			case response == nil:
				return nil
			case len(response.Data) == 0 && len(response.Errors) > 0:
				return response.Errors
			}
			if err := send(response); err != nil {
				return nil
			}
		}
	}, nil
}
