package main

import (
	"log/slog"
	"time"

	"missiond/internal/service"
	"missiond/internal/writer/grammar"
	"missiond/internal/writer/llm"
	"missiond/mission"
)

// writerFlags name the language model that writes posts.
type writerFlags struct {
	LLMURL         string        `name:"llm-url" help:"Write posts through this OpenAI-compatible endpoint, as in https://api.openai.com/v1. Without, the built-in writer does." placeholder:"URL"`
	LLMModel       string        `name:"llm-model" help:"The model."`
	LLMAPIKey      string        `name:"llm-api-key" help:"The endpoint's key."`
	LLMInputPrice  float64       `name:"llm-input-price" help:"Dollars for a million tokens of input, which missions' budgets bear."`
	LLMOutputPrice float64       `name:"llm-output-price" help:"Dollars for a million tokens of output."`
	LLMMaxTokens   int           `name:"llm-max-tokens" help:"The longest answer, in tokens." default:"1500"`
	LLMTimeout     time.Duration `name:"llm-timeout" help:"How long an answer may take." default:"25s"`
}

// microsPerDollar is how many mission.Micros a dollar has.
const microsPerDollar = 1_000_000

// writersAtOnce bounds how many of a process's workers wait for a language model.
const writersAtOnce = 8

// open answers what writes posts, and how many of a process's stages do at once.
func (f writerFlags) open(log *slog.Logger) (w service.Writer, atOnce int, err error) {
	if f.LLMURL == "" {
		return grammar.New(), 0, nil
	}
	w, err = llm.New(llm.Options{
		BaseURL: f.LLMURL, APIKey: f.LLMAPIKey, Model: f.LLMModel, MaxOutputTokens: f.LLMMaxTokens, CallTimeout: f.LLMTimeout, Log: log,
		InputPrice: mission.Micros(f.LLMInputPrice * microsPerDollar), OutputPrice: mission.Micros(f.LLMOutputPrice * microsPerDollar),
	})
	return w, writersAtOnce, err
}
