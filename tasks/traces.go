package tasks

import (
	"context"

	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"missiond/internal/tracing"
)

// trace begins the span of a task's run; call endSpan.
func (w *Worker) trace(ctx context.Context, c *claim) (context.Context, trace.Span) {
	if w.parts.Tracer == nil {
		return ctx, noop.Span{}
	}
	ctx, span := w.parts.Tracer.Task(ctx, "run "+string(c.Type), c.Traceparent)
	if !span.IsRecording() {
		return ctx, span
	}
	span.SetAttributes(
		semconv.MessagingSystemKey.String("asynq"),
		semconv.MessagingOperationName("run"), semconv.MessagingOperationTypeProcess,
		semconv.MessagingDestinationName(string(c.Queue)), semconv.MessagingMessageID(c.ID),
		tracing.TaskType.String(string(c.Type)), tracing.TaskAttempt.Int(c.Attempt), tracing.Tenant.String(c.TenantID),
	)
	if c.MissionID != "" {
		span.SetAttributes(tracing.Mission.String(c.MissionID))
	}
	return ctx, span
}

// endSpan ends the span of a run with its outcome. A run that failed with err has the code
// that its tenant sees.
func (w *Worker) endSpan(span trace.Span, outcome string, err error) {
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(tracing.TaskOutcome.String(outcome))
	switch outcome {
	case "trouble", "retry", "failed":
		tracing.Fail(span, w.setback(err).Failure.Code)
	}
	span.End()
}
