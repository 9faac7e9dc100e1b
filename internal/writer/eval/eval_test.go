package eval

import (
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/writer/llm"
	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
)

var update = flag.Bool("update", false, "write the golden report")

// began is when the briefs' missions are planned.
var began = time.Date(2026, 11, 26, 8, 0, 0, 0, time.UTC)

// models are simulated models: good ones and bad ones.
func models(t *testing.T) *llmtest.Stub {
	var n atomic.Int64
	return llmtest.New(t, func(a llmtest.Request) llmtest.Act {
		text := []string{"Small gardens start with one packet of seeds.", "Book your flu shot before the cold sets in.", "Sow now, harvest in June."}[int(n.Add(1)-1)%3]
		switch again := len(a.Messages) > 2; {
		case a.Model == "good":
			return llmtest.Fits(text, llmtest.Fair)
		case a.Model == "hasty" && !again:
			return llmtest.Fits("Win 500 EUR, guaranteed! See evil.com/now \x1b[2J", llmtest.Fair)
		case a.Model == "hasty":
			return llmtest.Fits(text, llmtest.Fair)
		case a.Model == "rambling":
			return llmtest.Says("I like trains.")
		case a.Model == "prudish":
			return llmtest.Reply{Refusal: "I can't help with that.", Usage: llmtest.Fair}.Play
		}
		return llmtest.Status(http.StatusUnauthorized, `{}`)
	})
}

// The report of an operator's choice among simulated models, over the example's briefs.
func TestReport(t *testing.T) {
	f, err := os.Open("../../../examples/briefs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	briefs, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	stub := models(t)
	open := func(model string, tried func(llm.Try)) (*llm.Writer, error) {
		return llm.New(llm.Options{
			BaseURL: stub.URL + "/v1", Model: model, InputPrice: 150_000, OutputPrice: 600_000, Tried: tried,
			Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		})
	}
	report, err := Run(t.Context(), briefs, []string{"good", "hasty", "rambling", "prudish", "locked"}, began, open)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/report.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("got the report\n%s\nwant\n%s", text.String(), want)
	}
	if strings.ContainsRune(text.String(), '\x1b') {
		t.Error("the report directs the terminal")
	}
	good, posts := report.Models[0], mission.Micros(len(report.Posts))
	var cost mission.Micros
	for _, text := range good.Texts {
		cost += text.Cost
	}
	if fair := mission.Micros(llmtest.FairInput*150_000+llmtest.FairOutput*600_000) / 1_000_000; cost != posts*fair || posts != 3 {
		t.Errorf("%d posts cost %d, want %d", posts, cost, posts*fair)
	}
	if _, err := json.Marshal(report); err != nil {
		t.Error(err)
	}
}

func TestRead(t *testing.T) {
	const good = `{"mission":{"name":"x","objectives":["y"],"platforms":["twitter"],"duration_days":1}}`
	for text, want := range map[string]string{
		"":                                "no briefs",
		"{":                               "line 1",
		good + "\n\n" + `{"missions":{}}`: "line 3",
		good + "\n" + good + good:         "line 2",
		`{"mission":{"name":"x"}}`:        "line 1",
		strings.Replace(good, "{", `{"posts":21,`, 1):                         "posts must be between 1 and 20",
		strings.Replace(good, "{", `{"tenant":{"brand":{"website":"x"}},`, 1): "line 1",
		strings.Repeat("x", maxLine+1):                                        "too long",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100q: got %v, want %q", text, err, want)
		}
	}
	if list, err := Read(strings.NewReader("\n" + good + "\n")); err != nil || len(list) != 1 {
		t.Errorf("got %d briefs, %v", len(list), err)
	}
}
