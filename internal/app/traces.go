package app

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"time"

	"missiond/internal/outbound"
	"missiond/internal/tracing"
)

// TraceOptions say where traces are sent.
type TraceOptions struct {
	TracesEndpoint string `help:"Send traces to this OTLP receiver over HTTP, such as http://localhost:4318; or name it with OTEL_EXPORTER_OTLP_ENDPOINT. The other OTEL_ variables apply too. Without a receiver there are no traces." placeholder:"URL"`
	TracesContinue bool   `help:"Continue the traces of callers (traceparent), with their decision whether to sample: behind a gateway that sets or removes the header. Without it, requests begin their own traces, with links to the callers'."`
}

// tracesLimit bounds what a process waits for the receiver of traces when it shuts down.
const tracesLimit = 2 * time.Second

// traceClient returns what makes the clients of receivers of traces.
func traceClient(rules outbound.Rules) func(limit time.Duration, t *tls.Config) *http.Client {
	const header, body, idle = 16 << 10, 1 << 20, 1
	return func(limit time.Duration, t *tls.Config) *http.Client {
		return rules.Trusted(outbound.Options{Call: limit, Connect: limit, Wait: limit, Header: header, Body: body, Idle: idle, TLS: t})
	}
}

// trace opens the tracer of a kind of process, if there is a receiver.
func (o TraceOptions) trace(ctx context.Context, c *Config, kind string) error {
	export := tracing.ExportOptions{Endpoint: o.TracesEndpoint, Command: kind, Version: c.Version, Log: c.Log, Client: traceClient(c.Rules)}
	if !export.Enabled() {
		return nil
	}
	provider, err := tracing.Export(ctx, export)
	if err != nil {
		return fmt.Errorf("traces: %w", err)
	}
	c.Tracer = tracing.New(provider, o.TracesContinue)
	c.closers = append(c.closers, func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tracesLimit)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			c.Log.Warn("traces: the last spans may be lost", "error", err)
		}
		return nil
	})
	return nil
}
