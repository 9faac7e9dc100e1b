package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
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

// mostDollars bounds what a million tokens may cost.
const mostDollars = 10_000

// open returns what writes posts, and how many of a process's stages do at once.
// Errors name the flag that is wrong.
func (f writerFlags) open(log *slog.Logger) (w service.Writer, atOnce int, err error) {
	if f.LLMURL == "" {
		if f.LLMModel != "" || f.LLMAPIKey != "" {
			return nil, 0, errors.New("--llm-model and --llm-api-key need --llm-url")
		}
		return grammar.New(), 0, nil
	}
	o := llm.Options{BaseURL: f.LLMURL, APIKey: f.LLMAPIKey, Model: f.LLMModel, MaxOutputTokens: f.LLMMaxTokens, CallTimeout: f.LLMTimeout, Log: log}
	if o.InputPrice, err = dollars("--llm-input-price", f.LLMInputPrice); err != nil {
		return nil, 0, err
	}
	if o.OutputPrice, err = dollars("--llm-output-price", f.LLMOutputPrice); err != nil {
		return nil, 0, err
	}
	w, err = llm.New(o)
	var wrong *llm.OptionError
	if errors.As(err, &wrong) {
		return nil, 0, fmt.Errorf("%s: %s", flagOf(wrong.Option), wrong.Wrong)
	}
	return w, writersAtOnce, err
}

// flagOf is the flag of one of llm.Options.
func flagOf(option string) string {
	switch option {
	case "BaseURL":
		return "--llm-url"
	case "APIKey":
		return "--llm-api-key"
	case "Model":
		return "--llm-model"
	case "InputPrice":
		return "--llm-input-price"
	case "OutputPrice":
		return "--llm-output-price"
	case "MaxOutputTokens":
		return "--llm-max-tokens"
	}
	return "--llm-timeout"
}

// dollars is a flag's price in micros.
func dollars(flag string, price float64) (mission.Micros, error) {
	if !(price >= 0 && price <= mostDollars) { // NaN is neither
		return 0, fmt.Errorf("%s: %v isn't between 0 and %d dollars", flag, price, mostDollars)
	}
	return mission.Micros(math.Round(price * microsPerDollar)), nil
}
