package program

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
	"missiond/test/internal/webhooktest"
)

// collected are the spans that an OTLP receiver got, by their ids.
type collected struct {
	*httptest.Server

	mu    sync.Mutex
	spans map[string]*otlp.Span
}

func newCollected(t *testing.T) *collected {
	t.Helper()
	c := &collected{spans: map[string]*otlp.Span{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := c.add(r); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(c.Server.Close)
	return c
}

func (c *collected) add(r *http.Request) error {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			return err
		}
		body = unzipped
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	var message collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(text, &message); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range message.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				c.spans[string(span.GetSpanId())] = span
			}
		}
	}
	return nil
}

// chain returns the names of what led to a span with a name: by links, and by the spans
// that it is in.
func (c *collected) chain(name string) (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var span *otlp.Span
	for _, s := range c.spans {
		if s.GetName() == name {
			span = s
		}
	}
	for span != nil {
		names = append(names, span.GetName())
		before := span.GetParentSpanId()
		if len(before) == 0 && len(span.GetLinks()) > 0 {
			before = span.GetLinks()[0].GetSpanId()
		}
		span = c.spans[string(before)]
	}
	slices.Reverse(names)
	return names
}

// The program sends its spans to a receiver: what a request caused can be followed from a
// published post and a delivered webhook back to it.
func TestProgramSendsTraces(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	traces, hook := newCollected(t), webhooktest.NewReceiver(t, http.StatusOK)
	p := missiond.Dev(t, t.TempDir(), "--clock-speed", "17280", "--traces-endpoint", traces.URL)
	p.Call("POST", "/v1/webhooks", map[string]any{"url": hook.URL, "events": []string{"content.published"}}, http.StatusCreated)
	id := p.StartMission(1, 1)
	p.Await("a completed mission", func() bool { return p.Status(id)["status"] == "completed" })
	p.Await("a webhook", func() bool { return len(hook.Messages()) > 0 })
	p.Terminate() // which sends the last spans
	pipeline := []string{
		"POST /v1/missions", "missions.create", "run stage:intake", "run stage:strategy", "run stage:content", "run stage:publish", "run content:publish",
	}
	if got, want := traces.chain("publish sandbox"), append(slices.Clone(pipeline), "publish sandbox"); !slices.Equal(got, want) {
		t.Errorf("the post was published by %v, want %v", got, want)
	}
	if got, want := traces.chain("POST"), append(slices.Clone(pipeline), "run webhook:deliver", "POST"); !slices.Equal(got, want) {
		t.Errorf("the webhook was sent by %v, want %v", got, want)
	}
	if parent := hook.Messages()[0].Get("traceparent"); !strings.HasPrefix(parent, "00-") {
		t.Errorf("the webhook has the traceparent %q", parent)
	}
}
