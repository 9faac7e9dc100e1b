package tracing

import (
	"io"
	"net/http"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// Transport is a transport whose calls are spans, named by their method. A span has the
// server but no URL: paths and queries have ids, secrets and texts of others.
type Transport struct {
	Next http.RoundTripper
	// Propagate sends the span's traceparent with each call.
	Propagate bool
}

// RoundTrip makes a call. Its span ends with the response's body.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	method := method(req.Method)
	ctx, span := Start(req.Context(), method.Value.AsString(), trace.SpanKindClient)
	if t.Propagate {
		if parent := traceparent(ctx); parent != "" {
			req = req.Clone(ctx)
			req.Header.Set(traceparentHeader, parent)
		}
	}
	if !span.IsRecording() {
		return t.Next.RoundTrip(req)
	}
	span.SetAttributes(append(server(req), method)...)
	resp, err := t.Next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		Fail(span, semconv.ErrorType(err).Value.AsString())
		span.End()
		return nil, err
	}
	span.SetAttributes(semconv.HTTPResponseStatusCode(resp.StatusCode))
	if resp.StatusCode >= http.StatusBadRequest {
		Fail(span, strconv.Itoa(resp.StatusCode))
	}
	resp.Body = &spannedBody{resp.Body, span}
	return resp, nil
}

// server returns the attributes of the server that a request is for.
func server(req *http.Request) []attribute.KeyValue {
	attrs := []attribute.KeyValue{semconv.ServerAddress(req.URL.Hostname())}
	port, err := strconv.Atoi(req.URL.Port())
	if err != nil {
		if port = 80; req.URL.Scheme == "https" {
			port = 443
		}
	}
	return append(attrs, semconv.ServerPort(port))
}

// CloseIdleConnections closes the idle connections of the transport's next one, for
// http.Client.
func (t Transport) CloseIdleConnections() {
	if c, ok := t.Next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// spannedBody is a response's body that ends a span.
type spannedBody struct {
	io.ReadCloser

	span trace.Span
}

// Close closes the body.
func (b *spannedBody) Close() error {
	defer b.span.End()
	return b.ReadCloser.Close()
}
