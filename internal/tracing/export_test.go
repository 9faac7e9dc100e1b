package tracing_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"missiond/internal/outbound"
	"missiond/internal/tracing"
)

// newClient returns a client for a receiver, as internal/app does.
func newClient(limit time.Duration, t *tls.Config) *http.Client {
	return outbound.Rules{}.Trusted(outbound.Options{Call: limit, Connect: limit, Wait: limit, Header: 1 << 10, Body: 1 << 10, Idle: 1, TLS: t})
}

// Spans arrive at a receiver of OTLP over HTTP, at the path of the protocol, with the
// program's name and version.
func TestExport(t *testing.T) {
	t.Parallel()
	received := make(chan *collector.ExportTraceServiceRequest, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s %s", r.URL.Path, r.Header.Get("Content-Type"))
		}
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			unzipped, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			body = unzipped
		}
		text, err := io.ReadAll(body)
		message := &collector.ExportTraceServiceRequest{}
		if err := errors.Join(err, proto.Unmarshal(text, message)); err != nil {
			t.Error(err)
		}
		received <- message
	}))
	defer server.Close()
	provider, err := tracing.Export(t.Context(), tracing.ExportOptions{Client: newClient, Endpoint: server.URL + "/base", Command: "serve", Version: "v1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracing.New(provider, false).Request(t.Context(), request(sampled))
	span.End()
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	resource := (<-received).GetResourceSpans()[0]
	about := map[string]string{}
	for _, a := range resource.GetResource().GetAttributes() {
		about[a.GetKey()] = a.GetValue().GetStringValue()
	}
	if about["service.name"] != "missiond" || about["service.version"] != "v1.2.3" || about["missiond.command"] != "serve" {
		t.Errorf("the resource is %v", about)
	}
	got := resource.GetScopeSpans()[0].GetSpans()[0]
	if id := span.SpanContext().TraceID(); !bytes.Equal(got.GetTraceId(), id[:]) || got.GetName() != "POST" || len(got.GetLinks()) != 1 {
		t.Errorf("the span is %v", got)
	}
}

// A receiver that hangs doesn't keep spans from ending, however many, nor a shutdown
// from returning at its deadline.
func TestReceiverHangs(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	called := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		called <- struct{}{}
		<-release
	}))
	defer server.Close()
	defer close(release)
	provider, err := tracing.Export(t.Context(), tracing.ExportOptions{Client: newClient, Endpoint: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	tracer := tracing.New(provider, false)
	const many = 20_000 // ten times the queue
	for range many {
		_, span := tracer.Request(t.Context(), request(""))
		span.End()
	}
	<-called
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := provider.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the shutdown returned %v while the receiver hung", err)
	}
}

// A receiver that refuses is logged, and nothing else.
func TestReceiverRefuses(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }))
	defer server.Close()
	var log bytes.Buffer
	provider, err := tracing.Export(t.Context(), tracing.ExportOptions{Client: newClient, Endpoint: server.URL, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracing.New(provider, false).Request(t.Context(), request(""))
	span.End()
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "spans are lost") {
		t.Errorf("the log is %q", log.String())
	}
}

// Traces are on if a receiver is named, by the flag or the environment, unless the
// environment disables them.
func TestEnabled(t *testing.T) {
	for _, c := range []struct {
		flag string
		env  map[string]string
		want bool
	}{
		{want: false},
		{flag: "http://localhost:4318", want: true},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}, want: true},
		{env: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4318/x"}, want: true},
		{flag: "http://localhost:4318", env: map[string]string{"OTEL_SDK_DISABLED": "true"}, want: false},
		{flag: "http://localhost:4318", env: map[string]string{"OTEL_TRACES_EXPORTER": "none"}, want: false},
	} {
		for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER"} {
			t.Setenv(name, c.env[name])
		}
		if got := (tracing.ExportOptions{Client: newClient, Endpoint: c.flag}).Enabled(); got != c.want {
			t.Errorf("%q with %v: %t, want %t", c.flag, c.env, got, c.want)
		}
	}
}

// What can't be is refused at the start, not at the first span.
func TestExportRefuses(t *testing.T) {
	for _, c := range []struct{ flag, variable, value, want string }{
		{flag: "localhost:4318", want: "--traces-endpoint must be an http or https URL"},
		{variable: "OTEL_EXPORTER_OTLP_ENDPOINT", value: "127.0.0.1:4318", want: "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL"},
		{variable: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", value: "collector:4318/v1/traces", want: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be"},
		{flag: "http://localhost:4318", variable: "OTEL_EXPORTER_OTLP_PROTOCOL", value: "grpc", want: "only http/protobuf"},
	} {
		if c.variable != "" {
			t.Setenv(c.variable, c.value)
		}
		if _, err := tracing.Export(t.Context(), tracing.ExportOptions{Client: newClient, Endpoint: c.flag}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.flag, err)
		}
	}
}
