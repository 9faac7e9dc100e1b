package tracing_test

import (
	"context"
	"net/http"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"missiond/internal/tracing"
)

// answers is a transport that has the response ready.
type answers struct{ response *http.Response }

func (a answers) RoundTrip(*http.Request) (*http.Response, error) { return a.response, nil }

// visit does with a tracer what a request does with three statements, a call and a
// task that it creates, and what the task's run does with its own span.
func visit(t *tracing.Tracer, r *http.Request, calls http.RoundTripper) error {
	ctx, request := t.Request(r.Context(), r)
	ctx, operation := tracing.Start(ctx, "missions.create", trace.SpanKindInternal)
	for range 3 {
		_, statement := tracing.Start(ctx, "INSERT missions", trace.SpanKindClient)
		statement.End()
	}
	created := tracing.Traceparent(ctx)
	response, err := calls.RoundTrip(r)
	if err == nil {
		err = response.Body.Close()
	}
	operation.End()
	request.End()
	_, task := t.Task(r.Context(), "run stage:intake", created)
	task.End()
	return err
}

// Without a tracer nothing of a trace allocates, whatever a caller sends.
func TestOffAllocatesNothing(t *testing.T) { // not parallel: it counts the process's allocations
	r := request(sampled)
	for _, propagate := range []bool{false, true} {
		var calls http.RoundTripper = tracing.Transport{Next: answers{&http.Response{Body: http.NoBody}}, Propagate: propagate}
		off := testing.AllocsPerRun(1000, func() {
			if err := visit(nil, r, calls); err != nil {
				t.Error(err)
			}
		})
		if off > 0 {
			t.Errorf("without a tracer there are %v allocations, propagate %t", off, propagate)
		}
	}
	provider := sdk.NewTracerProvider(sdk.WithSampler(sdk.AlwaysSample()))
	on := testing.AllocsPerRun(100, func() {
		_ = visit(tracing.New(provider, false), r, answers{&http.Response{Body: http.NoBody}})
	})
	if on == 0 {
		t.Error("with a tracer nothing is allocated either: the test measures nothing")
	}
}

// BenchmarkVisit compares a request and a task without a tracer, in traces that aren't
// sampled, and in those that are.
func BenchmarkVisit(b *testing.B) {
	tracers := map[string]*tracing.Tracer{
		"off":       nil,
		"unsampled": tracing.New(sdk.NewTracerProvider(sdk.WithSampler(sdk.NeverSample())), false),
		"sampled":   tracing.New(sdk.NewTracerProvider(sdk.WithSampler(sdk.AlwaysSample())), false),
	}
	var calls http.RoundTripper = tracing.Transport{Next: answers{&http.Response{Body: http.NoBody}}, Propagate: true}
	for _, name := range []string{"off", "unsampled", "sampled"} {
		b.Run(name, func(b *testing.B) {
			r := request(sampled).WithContext(context.Background())
			b.ReportAllocs()
			for b.Loop() {
				if err := visit(tracers[name], r, calls); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
