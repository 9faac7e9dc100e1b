package tasks_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"missiond/internal/outbound"
	"missiond/internal/testkit/world"
	"missiond/internal/tracing"
	"missiond/internal/webhook"
	"missiond/mission"
)

// spans are recorded spans, by their ids.
type spans map[trace.SpanID]sdk.ReadOnlySpan

func recorded(r *tracetest.SpanRecorder) spans {
	all := spans{}
	for _, s := range r.Ended() {
		all[s.SpanContext().SpanID()] = s
	}
	return all
}

// origin returns the names of the spans that led to a task's run, by the links, from the
// first on.
func (all spans) origin(s sdk.ReadOnlySpan) (names []string) {
	for s != nil {
		names = append(names, s.Name())
		if len(s.Links()) == 0 {
			break
		}
		s = all[s.Links()[0].SpanContext.SpanID()]
	}
	slices.Reverse(names)
	return names
}

// within returns the spans with a name that are directly in a run of a task's type.
func (all spans) within(run, name string) (found []sdk.ReadOnlySpan) {
	for _, s := range all {
		if parent := all[s.Parent().SpanID()]; s.Name() == name && parent != nil && parent.Name() == run {
			found = append(found, s)
		}
	}
	return found
}

// traced has the world's worker record spans.
func traced(w *world.World) (trace.Tracer, *tracetest.SpanRecorder) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder))
	w.Parts.Tracer = tracing.New(provider, false)
	return provider.Tracer("test"), recorder
}

// spanAttribute returns an attribute as a text, "" if there is none.
func spanAttribute(s sdk.ReadOnlySpan, key attribute.Key) string {
	for _, a := range s.Attributes() {
		if a.Key == key {
			return a.Value.String()
		}
	}
	return ""
}

// A mission is traced from its creation to its published posts and delivered webhooks:
// each run of a task is a trace of its own, with a link to the span in which the task was
// created, and in it are its statements, the platform's call and the receiver's.
func TestMissionIsTraced(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		tracer, recorder := traced(w)
		var mu sync.Mutex
		var parents []string
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			parents = append(parents, r.Header.Get("traceparent"))
		}))
		defer server.Close()
		client := webhook.NewClient(outbound.Rules{Local: true}, time.Now)
		defer client.Close()
		w.Sender = client
		w.Hook(server.URL+"/hooks/secret", mission.EventMissionCreated, mission.EventContentPublished)
		days, posts, start := 1, 1, true
		ctx, root := tracer.Start(context.Background(), "request")
		m, err := w.Missions.CreateMission(ctx, w.Tenant, mission.CreateInput{
			Name: "Secret", Objectives: []string{"Show what is secret"}, Platforms: []mission.Platform{mission.Twitter},
			Constraints: &mission.ConstraintsInput{PostsPerDay: &posts}, DurationDays: &days, StartImmediately: &start,
		})
		w.Must(err)
		root.End()
		w.Over(m.ID)

		all := recorded(recorder)
		runs := map[string][]string{} // where each type of task came from
		for _, s := range all {
			if !strings.HasPrefix(s.Name(), "run ") {
				continue
			}
			if s.Parent().IsValid() || len(s.Links()) != 1 || s.SpanKind() != trace.SpanKindConsumer || spanAttribute(s, "missiond.task.outcome") == "" {
				t.Errorf("%s is in %v with the links %v and %v", s.Name(), s.Parent(), s.Links(), s.Attributes())
			}
			runs[s.Name()] = all.origin(s)
		}
		for name, want := range map[string][]string{
			"run mission:end":     {"request", "run mission:end"},
			"run stage:content":   {"request", "run stage:intake", "run stage:strategy", "run stage:content"},
			"run content:publish": {"request", "run stage:intake", "run stage:strategy", "run stage:content", "run stage:publish", "run content:publish"},
		} {
			if got := runs[name]; !slices.Equal(got, want) {
				t.Errorf("%s comes from %v, want %v", name, got, want)
			}
		}
		published := all.within("run content:publish", "publish sandbox")
		if len(published) != 1 || spanAttribute(published[0], "missiond.platform") != "sandbox" {
			t.Errorf("the post was published in %v", published)
		}
		sent := all.within("run webhook:deliver", "POST")
		if len(sent) != 2 || len(parents) != 2 {
			t.Fatalf("%d webhooks were sent in %d spans", len(parents), len(sent))
		}
		for _, s := range sent {
			header := "00-" + s.SpanContext().TraceID().String() + "-" + s.SpanContext().SpanID().String() + "-01"
			if !slices.Contains(parents, header) {
				t.Errorf("the receivers got %v, not %s", parents, header)
			}
			if origin := all.origin(all[s.Parent().SpanID()]); origin[0] != "request" {
				t.Errorf("the webhook comes from %v", origin)
			}
		}
		statements := 0
		for _, s := range all {
			if spanAttribute(s, "db.system.name") != "" {
				statements++
			}
			for _, a := range s.Attributes() {
				if strings.Contains(strings.ToLower(a.Value.String()), "secret") {
					t.Errorf("%s has %s %s", s.Name(), a.Key, a.Value.String())
				}
			}
		}
		if statements < len(runs) {
			t.Errorf("there are %d spans of statements", statements)
		}
	})
}

// A failed attempt is a failed span, with the code that the tenant sees and not the error;
// the next attempt links to the same creator.
func TestFailedRunsAreTraced(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		tracer, recorder := traced(w)
		failures := 1
		w.Writer = world.PlainWriter{Fail: func(mission.Assignment) error {
			if failures--; failures >= 0 {
				return &mission.WritingError{Failure: mission.Failure{Code: "generation_failed", Message: "a secret"}}
			}
			return nil
		}}
		ctx, root := tracer.Start(context.Background(), "request")
		days, start := 1, true
		m, err := w.Missions.CreateMission(ctx, w.Tenant, mission.CreateInput{
			Name: "Test", Objectives: []string{"Show"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: &days, StartImmediately: &start,
		})
		w.Must(err)
		root.End()
		w.Until("posts", func() bool { return len(w.Published(m.ID)) > 0 })
		var failed, done []sdk.ReadOnlySpan
		for _, s := range recorder.Ended() {
			switch {
			case s.Name() != "run stage:content":
			case s.Status().Code == codes.Error:
				failed = append(failed, s)
			default:
				done = append(done, s)
			}
		}
		if len(failed) != 1 || len(done) == 0 {
			t.Fatalf("%d runs failed and %d didn't", len(failed), len(done))
		}
		if spanAttribute(failed[0], "error.type") != "generation_failed" || failed[0].Status().Description != "" || len(failed[0].Events()) > 0 {
			t.Errorf("%v %v %v", failed[0].Attributes(), failed[0].Status(), failed[0].Events())
		}
		if a, b := failed[0].Links()[0].SpanContext, done[0].Links()[0].SpanContext; !a.Equal(b) || spanAttribute(done[0], "missiond.task.attempt") != "2" {
			t.Errorf("the attempts link to %v and %v", a, b)
		}
	})
}

// Without traces, and in one that isn't recorded, tasks have no span.
func TestUntracedTasks(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		provider := sdk.NewTracerProvider(sdk.WithSampler(sdk.NeverSample()))
		ctx, span := provider.Tracer("test").Start(context.Background(), "request")
		defer span.End()
		days, start := 1, true
		_, err := w.Missions.CreateMission(ctx, w.Tenant, mission.CreateInput{
			Name: "Test", Objectives: []string{"Show"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: &days, StartImmediately: &start,
		})
		w.Must(err)
		due := w.Due()
		if len(due) == 0 {
			t.Fatal("nothing is due")
		}
		for _, task := range due {
			if task.Traceparent != "" {
				t.Errorf("%s was created in %s", task.Type, task.Traceparent)
			}
		}
	})
}
