// Package tracing makes OpenTelemetry's spans. A Tracer begins the traces of requests
// and tasks; everything that happens in one is begun by Start, within the span of its
// context. Without a Tracer no context has a span, and Start costs a look at the
// context.
//
// A span has the names of what the service does, ids, sizes and codes. It never has
// what callers and tenants write: no path, no query, no value of a statement, no body,
// no message of an error.
package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// scope is the name of the service's spans' instrumentation.
const scope = "missiond"

// The service's own attributes, beside the semantic conventions'.
const (
	// Operation is an operation of the service, such as missions.create.
	Operation = attribute.Key("missiond.operation")
	// Tenant and Mission are ids.
	Tenant  = attribute.Key("missiond.tenant.id")
	Mission = attribute.Key("missiond.mission.id")
	// TaskType is a task's type, TaskAttempt the number of its attempt, TaskOutcome how
	// its run ended.
	TaskType    = attribute.Key("missiond.task.type")
	TaskAttempt = attribute.Key("missiond.task.attempt")
	TaskOutcome = attribute.Key("missiond.task.outcome")
	// Platform is a platform that posts are published to, or sandbox.
	Platform = attribute.Key("missiond.platform")
	// command is what the process runs: dev, serve or worker.
	command = attribute.Key("missiond.command")
)

// Tracer begins traces. A nil Tracer begins none. It is safe for concurrent use.
type Tracer struct {
	tracer trace.Tracer
	trusts bool
}

// New returns a tracer of a provider's spans. If it trusts callers, their traces
// continue in the service, with their decision whether to sample. Otherwise a request
// begins a trace of its own, which the provider's sampler alone decides on, with a link
// to the caller's.
func New(p trace.TracerProvider, trustCallers bool) *Tracer {
	return &Tracer{tracer: p.Tracer(scope), trusts: trustCallers}
}

// Request begins the span of a request, named by its method; call its End.
func (t *Tracer) Request(ctx context.Context, r *http.Request) (context.Context, trace.Span) {
	if t == nil {
		return ctx, noop.Span{}
	}
	method := method(r.Method)
	name := method.Value.AsString()
	if name == otherMethod {
		name = "HTTP"
	}
	callers := caller(r.Header)
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(method)}
	switch {
	case callers.IsValid() && t.trusts:
		ctx = trace.ContextWithRemoteSpanContext(ctx, callers)
	case callers.IsValid():
		options = append(options, trace.WithNewRoot(), trace.WithLinks(trace.Link{SpanContext: callers}))
	}
	return t.tracer.Start(ctx, name, options...)
}

// Operation begins the span of an operation of a stream, which is a trace of its own; call
// its End.
func (t *Tracer) Operation(ctx context.Context, name string) (context.Context, trace.Span) {
	if t == nil {
		return ctx, noop.Span{}
	}
	return t.tracer.Start(ctx, name, trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindServer))
}

// Task begins the span of a task's run: a trace of its own, since it may come long after
// what created the task, with a link to that by its traceparent, which may be "". Call
// its End.
func (t *Tracer) Task(ctx context.Context, name, traceparent string) (context.Context, trace.Span) {
	if t == nil {
		return ctx, noop.Span{}
	}
	options := []trace.SpanStartOption{trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindConsumer)}
	if created := parse(traceparent); created.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: created}))
	}
	return t.tracer.Start(ctx, name, options...)
}

// caller returns the caller's span by its traceparent, without what the caller says of
// it in tracestate; the zero one if there is none.
func caller(h http.Header) trace.SpanContext {
	return parse(h.Get(traceparentHeader))
}

// traceparentHeader is the header of the W3C's Trace Context.
const traceparentHeader = "traceparent"

// parse returns the span that a traceparent names; the zero one if it isn't well-formed.
func parse(traceparent string) trace.SpanContext {
	if traceparent == "" {
		return trace.SpanContext{}
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{traceparentHeader: traceparent})
	return trace.SpanContextFromContext(ctx)
}

// Traceparent returns ctx's span in the form of the W3C's Trace Context, for a task that
// is created in it; "" if no span is recorded.
func Traceparent(ctx context.Context) string {
	if s := trace.SpanContextFromContext(ctx); !s.IsSampled() || !s.IsValid() {
		return ""
	}
	return traceparent(ctx)
}

// traceparent returns ctx's span as Traceparent does, sampled or not; "" if there is none.
func traceparent(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[traceparentHeader]
}

// Recording reports whether ctx has a span that is recorded: whether it is worth making the
// name of another.
func Recording(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// Start begins a span within ctx's; call its End. If ctx has none that is recorded, neither
// is this one.
func Start(ctx context.Context, name string, kind trace.SpanKind) (context.Context, trace.Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, noop.Span{}
	}
	return parent.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithSpanKind(kind))
}

// Fail says that what a span stands for has failed. kind is a code or the name of a type,
// never a text.
func Fail(span trace.Span, kind string) {
	span.SetStatus(codes.Error, "")
	span.SetAttributes(semconv.ErrorTypeKey.String(kind))
}

// otherMethod is the conventions' value for methods that they don't know.
const otherMethod = "_OTHER"

// method returns the attribute of a request's method, which may be any text.
func method(name string) attribute.KeyValue {
	switch name {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return semconv.HTTPRequestMethodKey.String(name)
	}
	return semconv.HTTPRequestMethodKey.String(otherMethod)
}
