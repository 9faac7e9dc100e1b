package tracing_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"missiond/internal/tracing"
)

const (
	callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersSpan  = "00f067aa0ba902b7"
	sampled      = "00-" + callersTrace + "-" + callersSpan + "-01"
	unsampled    = "00-" + callersTrace + "-" + callersSpan + "-00"
)

// recorder returns a provider with a sampler, and what is recorded.
func recorder(s sdk.Sampler) (*sdk.TracerProvider, *tracetest.SpanRecorder) {
	r := tracetest.NewSpanRecorder()
	return sdk.NewTracerProvider(sdk.WithSampler(s), sdk.WithSpanProcessor(r)), r
}

func request(traceparent string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/missions?name=secret", strings.NewReader("secret"))
	r.Header.Set("traceparent", traceparent)
	r.Header.Set("tracestate", "vendor=secret")
	return r
}

// A caller's trace is linked to, and neither its sampled flag nor its id decide whether
// the request is recorded; a trusted caller's continues.
func TestCallersTraces(t *testing.T) {
	t.Parallel()
	always, never := sdk.ParentBased(sdk.AlwaysSample()), sdk.ParentBased(sdk.NeverSample())
	for _, c := range []struct {
		name, traceparent string
		trusts            bool
		sampler           sdk.Sampler
		recorded, linked  bool
		nested            bool
	}{
		{name: "none", sampler: always, recorded: true},
		{name: "malformed", traceparent: "00-secret-01", sampler: always, recorded: true},
		{name: "linked", traceparent: sampled, sampler: always, recorded: true, linked: true},
		{name: "unsampled and linked", traceparent: unsampled, sampler: always, recorded: true, linked: true},
		{name: "can't force", traceparent: sampled, sampler: never},
		{name: "trusted", traceparent: sampled, trusts: true, sampler: never, recorded: true, nested: true},
		{name: "trusted and unsampled", traceparent: unsampled, trusts: true, sampler: always},
		{name: "trusted without one", trusts: true, sampler: always, recorded: true},
	} {
		provider, spans := recorder(c.sampler)
		ctx, span := tracing.New(provider, c.trusts).Request(context.Background(), request(c.traceparent))
		_, inner := tracing.Start(ctx, "inner", trace.SpanKindInternal)
		inner.End()
		span.End()
		if recorded := len(spans.Ended()) == 2; recorded != c.recorded || !recorded && len(spans.Ended()) > 0 {
			t.Errorf("%s: %d spans", c.name, len(spans.Ended()))
			continue
		}
		if own := span.SpanContext().TraceID().String() != callersTrace; own == (c.trusts && c.traceparent != "") {
			t.Errorf("%s: the trace is the service's own: %t", c.name, own)
		}
		if !c.recorded {
			continue
		}
		got := spans.Ended()[1]
		if got.Name() != "POST" || got.SpanKind() != trace.SpanKindServer || got.Parent().IsValid() != c.nested {
			t.Errorf("%s: %s with the parent %v", c.name, got.Name(), got.Parent())
		}
		if linked := len(got.Links()) == 1 && got.Links()[0].SpanContext.SpanID().String() == callersSpan; linked != c.linked {
			t.Errorf("%s: links %v", c.name, got.Links())
		}
		for _, link := range got.Links() {
			if link.SpanContext.TraceState().Len() > 0 {
				t.Errorf("%s: the link has the caller's tracestate", c.name)
			}
		}
	}
}

// Without a tracer, and in a trace that isn't recorded, nothing is.
func TestOff(t *testing.T) {
	t.Parallel()
	var none *tracing.Tracer
	ctx, span := none.Request(context.Background(), request(sampled))
	ctx, inner := tracing.Start(ctx, "inner", trace.SpanKindInternal)
	if span.IsRecording() || inner.IsRecording() || tracing.Traceparent(ctx) != "" {
		t.Error("there is a trace without a tracer")
	}
	provider, _ := recorder(sdk.NeverSample())
	ctx, span = tracing.New(provider, false).Request(context.Background(), request(sampled))
	defer span.End()
	if got := tracing.Traceparent(ctx); got != "" {
		t.Errorf("the task of a trace that isn't recorded gets %q", got)
	}
}

// A method that nobody knows may be any text.
func TestUnknownMethod(t *testing.T) {
	t.Parallel()
	provider, spans := recorder(sdk.AlwaysSample())
	r := request("")
	r.Method = "SECRET"
	_, span := tracing.New(provider, false).Request(context.Background(), r)
	span.End()
	if got := spans.Ended()[0]; got.Name() != "HTTP" || value(got, "http.request.method") != "_OTHER" {
		t.Errorf("%s %v", got.Name(), got.Attributes())
	}
}

// value returns an attribute's value, or "".
func value(span sdk.ReadOnlySpan, key attribute.Key) string {
	for _, a := range span.Attributes() {
		if a.Key == key {
			return a.Value.String()
		}
	}
	return ""
}

// A call is a span with its server and status, without its URL. Only a transport that
// propagates sends traceparent.
func TestTransport(t *testing.T) {
	t.Parallel()
	headers := make(chan string, 1)
	status := http.StatusNoContent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers <- r.Header.Get("traceparent")
		w.WriteHeader(status)
	}))
	defer server.Close()
	for _, c := range []struct {
		name      string
		propagate bool
		traced    bool
		status    int
		failed    codes.Code
	}{
		{name: "untraced", propagate: true, status: 204},
		{name: "platform", traced: true, status: 204},
		{name: "receiver", propagate: true, traced: true, status: 204},
		{name: "refused", traced: true, status: 503, failed: codes.Error},
	} {
		provider, spans := recorder(sdk.AlwaysSample())
		ctx := context.Background()
		if c.traced {
			ctx, _ = tracing.New(provider, false).Request(ctx, request(""))
		}
		status = c.status
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/hooks/secret?token=secret", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := tracing.Transport{Next: http.DefaultTransport, Propagate: c.propagate}.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		sent := <-headers
		if req.Header.Get("traceparent") != "" {
			t.Errorf("%s: the caller's request was changed", c.name)
		}
		if !c.traced {
			if len(spans.Ended()) > 0 || sent != "" {
				t.Errorf("%s: %d spans, traceparent %q", c.name, len(spans.Ended()), sent)
			}
			continue
		}
		span := spans.Ended()[0]
		if want := "-" + span.SpanContext().SpanID().String() + "-01"; strings.HasSuffix(sent, want) != c.propagate {
			t.Errorf("%s: traceparent %q, of the span %s", c.name, sent, want)
		}
		if span.Name() != "POST" || value(span, "server.address") != "127.0.0.1" || span.Status().Code != c.failed {
			t.Errorf("%s: %s %v %v", c.name, span.Name(), span.Attributes(), span.Status())
		}
		hasNoSecret(t, span)
	}
}

// A call without a response ends its span too, without the error's text, which has the
// address.
func TestTransportFails(t *testing.T) {
	t.Parallel()
	provider, spans := recorder(sdk.AlwaysSample())
	ctx, _ := tracing.New(provider, false).Request(context.Background(), request(""))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://192.0.2.1/secret", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (tracing.Transport{Next: refusing{}}).RoundTrip(req); err == nil { //nolint:bodyclose // there is none
		t.Fatal("the call succeeded")
	}
	span := spans.Ended()[0]
	if span.Status().Code != codes.Error || value(span, "error.type") == "" {
		t.Errorf("%v %v", span.Status(), span.Attributes())
	}
	hasNoSecret(t, span)
}

type refusing struct{}

func (refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("dial http://192.0.2.1/secret: refused")
}

func hasNoSecret(t *testing.T, span sdk.ReadOnlySpan) {
	t.Helper()
	for _, a := range span.Attributes() {
		if strings.Contains(a.Value.String(), "secret") {
			t.Errorf("the attribute %s is %s", a.Key, a.Value.String())
		}
	}
	if strings.Contains(span.Name()+span.Status().Description, "secret") || len(span.Events()) > 0 {
		t.Errorf("the span is %s, %v, %v", span.Name(), span.Status(), span.Events())
	}
}

// Lines of a context with a span have its trace, also those of derived loggers.
func TestLogHandler(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(tracing.LogHandler(slog.NewTextHandler(&out, nil)))
	provider, _ := recorder(sdk.AlwaysSample())
	ctx, span := tracing.New(provider, false).Request(context.Background(), request(""))
	defer span.End()
	log.Info("none")
	log.InfoContext(ctx, "plain")
	log.With("a", 1).InfoContext(ctx, "derived")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	id := "trace_id=" + span.SpanContext().TraceID().String()
	for i, want := range []bool{false, true, true} {
		if got := strings.Contains(lines[i], id); got != want {
			t.Errorf("%s: has the trace's id: %t", lines[i], got)
		}
	}
}
