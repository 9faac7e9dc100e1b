package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"missiond/internal/app"
	"missiond/internal/writer/eval"
	"missiond/internal/writer/llm"
)

type writerCommand struct {
	Eval writerEval `cmd:"" help:"Have language models write the posts of a file of briefs, and print which rules the texts break, what they cost, and the texts."`
}

type writerEval struct {
	Briefs string   `arg:"" help:"The file: a JSON object with a mission, a tenant and posts on each line, as examples/briefs.jsonl." type:"existingfile"`
	Also   []string `name:"also" help:"Further models of the same endpoint, whose texts are printed beside those of --llm-model, at the same prices. Repeatable." placeholder:"MODEL"`
	JSON   bool     `name:"json" help:"Print JSON instead of text."`

	app.WriterOptions `group:"Writing"`
}

// Run is missiond writer eval. It needs no database.
func (c writerEval) Run(ctx context.Context, log *slog.Logger) error {
	if c.LLMURL == "" {
		return errors.New("--llm-url and --llm-model name the model to evaluate")
	}
	f, err := os.Open(c.Briefs)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	briefs, err := eval.Read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Briefs, err)
	}
	open := func(model string, tried func(llm.Try)) (*llm.Writer, error) {
		o := c.WriterOptions
		o.LLMModel = model
		return o.Model(log, tried)
	}
	report, err := eval.Run(ctx, briefs, append([]string{c.LLMModel}, c.Also...), time.Now().UTC(), open)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(report)
	}
	return report.WriteText(os.Stdout)
}
