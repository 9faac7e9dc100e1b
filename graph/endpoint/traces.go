package endpoint

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"missiond/internal/httpserver"
	"missiond/internal/tracing"
)

// maxTracedName is how much of an operation's name is recorded: clients choose it.
const maxTracedName = 64

// traced returns respond, if ctx's request is traced with a span around an operation's first
// response: it is the only one, or the one that the others belong to.
func traced(ctx context.Context, respond graphql.ResponseHandler) graphql.ResponseHandler {
	if !httpserver.Traced(ctx) {
		return respond
	}
	first := true
	return func(ctx context.Context) *graphql.Response {
		if !first {
			return respond(ctx)
		}
		first = false
		ctx, span := startOperation(ctx)
		defer span.End()
		return respond(ctx)
	}
}

// startOperation begins the span of an operation, named by its type as the semantic
// conventions have it. Subscriptions have none: they last for hours. Documents aren't
// recorded: they may have values.
func startOperation(ctx context.Context) (context.Context, trace.Span) {
	o := graphql.GetOperationContext(ctx).Operation
	if o.Operation == ast.Subscription {
		return ctx, noop.Span{}
	}
	ctx, span := httpserver.StartOperation(ctx, string(o.Operation))
	if span.IsRecording() {
		span.SetAttributes(semconv.GraphQLOperationTypeKey.String(string(o.Operation)))
		if o.Name != "" {
			span.SetAttributes(semconv.GraphQLOperationName(o.Name[:min(len(o.Name), maxTracedName)]))
		}
	}
	return ctx, span
}

// startRootField begins the span of a field of Query or Mutation; call its End.
func startRootField(ctx context.Context) (context.Context, trace.Span) {
	if !tracing.Recording(ctx) {
		return ctx, noop.Span{}
	}
	return tracing.Start(ctx, rootOperation(graphql.GetRootFieldContext(ctx).Field), trace.SpanKindInternal)
}

// rootOperation returns the operation of the service that a field of Query or Mutation is,
// such as missions.create, or the field's name in the schema.
func rootOperation(f graphql.CollectedField) string {
	if f.Definition != nil {
		if d := f.Definition.Directives.ForName("operation"); d != nil && len(d.Arguments) > 0 {
			return strings.Trim(d.Arguments[0].Value.Raw, `"`)
		}
	}
	return f.Name
}
