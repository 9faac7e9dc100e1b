package simulation

import (
	"context"
	"runtime"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	spans "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Two goroutines that begin a transaction at the same time say the same words: which is which is
// told by the task or the act that they run, whatever the machine had come first. Spans carry the
// tasks' ids to the driver.
type naming struct{ noop.TracerProvider }

func (naming) Tracer(string, ...spans.TracerOption) spans.Tracer { return namingTracer{} }

type namingTracer struct{ noop.Tracer }

func (namingTracer) Start(ctx context.Context, _ string, _ ...spans.SpanStartOption) (context.Context, spans.Span) {
	s := &named{id: whoOf(ctx)}
	return spans.ContextWithSpan(ctx, s), s
}

// named is a span that knows the id of its task.
type named struct {
	noop.Span
	id string
}

// IsRecording reports that attributes are wanted.
func (*named) IsRecording() bool { return true }

// SetAttributes keeps a task's id.
func (s *named) SetAttributes(all ...attribute.KeyValue) {
	for _, a := range all {
		if a.Key == semconv.MessagingMessageIDKey {
			s.id = a.Value.AsString()
		}
	}
}

// actKey is the key of an act's name in the contexts of its requests.
type actKey struct{}

// whoOf returns which task or act a context is of, or "".
func whoOf(ctx context.Context) string {
	if s, ok := spans.SpanFromContext(ctx).(*named); ok && s.id != "" {
		return s.id
	}
	act, _ := ctx.Value(actKey{}).(string)
	return act
}

// goroutine returns the number of the caller's goroutine: those that a task has started one after
// the other have rising numbers, whichever of them comes first.
func goroutine() (n uint64) {
	var head [32]byte
	digits := head[len("goroutine "):runtime.Stack(head[:], false)]
	for i := 0; digits[i] != ' '; i++ {
		n = 10*n + uint64(digits[i]-'0')
	}
	return n
}
