package llm

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/mission"
)

const (
	testKey   = "sk-test-0123456789"
	testModel = "stub-1"
)

// asked is a request as the stub saw it.
type asked struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	ResponseFormat *struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string         `json:"name"`
			Strict bool           `json:"strict"`
			Schema map[string]any `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxCompletionTokens int `json:"max_completion_tokens"`
	MaxTokens           int `json:"max_tokens"`

	header http.Header
	path   string
}

// form is the response format that was asked for, or "".
func (a asked) form() string {
	if a.ResponseFormat == nil {
		return ""
	}
	return a.ResponseFormat.Type
}

// act is how the stub answers one request.
type act func(w http.ResponseWriter, a asked)

// stub is a language model over HTTP that plays acts in turn, the last one for
// ever.
type stub struct {
	*httptest.Server

	mu    sync.Mutex
	acts  []act
	seen  []asked
	waits []time.Duration
	gone  chan struct{}
}

func newStub(t testing.TB, acts ...act) *stub {
	s := &stub{acts: acts, gone: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		close(s.gone)
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *stub) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a := asked{header: r.Header, path: r.URL.Path}
	if err := json.Unmarshal(body, &a); err != nil {
		http.Error(w, err.Error(), http.StatusTeapot)
		return
	}
	s.mu.Lock()
	play := s.acts[min(len(s.seen), len(s.acts)-1)]
	s.seen = append(s.seen, a)
	s.mu.Unlock()
	play(w, a)
}

// calls answers what was asked.
func (s *stub) calls() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

func (s *stub) replay(acts ...act) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acts, s.seen, s.waits = acts, nil, nil
}

func (s *stub) sleep(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits = append(s.waits, d)
	return ctx.Err()
}

// writer answers a writer that asks the stub.
func (s *stub) writer(t testing.TB, change func(o *Options)) *Writer {
	t.Helper()
	o := Options{
		BaseURL: s.URL + "/v1", APIKey: testKey, Model: testModel,
		InputPrice: 150_000, OutputPrice: 600_000, Sleep: s.sleep, CallTimeout: 10 * time.Second,
	}
	if change != nil {
		change(&o)
	}
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// reply is an answer's envelope. What is nil is left out.
type reply struct {
	content any
	refusal any
	finish  string
	tools   any
	usage   any
}

var fairUsage = map[string]any{"prompt_tokens": 400, "completion_tokens": 60, "total_tokens": 460}

func (r reply) play(w http.ResponseWriter, _ asked) {
	message := map[string]any{"role": "assistant", "content": r.content, "refusal": r.refusal}
	if r.tools != nil {
		message["tool_calls"] = r.tools
	}
	if r.finish == "" {
		r.finish = "stop"
	}
	body := map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": testModel,
		"choices": []any{map[string]any{"index": 0, "finish_reason": r.finish, "message": message, "logprobs": nil}},
	}
	if r.usage != nil {
		body["usage"] = r.usage
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// says answers content.
func says(content string) act { return reply{content: content, usage: fairUsage}.play }

// writes answers the text in the form that was asked for.
func writes(text string) act { return says(encode(map[string]string{"text": text})) }

// status answers a status with a body.
func status(code int, body string, headers ...string) act {
	return func(w http.ResponseWriter, _ asked) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// raw answers bytes as they are.
func raw(body string) act { return status(http.StatusOK, body) }

// stall answers nothing, and ends with the test.
func (s *stub) stall(_ http.ResponseWriter, _ asked) { <-s.gone }

// drip answers a byte at a time, without an end.
func (s *stub) drip(w http.ResponseWriter, _ asked) {
	w.Header().Set("Content-Type", "application/json")
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-s.gone:
			return
		case <-tick.C:
			if _, err := io.WriteString(w, " "); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// hangUp cuts the connection once the request is read.
func hangUp(http.ResponseWriter, asked) { panic(http.ErrAbortHandler) }

// huge answers ten MiB.
func huge(w http.ResponseWriter, _ asked) {
	w.Header().Set("Content-Type", "application/json")
	line := strings.Repeat("x", 1<<10)
	_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"`)
	for range 10 << 10 {
		if _, err := io.WriteString(w, line); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, `"}}]}`)
}

const goodText = "Small teams ship calmer with one shared list. What stands on yours?"

var good = writes(goodText)

func assignment(change func(a *mission.Assignment)) mission.Assignment {
	tone := "warm"
	a := mission.Assignment{
		Brief: mission.Brief{
			MissionName: "Spring", Description: "We make lists for small teams.", Objectives: []string{"Increase brand awareness"},
			Constraints: mission.Constraints{Tone: &tone, ExcludedTopics: []string{"politics", "tax advice"}},
			Brand:       mission.Brand{Name: "Acme", Voice: "plain", Audience: "founders", Website: "https://www.acme.test/about"},
		},
		Slot:     mission.Slot{Platform: mission.Bluesky, Format: mission.FormatPost, Angle: mission.AngleTip, Objective: "Increase brand awareness"},
		Revision: 1, Worked: []string{"Questions did well."}, Seed: 7,
	}
	if change != nil {
		change(&a)
	}
	return a
}

func thread(a *mission.Assignment) { a.Slot.Format = mission.FormatThread }
