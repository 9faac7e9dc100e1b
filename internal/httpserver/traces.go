package httpserver

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"missiond/internal/tracing"
	"missiond/mission"
)

// traced reports whether a request is one of the APIs', or leads back from an account
// owner's consent. Pages and probes aren't traced.
func traced(r *http.Request) bool {
	path := r.URL.Path
	return strings.HasPrefix(path, "/v1/") || path == "/graphql" || strings.HasPrefix(path, "/integrations/")
}

// trace begins the span of the request, unless it is a stream: that lasts for hours, and
// its operations have spans of their own.
func (q *request) trace(r *http.Request) (*http.Request, trace.Span) {
	if q.tracer == nil || IsStream(r) {
		return r, trace.SpanFromContext(r.Context())
	}
	ctx, span := q.tracer.Request(r.Context(), r)
	return r.WithContext(ctx), span
}

// endSpan ends a request's span, whose name has the pattern of the route instead of the
// path. The path, the query and the headers may have ids, secrets and texts, and so
// aren't recorded.
func endSpan(span trace.Span, r *http.Request, route, operation string, caller mission.Principal, sent *Response) {
	if !span.IsRecording() {
		return
	}
	defer span.End()
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	status := sent.Status()
	span.SetAttributes(semconv.URLScheme(scheme), semconv.NetworkProtocolVersion(strconv.Itoa(r.ProtoMajor)+"."+strconv.Itoa(r.ProtoMinor)),
		semconv.HTTPResponseStatusCode(status), semconv.HTTPResponseBodySize(int(sent.bytes)), tracing.Operation.String(operationLabel(operation)))
	if _, path, ok := strings.Cut(route, " "); ok {
		span.SetName(route)
		span.SetAttributes(semconv.HTTPRoute(path))
	}
	if caller.TenantID != "" {
		span.SetAttributes(tracing.Tenant.String(caller.TenantID))
	}
	if status >= http.StatusInternalServerError {
		tracing.Fail(span, strconv.Itoa(status))
	}
}

// Traced reports whether the operations of ctx's request may have spans.
func Traced(ctx context.Context) bool {
	q := requestOf(ctx)
	return q != nil && q.tracer != nil
}

// StartOperation begins the span of an operation of ctx's request: within the request's
// or, on a stream, as a trace of its own. Call its End.
func StartOperation(ctx context.Context, name string) (context.Context, trace.Span) {
	q := requestOf(ctx)
	if q == nil || q.tracer == nil || trace.SpanContextFromContext(ctx).IsValid() {
		return tracing.Start(ctx, name, trace.SpanKindInternal)
	}
	return q.tracer.Operation(ctx, name)
}

// traceError records the code of an error in ctx's span, which has failed if the error is
// the service's own.
func traceError(ctx context.Context, m *mission.Error) {
	span := trace.SpanFromContext(ctx)
	switch {
	case !span.IsRecording():
	case m.Code == mission.CodeInternal, m.Code == mission.CodeServiceUnavailable:
		tracing.Fail(span, string(m.Code))
	default:
		span.SetAttributes(semconv.ErrorTypeKey.String(string(m.Code)))
	}
}
