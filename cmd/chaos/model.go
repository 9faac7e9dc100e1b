package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
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
	server *http.Server
	url    string

	mu sync.Mutex
	r  *rand.Rand
}

// openModel starts a model on addr.
func openModel(ctx context.Context, addr string, r *rand.Rand) (*model, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	m := &model{url: "http://" + addr + "/v1", r: r}
	m.server = &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := m.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			panic(fmt.Sprintf("bug: the model ended: %v", err))
		}
	}()
	return m, nil
}

func (m *model) close() { _ = m.server.Close() }

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
