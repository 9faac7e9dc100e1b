package tracing

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// ExportOptions say where spans are sent, and whose they are.
type ExportOptions struct {
	// Endpoint is the base URL of an OTLP receiver, to which /v1/traces is added; "" for
	// that of the environment.
	Endpoint string
	// Command is what the process runs, Version the program's.
	Command, Version string
	// Client returns the client for the receiver, with a limit of each call and what the
	// environment says of TLS, which may be nil.
	Client func(limit time.Duration, t *tls.Config) *http.Client
	// Log gets a warning for each export that fails; nil discards them.
	Log *slog.Logger
}

// The variables by which the environment names a receiver, and by which it can disable
// traces.
const (
	endpointVariable       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesEndpointVariable = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	protocolVariable       = "OTEL_EXPORTER_OTLP_PROTOCOL"
	tracesProtocolVariable = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
)

// Enabled reports whether traces are to be exported: a receiver is named, and the
// environment doesn't disable them.
func (o ExportOptions) Enabled() bool {
	if os.Getenv("OTEL_SDK_DISABLED") == "true" || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return o.Endpoint != "" || os.Getenv(endpointVariable) != "" || os.Getenv(tracesEndpointVariable) != ""
}

// Export returns a provider whose spans are sent with OTLP over HTTP, in the background:
// those that find the queue full are dropped. The environment's OTEL_ variables are the
// SDK's. Errors: an endpoint that isn't a URL, another protocol.
func Export(ctx context.Context, o ExportOptions) (*sdk.TracerProvider, error) {
	for _, name := range []string{protocolVariable, tracesProtocolVariable} {
		if p := os.Getenv(name); p == "grpc" {
			return nil, fmt.Errorf("%s: only http/protobuf is supported, not %s", name, p)
		}
	}
	client, err := o.client()
	if err != nil {
		return nil, err
	}
	options := []otlptracehttp.Option{otlptracehttp.WithHTTPClient(client)}
	if o.Endpoint == "" {
		// The exporter would take what it can't read for its default.
		for _, name := range []string{tracesEndpointVariable, endpointVariable} {
			if value := os.Getenv(name); value != "" {
				if _, err := readEndpoint(name, value); err != nil {
					return nil, err
				}
			}
		}
	} else {
		u, err := readEndpoint("--traces-endpoint", o.Endpoint)
		if err != nil {
			return nil, err
		}
		options = append(options, otlptracehttp.WithEndpointURL(u.JoinPath("v1", "traces").String()))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("the exporter of traces: %w", err)
	}
	// What the environment says prevails.
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithHost(),
		resource.WithAttributes(semconv.ServiceName("missiond"), semconv.ServiceVersion(o.Version), command.String(o.Command)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("the resource of traces: %w", err)
	}
	return sdk.NewTracerProvider(sdk.WithBatcher(logged{exporter, o.Log}), sdk.WithResource(about)), nil
}

// The variables by which the environment limits a call to the receiver, and names files
// of TLS: as for the SDK, whose own client isn't used.
const (
	timeoutVariable     = "TIMEOUT" // ms
	authorityVariable   = "CERTIFICATE"
	certificateVariable = "CLIENT_CERTIFICATE"
	keyVariable         = "CLIENT_KEY"
)

// defaultTimeout limits a call if the environment doesn't.
const defaultTimeout = 10 * time.Second

// variable returns the value of a variable for traces, or for all signals.
func variable(name string) string {
	if text := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_" + name); text != "" {
		return text
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_" + name)
}

// client returns the client for the receiver. Errors: files that aren't certificates.
func (o ExportOptions) client() (*http.Client, error) {
	limit := defaultTimeout
	if ms, err := strconv.Atoi(variable(timeoutVariable)); err == nil && ms > 0 {
		limit = time.Duration(ms) * time.Millisecond
	}
	authority, certificate, key := variable(authorityVariable), variable(certificateVariable), variable(keyVariable)
	if authority == "" && certificate == "" {
		return o.Client(limit, nil), nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	if authority != "" {
		text, err := os.ReadFile(authority)
		if t.RootCAs = x509.NewCertPool(); err != nil || !t.RootCAs.AppendCertsFromPEM(text) {
			return nil, errors.Join(fmt.Errorf("the certificate authority of the receiver of traces, %s, is not a PEM file of certificates", authority), err)
		}
	}
	if certificate != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("the client certificate for the receiver of traces: %w", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return o.Client(limit, t), nil
}

// readEndpoint returns the URL of a flag or variable.
func readEndpoint(name, value string) (*url.URL, error) {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s must be an http or https URL, such as http://localhost:4318", name)
	}
	return u, nil
}

// SetLogger has OpenTelemetry write its log lines to log.
func SetLogger(log *slog.Logger) {
	otel.SetLogger(logr.FromSlogHandler(log.Handler()))
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "error", err) }))
}

// logged is an exporter whose failures are logged: the SDK would pass them to a handler
// that is global.
type logged struct {
	sdk.SpanExporter

	log *slog.Logger
}

// ExportSpans sends spans.
func (l logged) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if err := l.SpanExporter.ExportSpans(ctx, spans); err != nil && l.log != nil {
		l.log.Warn("traces: spans are lost", "spans", len(spans), "error", err)
	}
	return nil
}
