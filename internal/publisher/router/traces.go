package router

import (
	"context"
	"errors"

	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"missiond/internal/tracing"
	"missiond/mission"
)

// start begins the span of a call to an integration's platform, with all its requests;
// call end.
func start(ctx context.Context, what string, via *mission.Integration) (context.Context, trace.Span) {
	if !tracing.Recording(ctx) {
		return ctx, noop.Span{}
	}
	platform := "sandbox"
	if via != nil {
		platform = string(via.Platform)
	}
	ctx, span := tracing.Start(ctx, what+" "+platform, trace.SpanKindInternal)
	span.SetAttributes(tracing.Platform.String(platform))
	return ctx, span
}

// end ends a call's span.
func end(span trace.Span, err error) {
	if !span.IsRecording() {
		return
	}
	defer span.End()
	var refused *mission.PublishError
	switch {
	case errors.As(err, &refused):
		tracing.Fail(span, refused.Failure.Code)
	case err != nil:
		tracing.Fail(span, semconv.ErrorType(err).Value.AsString())
	}
}
