package llm

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"missiond/internal/tracing"
	"missiond/mission"
)

// The attributes of the conventions for generative AI, which have no texts here: the
// prompt and the response are the tenant's.
const (
	operationName = attribute.Key("gen_ai.operation.name")
	requestModel  = attribute.Key("gen_ai.request.model")
	maxTokensKey  = attribute.Key("gen_ai.request.max_tokens")
	inputTokens   = attribute.Key("gen_ai.usage.input_tokens")
	outputTokens  = attribute.Key("gen_ai.usage.output_tokens")
)

// trace begins the span of a call; call endCall.
func (w *Writer) trace(ctx context.Context) (context.Context, trace.Span) {
	if !tracing.Recording(ctx) {
		return ctx, noop.Span{}
	}
	const operation = "chat"
	ctx, span := tracing.Start(ctx, operation+" "+w.o.Model, trace.SpanKindClient)
	span.SetAttributes(operationName.String(operation), requestModel.String(w.o.Model), maxTokensKey.Int(w.o.MaxOutputTokens))
	return ctx, span
}

// endCall ends the span of a call with what it used, if the endpoint says so.
func endCall(span trace.Span, u *usage, err error) {
	if !span.IsRecording() {
		return
	}
	defer span.End()
	if u != nil && u.PromptTokens.known {
		span.SetAttributes(inputTokens.Int64(u.PromptTokens.n))
	}
	if u != nil && u.CompletionTokens.known {
		span.SetAttributes(outputTokens.Int64(u.CompletionTokens.n))
	}
	var outage *mission.OutageError
	switch {
	case errors.As(err, &outage):
		tracing.Fail(span, outage.Failure.Code)
	case err != nil:
		tracing.Fail(span, semconv.ErrorType(err).Value.AsString())
	}
}
