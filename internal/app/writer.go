package app

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/writer/grammar"
	"missiond/internal/writer/llm"
	"missiond/mission"
)

// WriterOptions name the language model that writes posts.
type WriterOptions struct {
	LLMURL         string        `name:"llm-url" help:"Write posts with this OpenAI-compatible endpoint, such as https://api.openai.com/v1. Without it the built-in writer writes them." placeholder:"URL"`
	LLMModel       string        `name:"llm-model" help:"The model."`
	LLMAPIKey      string        `name:"llm-api-key" help:"The endpoint's key."`
	LLMInputPrice  float64       `name:"llm-input-price" help:"Dollars per million input tokens, charged to missions' budgets."`
	LLMOutputPrice float64       `name:"llm-output-price" help:"Dollars per million output tokens."`
	LLMMaxTokens   int           `name:"llm-max-tokens" help:"The maximum length of a response, in tokens." default:"1500"`
	LLMTimeout     time.Duration `name:"llm-timeout" help:"How long a response may take." default:"25s"`
}

// microsPerDollar is the number of mission.Micros in a dollar.
const microsPerDollar = 1_000_000

// writersAtOnce bounds how many of a process's workers call a language model at
// once.
const writersAtOnce = 8

// maxDollars bounds the price of a million tokens.
const maxDollars = 10_000

// open returns the writer of posts, and how many of a process's stages may write at
// once (0 for no limit). Errors name the wrong flag.
func (o WriterOptions) open(log *slog.Logger) (w missions.Writer, atOnce int, err error) {
	if o.LLMURL == "" {
		if o.LLMModel != "" || o.LLMAPIKey != "" {
			return nil, 0, errors.New("--llm-model and --llm-api-key require --llm-url")
		}
		return grammar.New(), 0, nil
	}
	options := llm.Options{
		BaseURL: o.LLMURL, APIKey: o.LLMAPIKey, Model: o.LLMModel, MaxOutputTokens: o.LLMMaxTokens,
		CallTimeout: o.LLMTimeout, Log: log,
	}
	if options.InputPrice, err = dollars("--llm-input-price", o.LLMInputPrice); err != nil {
		return nil, 0, err
	}
	if options.OutputPrice, err = dollars("--llm-output-price", o.LLMOutputPrice); err != nil {
		return nil, 0, err
	}
	w, err = llm.New(options)
	var wrong *llm.OptionError
	if errors.As(err, &wrong) {
		return nil, 0, fmt.Errorf("%s: %s", flagOf(wrong.Option), wrong.Wrong)
	}
	return w, writersAtOnce, err
}

// flagOf returns the flag that sets a field of llm.Options.
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

// dollars converts the price of a flag to micros. Errors: a price that isn't
// between 0 and maxDollars.
func dollars(flag string, price float64) (mission.Micros, error) {
	if !(price >= 0 && price <= maxDollars) { // NaN is neither
		return 0, fmt.Errorf("%s: %v must be between 0 and %d dollars", flag, price, maxDollars)
	}
	return mission.Micros(math.Round(price * microsPerDollar)), nil
}
