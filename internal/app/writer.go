package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/writer/builtin"
	"missiond/internal/writer/llm"
	"missiond/internal/writer/local"
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
		return builtin.New(), 0, nil
	}
	w, err = o.Model(log, nil)
	return w, writersAtOnce, err
}

// Model returns the language model, whose responses are passed to tried unless that is nil. Errors
// name the wrong flag.
func (o WriterOptions) Model(log *slog.Logger, tried func(llm.Try)) (w *llm.Writer, err error) {
	options := llm.Options{
		BaseURL: o.LLMURL, APIKey: o.LLMAPIKey, Model: o.LLMModel, MaxOutputTokens: o.LLMMaxTokens,
		CallTimeout: o.LLMTimeout, Log: log, Tried: tried,
	}
	if options.InputPrice, err = dollars("--llm-input-price", o.LLMInputPrice); err != nil {
		return nil, err
	}
	if options.OutputPrice, err = dollars("--llm-output-price", o.LLMOutputPrice); err != nil {
		return nil, err
	}
	w, err = llm.New(options)
	var wrong *llm.OptionError
	if errors.As(err, &wrong) {
		return nil, fmt.Errorf("%s: %s", flagOf(wrong.Option), wrong.Wrong)
	}
	return w, err
}

// LocalModelOptions say whether a model server on this machine writes.
type LocalModelOptions struct {
	LLMLocal bool `name:"llm-local" help:"Write posts with a model server that runs on this machine: Ollama, LM Studio, llama.cpp or vLLM, at its usual port. --llm-model chooses the model; without it, it is the server's first."`
}

// use sets the endpoint and the model of o to those of a server on this machine, if the flag is
// set. Errors: if there is none.
func (l LocalModelOptions) use(ctx context.Context, o *WriterOptions) error {
	if !l.LLMLocal {
		return nil
	}
	if o.LLMURL != "" {
		return errors.New("--llm-local and --llm-url exclude each other")
	}
	s, model, err := local.Choose(local.Find(ctx, local.Ports()), o.LLMModel)
	if err != nil {
		return fmt.Errorf("--llm-local: %w", err)
	}
	o.LLMURL, o.LLMModel = s.URL, model
	return nil
}

// tellOfModels logs which model servers run on this machine, if none writes posts.
func tellOfModels(ctx context.Context, o WriterOptions, log *slog.Logger) {
	if o.LLMURL != "" {
		return
	}
	for _, s := range local.Find(ctx, local.Ports()) {
		log.InfoContext(ctx, "a model server runs on this machine; --llm-local has it write the posts", "program", s.Program, "url", s.URL, "model", s.Models[0], "models", len(s.Models))
	}
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
