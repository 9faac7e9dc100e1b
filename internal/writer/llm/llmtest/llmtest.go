// Package llmtest plays a language model over real HTTP: an endpoint of chat
// completions whose responses a test decides, however hostile.
package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// maxRequest bounds a request's body: a mission's brief is far shorter.
const maxRequest = 4 << 20

// Stub is an endpoint that plays acts.
type Stub struct {
	*httptest.Server

	t      testing.TB
	choose func(Request) Act

	mu   sync.Mutex
	seen []Request
}

// New returns a stub that lets choose decide what becomes of each request; many
// goroutines call it at once. The stub ends with the test, and what isn't a
// proper request fails it.
func New(t testing.TB, choose func(Request) Act) *Stub {
	s := &Stub{t: t, choose: choose}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // clients go away on purpose
	s.Start()
	t.Cleanup(func() {
		s.CloseClientConnections() // which ends the acts that stall
		s.Close()
	})
	return s
}

func (s *Stub) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		return // the client has gone
	}
	a, err := read(r, body)
	if err != nil {
		s.t.Errorf("a request that no endpoint takes: %v\n%.2000s", err, body)
		http.Error(w, err.Error(), http.StatusTeapot)
		return
	}
	s.mu.Lock()
	s.seen = append(s.seen, a)
	s.mu.Unlock()
	s.choose(a)(w, a)
}

// Seen returns the proper requests so far, in the order that they came.
func (s *Stub) Seen() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// Forget clears Seen.
func (s *Stub) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = nil
}

// Request is a request to an endpoint. No other member is known to it.
type Request struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	ResponseFormat *struct {
		Type       string `json:"type"`
		JSONSchema *struct {
			Name   string         `json:"name"`
			Strict bool           `json:"strict"`
			Schema map[string]any `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxCompletionTokens int `json:"max_completion_tokens"`
	MaxTokens           int `json:"max_tokens"`
	// Stream is false, the default.
	Stream bool `json:"stream"`

	Header http.Header `json:"-"`
	Path   string      `json:"-"`
	// Brief is the material in the second message.
	Brief Brief `json:"-"`

	gone <-chan struct{} // the client
}

// Brief is what acts are chosen by, of the material that a request carries.
type Brief struct {
	Mission struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"mission"`
	Post struct {
		Number   int `json:"number"`
		Revision int `json:"revision"`
	} `json:"post"`
	ReviewerWishes string `json:"reviewer_wishes"`
}

// read returns a request, or what is wrong with it.
func read(r *http.Request, body []byte) (Request, error) {
	a := Request{Header: r.Header, Path: r.URL.Path, gone: r.Context().Done()}
	switch {
	case r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") || r.URL.RawQuery != "":
		return a, fmt.Errorf("%s %s", r.Method, r.URL)
	case r.Header.Get("Content-Type") != "application/json":
		return a, fmt.Errorf("the content type %q", r.Header.Get("Content-Type"))
	}
	strict := json.NewDecoder(bytes.NewReader(body))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&a); err != nil {
		return a, err
	}
	if err := a.check(); err != nil {
		return a, err
	}
	return a, json.Unmarshal([]byte(a.Messages[1].Content), &a.Brief)
}

var turns = []string{"system", "user", "assistant", "user"}

func (a Request) check() error {
	if a.Model == "" || a.Stream || (a.MaxTokens > 0) == (a.MaxCompletionTokens > 0) {
		return fmt.Errorf("the model %q with the limits %d and %d", a.Model, a.MaxTokens, a.MaxCompletionTokens)
	}
	if len(a.Messages) != 2 && len(a.Messages) != 4 {
		return fmt.Errorf("%d messages", len(a.Messages))
	}
	for i, m := range a.Messages {
		if m.Role != turns[i] || strings.TrimSpace(m.Content) == "" {
			return fmt.Errorf("message %d is of %q: %.100q", i, m.Role, m.Content)
		}
	}
	switch f := a.ResponseFormat; {
	case f == nil || f.Type == "json_object" && f.JSONSchema == nil:
		return nil
	case f.Type != "json_schema" || f.JSONSchema == nil || f.JSONSchema.Name == "" || f.JSONSchema.Schema["type"] != "object":
		return errors.New("a response format of no known form")
	}
	return nil
}

// Form is the requested response format, or "".
func (a Request) Form() string {
	if a.ResponseFormat == nil {
		return ""
	}
	return a.ResponseFormat.Type
}

// Thread reports whether a thread is requested.
func (a Request) Thread() bool { return strings.Contains(a.Messages[0].Content, `{"parts": [`) }

// Most is the most that an endpoint could count for the request: a token for
// every byte of its messages and its schema, and its maximum response.
func (a Request) Most() (input, output int) {
	for _, m := range a.Messages {
		input += len(m.Content)
	}
	if a.ResponseFormat != nil && a.ResponseFormat.JSONSchema != nil {
		input += len(encode(a.ResponseFormat.JSONSchema.Schema))
	}
	return input, a.MaxTokens + a.MaxCompletionTokens
}
