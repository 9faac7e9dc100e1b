package stream

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/internal/gateway"
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

// operate begins an operation, of a caller whom authenticate returns (gateway.Operation), and
// passes its responses to send, one after the other, until there are no more, ctx ends or
// send fails. It returns the errors that occurred instead of a response. The rest of a
// subscription is follow, which may be called on another goroutine: this one has grown a
// large stack, and follow waits for hours.
func (s *Server) operate(
	ctx context.Context, authenticate func(context.Context) (mission.Principal, error), exec graphql.GraphExecutor,
	params *graphql.RawParams, send func(*graphql.Response) error,
) (follow func() gqlerror.List, errs gqlerror.List) {
	var operation *graphql.OperationContext
	err := s.Gateway.Operate(ctx, gateway.Operation{
		Authenticate: authenticate,
		Read: func(ctx context.Context) (context.Context, time.Duration, error) {
			ctx = graphql.StartOperationTrace(ctx)
			now := graphql.Now()
			params.ReadTime = graphql.TraceTiming{Start: now, End: now}
			operation, errs = exec.CreateOperationContext(ctx, params)
			ctx = graphql.WithOperationContext(ctx, operation)
			switch {
			case errs != nil:
				errs = exec.DispatchError(ctx, errs).Errors
				return ctx, 0, errInvalid
			case operation.Operation.Operation == ast.Subscription:
				return ctx, 0, nil
			}
			return ctx, s.Timeout, nil
		},
		Run: func(ctx context.Context) { follow = s.run(ctx, exec, operation, send) },
	})
	if err != nil && !errors.Is(err, errInvalid) {
		errs = s.errors(ctx, err)
	}
	return follow, errs
}

// errInvalid is why an operation isn't run whose errors are known.
var errInvalid = errors.New("stream: an invalid operation")

// run runs an operation that has its turn; see operate.
func (s *Server) run(
	ctx context.Context, exec graphql.GraphExecutor, operation *graphql.OperationContext,
	send func(*graphql.Response) error,
) (follow func() gqlerror.List) {
	from := &source{}
	defer func() {
		if follow == nil {
			from.close()
		}
	}()
	responses, ctx := exec.DispatchOperation(context.WithValue(ctx, sourceKey{}, from), operation)
	if operation.Operation.Operation != ast.Subscription {
		for response := responses(ctx); response != nil && send(response) == nil; response = responses(ctx) {
		}
		return nil
	}
	return func() gqlerror.List {
		defer from.close()
		for {
			from.next()
			goOn, errs := s.respond(ctx, exec, from, responses, send)
			if !goOn {
				return errs
			}
		}
	}
}

// respond sends one response of a subscription, which has memory of its own. goOn is false at the end; errs are then told
// to the client.
func (s *Server) respond(
	ctx context.Context, exec graphql.GraphExecutor, from *source, responses graphql.ResponseHandler, send func(*graphql.Response) error,
) (goOn bool, errs gqlerror.List) {
	within, release := s.Gateway.Respond(ctx, httpserver.Caller(ctx).TenantID)
	defer release()
	response := responses(within)
	switch {
	case response == nil && ctx.Err() == nil && from.err != nil:
		return false, exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(from.err)}).Errors
	case response == nil:
		return false, nil
	case len(response.Data) == 0 && len(response.Errors) > 0:
		return false, response.Errors
	}
	return send(response) == nil, nil
}
