package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"missiond/internal/clock"
)

// Prices of the model, in dollars per million tokens: a call costs some cents.
const (
	inputPrice  = "5"
	outputPrice = "25"
)

// model simulates a language model behind an OpenAI-compatible endpoint: it is slow,
// and never returns the same text twice.
type model struct {
	*httptest.Server

	mu sync.Mutex
	r  *rand.Rand
}

// newModel starts a model.
func newModel(r *rand.Rand) *model {
	m := &model{r: r}
	m.Server = httptest.NewServer(m)
	return m
}

// ServeHTTP handles a chat completion.
func (m *model) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var asked struct {
		Model    string `json:"model"`
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	if err := json.NewDecoder(req.Body).Decode(&asked); err != nil || len(asked.Messages) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	takes, first, second := m.draw()
	if clock.Sleep(req.Context(), takes) != nil {
		return
	}
	var reply any = map[string]string{"text": first}
	if strings.Contains(asked.Messages[0].Content, `{"parts": [`) {
		reply = map[string][]string{"parts": {first, second}}
	}
	text, err := json.Marshal(reply)
	if err != nil {
		panic("bug: marshal a reply: " + err.Error())
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": asked.Model,
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": string(text)}}},
		"usage":   map[string]int{"prompt_tokens": 400, "completion_tokens": 60},
	})
}

// draw returns how long a response takes, and two texts.
func (m *model) draw() (takes time.Duration, first, second string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return between(m.r, 20*time.Millisecond, 1500*time.Millisecond), m.sentence(), m.sentence()
}

// sentence returns a sentence of made-up words.
func (m *model) sentence() string {
	syllables := []string{"ka", "lo", "mi", "ren", "tu", "sa", "vel", "no", "pi", "dor", "ga", "he"}
	words := make([]string, 10)
	for i := range words {
		for range 2 + m.r.IntN(2) {
			words[i] += oneOf(m.r, syllables)
		}
	}
	return strings.ToUpper(words[0][:1]) + strings.Join(words, " ")[1:] + "."
}
