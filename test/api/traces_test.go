package api

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"missiond/internal/app"
	"missiond/internal/gateway"
	"missiond/internal/testkit"
	"missiond/internal/tracing"
)

// spans are what a traced process has recorded.
type spans struct {
	*tracetest.SpanRecorder
	s *harness
}

// traced has the harness's requests served by another process, whose spans it returns.
func (s *harness) traced() spans {
	s.t.Helper()
	recorder := tracetest.NewSpanRecorder()
	provider := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder))
	a := s.another(func(c *app.Config) {
		c.Tracer = tracing.New(provider, false)
		c.Log = slog.New(tracing.LogHandler(c.Log.Handler()))
		c.Limits = gateway.NewLimits(gateway.LimitsOptions{Limiter: &s.allowances, Now: s.real.Now})
	})
	s.server = httptest.NewServer(a.Handler(app.Pages{}))
	testkit.Cleanup(s.t, func() { s.server.Close() })
	s.App = a
	return spans{recorder, s}
}

// await returns the span with a name, once it has ended.
func (s spans) await(name string) (found sdk.ReadOnlySpan) {
	s.s.t.Helper()
	s.s.until("the span "+name, func() bool {
		found = s.find(name)
		return found != nil
	})
	return found
}

// find returns the latest span with a name; nil if there is none.
func (s spans) find(name string) sdk.ReadOnlySpan {
	all := s.Ended()
	for _, span := range slices.Backward(all) {
		if span.Name() == name {
			return span
		}
	}
	return nil
}

// path returns the names of a span and of those that it is in, from the outermost on.
func (s spans) path(span sdk.ReadOnlySpan) (names []string) {
	for span != nil {
		names = append(names, span.Name())
		parent := span.Parent().SpanID()
		span = nil
		for _, other := range s.Ended() {
			if other.SpanContext().SpanID() == parent {
				span = other
			}
		}
	}
	slices.Reverse(names)
	return names
}

// attributeOf returns a span's attribute as a text, "" if it has none.
func attributeOf(span sdk.ReadOnlySpan, key attribute.Key) string {
	for _, a := range span.Attributes() {
		if a.Key == key {
			return a.Value.String()
		}
	}
	return ""
}

// A request is a trace: it, its operation and the statements, which are named by what they
// are and never by what they are about.
func TestRequestsAreTraced(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			system := map[string]string{"sqlite": "sqlite", "postgres": "postgresql"}[dialect]
			traced := s.traced()
			for name, c := range map[string]struct {
				api  api
				path []string
			}{
				"POST /v1/missions": {restAPI{s}, []string{"POST /v1/missions", "missions.create"}},
				"POST /graphql":     {graphAPI{s}, []string{"POST /graphql", "mutation", "missions.create"}},
			} {
				id := s.make(c.api, nil)
				request := traced.await(name)
				if request.SpanKind() != trace.SpanKindServer || request.Parent().IsValid() || attributeOf(request, "missiond.tenant.id") != s.tenantOf(id) {
					t.Errorf("%s is a span of the kind %s in %v with %v", name, request.SpanKind(), request.Parent(), request.Attributes())
				}
				for key, want := range map[attribute.Key]string{"http.request.method": "POST", "http.route": strings.TrimPrefix(name, "POST "), "url.scheme": "http"} {
					if got := attributeOf(request, key); got != want {
						t.Errorf("%s has the %s %q, want %q", name, key, got, want)
					}
				}
				var written sdk.ReadOnlySpan
				for _, span := range traced.Ended() {
					if span.SpanContext().TraceID() == request.SpanContext().TraceID() && strings.Contains(span.Name(), "INSERT missions") {
						written = span
					}
				}
				if written == nil {
					t.Fatalf("%s has no span of its statements", name)
				}
				if got := traced.path(written); !slices.Equal(got[:len(got)-1], c.path) {
					t.Errorf("the statements are in %v, want %v", got, c.path)
				}
				if written.SpanKind() != trace.SpanKindClient || attributeOf(written, "db.system.name") != system ||
					!strings.Contains(attributeOf(written, "db.query.text"), "INSERT INTO missions") {
					t.Errorf("the statements' span is %s with %v", written.SpanKind(), written.Attributes())
				}
			}
		})
	}
}

// A span has the code of what failed. It counts as failed only if that is the service's own
// fault. The log has the trace's id.
func TestFailuresAreTraced(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	id, traced := s.make(restAPI{s}, nil), s.traced()
	if got := (restAPI{s}).read("msn_none"); got.Code != "not_found" {
		t.Fatalf("got %+v", got)
	}
	request := traced.await("GET /v1/missions/{id}")
	operation := traced.find("missions.read")
	if request.Status().Code != codes.Unset || operation.Status().Code != codes.Unset || attributeOf(operation, "error.type") != "not_found" {
		t.Errorf("%v, %v %v", request.Status(), operation.Status(), operation.Attributes())
	}
	s.until("the request's line", func() bool {
		return strings.Contains(s.log.String(), `"trace_id":"`+request.SpanContext().TraceID().String()+`"`)
	})
	s.faults.Refuse(func(statement string) bool { return strings.Contains(statement, "missions") })
	if got := (restAPI{s}).read(id); got.Code != "service_unavailable" {
		t.Fatalf("got %+v", got)
	}
	s.until("the failed request", func() bool { return traced.find("GET /v1/missions/{id}").Status().Code == codes.Error })
	if got := traced.find("missions.read"); got.Status().Code != codes.Error || attributeOf(got, "error.type") != "service_unavailable" {
		t.Errorf("%v %v", got.Status(), got.Attributes())
	}
}

// spanAttributes are all attributes that spans of requests have.
var spanAttributes = []attribute.Key{
	"db.operation.batch.size", "db.query.summary", "db.query.text", "db.response.status_code", "db.system.name", "error.type",
	"graphql.operation.name", "graphql.operation.type", "http.request.method", "http.response.body.size", "http.response.status_code", "http.route",
	"missiond.operation", "missiond.tenant.id", "network.protocol.version", "server.address", "server.port", "url.scheme",
}

// identifier matches texts in requests that are names of the interface, such as platforms.
var identifier = regexp.MustCompile(`^[a-z_.]*$`)

// constant matches the names of states and the like in the texts of statements, which may be cut.
var constant = regexp.MustCompile(`'(T|[a-z_:{} %]*)('|$)`)

// No span of any operation has a credential, an address or a text of its request, and
// none has a value of a statement.
func TestTracesHaveNoTexts(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	traced := s.traced()
	secret := map[string]bool{}
	var calls []call
	for i, c := range append(s.restCalls(), s.graphCalls()...) {
		if i%8 == 0 || testkit.InFull() {
			calls = append(calls, c)
		}
	}
	for i, c := range calls {
		name := fmt.Sprintf("traced-%d", i)
		e := s.estate(name)
		owner, _ := s.begin("ann@"+name, "org_"+name, "admin")
		c = c.in(e)
		for _, text := range []string{owner, e.key, "@" + name, "org_" + name} {
			secret[text] = true
		}
		noteTexts(secret, c.body)
		for j, id := range append([]string{""}, e.ids...) {
			if s.as(owner, fmt.Sprint("own-", j), c, id).succeeded() {
				break
			}
		}
	}
	s.as("", "", call{method: http.MethodGet, path: "/v1/missions/ann@example.com?name=ann@example.com"}, "")
	secret["ann@example.com"] = true
	traced.await("GET /v1/missions/{id}")
	all := traced.Ended()
	if len(all) < 5*len(calls) || len(secret) < 2*len(calls) {
		t.Fatalf("%d spans of %d calls with %d texts", len(all), len(calls), len(secret))
	}
	seen := map[string]bool{} // spans are much alike
	for _, span := range all {
		texts := []string{span.Name(), span.Status().Description}
		for _, a := range span.Attributes() {
			if !slices.Contains(spanAttributes, a.Key) {
				t.Errorf("%s has the attribute %s", span.Name(), a.Key)
			}
			if a.Key == "db.query.text" && strings.Contains(constant.ReplaceAllString(a.Value.String(), ""), "'") {
				t.Errorf("%s has a value: %s", span.Name(), a.Value.String())
			}
			texts = append(texts, a.Value.String())
		}
		if len(span.Events()) > 0 {
			t.Errorf("%s has events: %v", span.Name(), span.Events())
		}
		for _, text := range texts {
			for secret := range secret {
				if !seen[text] && strings.Contains(text, secret) {
					t.Errorf("the span %s has %q: %s", span.Name(), secret, text)
				}
			}
			seen[text] = true
		}
	}
}

// noteTexts notes the texts of a request's body that aren't names of the interface.
func noteTexts(into map[string]bool, body any) {
	switch b := body.(type) {
	case csvText:
		into[string(b)] = true
	case string:
		if len(b) >= 4 && !identifier.MatchString(b) && !strings.HasPrefix(b, "<") {
			into[b] = true
		}
	case []any:
		for _, each := range b {
			noteTexts(into, each)
		}
	case map[string]any:
		for _, each := range b {
			noteTexts(into, each)
		}
	case nil:
	default:
		var plain any
		if text, err := json.Marshal(b); err == nil && json.Unmarshal(text, &plain) == nil {
			if _, again := plain.(map[string]any); again || strings.HasPrefix(string(text), "[") {
				noteTexts(into, plain)
			}
		}
	}
}
