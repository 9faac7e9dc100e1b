package llm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/textlimit"
	"missiond/internal/topic"
	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
)

var _ missions.Writer = (*Writer)(nil)

// codeOf is a WritingError's code; "plain" of any other error, "" of none.
func codeOf(err error) string {
	var e *mission.WritingError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Failure.Code
	}
	return "plain"
}

// holds checks what must hold of any Write.
func holds(t interface {
	Helper()
	Errorf(string, ...any)
}, w *Writer, a mission.Assignment, d mission.Draft, err error,
) {
	t.Helper()
	if price := w.Price(a); d.Cost < 0 || d.Cost > price {
		t.Errorf("it cost %d of %d at most", d.Cost, price)
	}
	if err != nil {
		const shortest = 12 // shorter ones may be in the service's own words
		for _, secret := range []string{testKey, a.Brief.Description, a.Slot.Objective} {
			if len(secret) > shortest && strings.Contains(err.Error(), secret) {
				t.Errorf("the error shows %q: %v", secret, err)
			}
		}
		if d.Text != "" || d.Parts != nil {
			t.Errorf("an error comes with a draft: %+v", d)
		}
		return
	}
	caps, _ := mission.CapabilitiesOf(a.Slot.Platform)
	if err := textlimit.Check(caps, d); err != nil || d.Format != a.Slot.Format {
		t.Errorf("the %s %q passed: %v", d.Format, d.Text, err)
	}
	if i, name := topic.NewList(a.Brief.Constraints.ExcludedTopics).Find(d.Text); i >= 0 {
		t.Errorf("a draft mentions %q", name)
	}
}

func TestBehaviours(t *testing.T) {
	long := strings.Repeat("very ", 80) + "long."
	quick := func(o *Options) { o.CallTimeout = 40 * time.Millisecond }
	s := newStub(t)
	for name, tt := range map[string]struct {
		acts   []act
		change func(o *Options)
		brief  func(a *mission.Assignment)
		code   string
		calls  int
		says   string // stands in the error
		costs  func(w *Writer, a mission.Assignment) mission.Micros
	}{
		"good":                 {acts: []act{good}, calls: 1, costs: fair(1)},
		"fenced":               {acts: []act{llmtest.Says("```json\n{\"text\":\"" + goodText + "\"}\n```")}, calls: 1},
		"in prose":             {acts: []act{llmtest.Says("Sure {as asked}! Here it is: {\"text\":\"" + goodText + "\"} Enjoy {it}.")}, calls: 1},
		"after thoughts":       {acts: []act{llmtest.Says(`<think>maybe {"text":"politics"}</think>{"text":"` + goodText + `"}`)}, calls: 1},
		"a thread":             {acts: []act{llmtest.Says(`{"parts":["One thing.","Another thing."]}`)}, brief: thread, calls: 1},
		"nonsense":             {acts: []act{llmtest.Says("I like trains.")}, code: mission.CodeWriterInvalid, calls: 2, says: "no JSON object", costs: fair(2)},
		"wrong member":         {acts: []act{llmtest.Says(`{"post":"x y"}`)}, code: mission.CodeWriterInvalid, calls: 2},
		"a text for a thread":  {acts: []act{good}, brief: thread, code: mission.CodeWriterInvalid, calls: 2},
		"a thread of one":      {acts: []act{llmtest.Says(`{"parts":["x y"]}`)}, brief: thread, code: mission.CodeWriterBrokeRule, calls: 2, says: "2 to 6 are wanted"},
		"a thread of nulls":    {acts: []act{llmtest.Says(`{"parts":[null,null]}`)}, brief: thread, code: mission.CodeWriterInvalid, calls: 2},
		"a thread as a string": {acts: []act{llmtest.Says(`{"parts":"x"}`)}, brief: thread, code: mission.CodeWriterInvalid, calls: 2},
		"a number":             {acts: []act{llmtest.Says(`{"text":7}`)}, code: mission.CodeWriterInvalid, calls: 2},
		"null":                 {acts: []act{llmtest.Says(`{"text":null}`)}, code: mission.CodeWriterInvalid, calls: 2},
		"more members":         {acts: []act{llmtest.Says(`{"text":"x y","mood":"good"}`), good}, calls: 2},
		"a member twice":       {acts: []act{llmtest.Says(`{"text":"x y","text":"politics"}`), good}, calls: 2},
		"another case":         {acts: []act{llmtest.Says(`{"Text":"x y"}`), good}, calls: 2},
		"empty":                {acts: []act{llmtest.Writes(" \n")}, code: mission.CodeWriterBrokeRule, calls: 2, says: "no words"},
		"the sample":           {acts: []act{llmtest.Writes("…")}, code: mission.CodeWriterBrokeRule, calls: 2},
		"control characters":   {acts: []act{llmtest.Writes("a\x00b")}, code: mission.CodeWriterBrokeRule, calls: 2},
		"a placeholder":        {acts: []act{llmtest.Writes("Read more at [link].")}, code: mission.CodeWriterBrokeRule, calls: 2, says: "placeholder"},
		"too long, mended":     {acts: []act{llmtest.Writes(long), good}, calls: 2, costs: fair(2)},
		"too long twice":       {acts: []act{llmtest.Writes(long)}, code: mission.CodeWriterBrokeRule, calls: 2, says: "is too long: Bluesky counts 405 characters; 300 are allowed"},
		"a part too long": {
			acts: []act{llmtest.Says(encode(map[string]any{"parts": []string{"x", long}}))}, brief: thread,
			code: mission.CodeWriterBrokeRule, calls: 2, says: "part 2 is too long: Bluesky counts 405 characters; 300",
		},
		"said before":          {acts: []act{llmtest.Writes("Said  Before.")}, brief: repeating, code: mission.CodeWriterBrokeRule, calls: 2, says: "published before"},
		"said before, mended":  {acts: []act{llmtest.Writes("said before."), good}, brief: repeating, calls: 2, costs: fair(2)},
		"a thread twice":       {acts: []act{llmtest.Says(`{"parts":["One thing.","one  thing."]}`)}, brief: thread, code: mission.CodeWriterBrokeRule, calls: 2, says: "one twice"},
		"excluded topic":       {acts: []act{llmtest.Writes("Let's talk Politics.")}, code: mission.CodeWriterBrokeRule, calls: 2, says: "excluded topic number 1"},
		"hidden topic":         {acts: []act{llmtest.Writes("Let's talk poli\u200dtics.")}, code: mission.CodeWriterBrokeRule, calls: 2},
		"foreign link":         {acts: []act{llmtest.Writes("See https://evil.test/acme.test")}, code: mission.CodeWriterBrokeRule, calls: 2, says: "isn't the brand's"},
		"own link":             {acts: []act{llmtest.Writes("See https://shop.acme.test/lists?x=1.")}, calls: 1},
		"refusal":              {acts: []act{llmtest.Reply{Refusal: "I can't help with that.", Usage: fairUsage}.Play}, code: mission.CodeWriterRefused, calls: 1, costs: fair(1)},
		"refusal at last":      {acts: []act{llmtest.Says("x"), llmtest.Reply{Refusal: "No.", Usage: fairUsage}.Play}, code: mission.CodeWriterRefused, calls: 2},
		"content filter":       {acts: []act{llmtest.Reply{Content: `{"text":"x"}`, Finish: "content_filter", Usage: fairUsage}.Play}, code: mission.CodeWriterRefused, calls: 1},
		"cut off":              {acts: []act{llmtest.Reply{Content: `{"text":"x`, Finish: "length", Usage: fairUsage}.Play}, code: mission.CodeWriterTruncated, calls: 2},
		"cut off, mended":      {acts: []act{llmtest.Reply{Content: `{"text":"x`, Finish: "length", Usage: fairUsage}.Play, good}, calls: 2},
		"cut off at last":      {acts: []act{llmtest.Says("x"), llmtest.Reply{Finish: "length", Usage: fairUsage}.Play}, code: mission.CodeWriterInvalid, calls: 2},
		"a tool call":          {acts: []act{llmtest.Reply{Finish: "tool_calls", Tools: []any{map[string]any{"id": "1", "type": "function"}}, Usage: fairUsage}.Play}, code: mission.CodeWriterInvalid, calls: 2},
		"no choices":           {acts: []act{llmtest.Raw(`{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}`), good}, calls: 2},
		"content of parts":     {acts: []act{llmtest.Reply{Content: []any{map[string]any{"type": "text", "text": "x"}}, Usage: fairUsage}.Play, good}, calls: 2, costs: fair(2)},
		"invalid UTF-8":        {acts: []act{llmtest.Raw("{\"choices\":[{\"message\":{\"content\":\"{\\\"text\\\":\\\"a \xff b\\\"}\"}}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}"), good}, calls: 2},
		"half a surrogate":     {acts: []act{llmtest.Says(`{"text":"a \ud800 b"}`), good}, calls: 2},
		"a page":               {acts: []act{llmtest.Raw("<html>log in</html>")}, code: "plain", calls: 1, says: "not a chat completion", costs: bounds(1)},
		"a list":               {acts: []act{llmtest.Raw("[1]")}, code: "plain", calls: 1, costs: bounds(1)},
		"huge":                 {acts: []act{llmtest.Huge}, code: "plain", calls: 1, says: "too long", costs: bounds(1)},
		"no usage":             {acts: []act{llmtest.Reply{Content: `{"text":"x y"}`}.Play}, calls: 1, costs: bounds(1)},
		"negative usage":       {acts: []act{llmtest.Reply{Content: `{"text":"x y"}`, Usage: map[string]any{"prompt_tokens": -5, "completion_tokens": 5}}.Play}, calls: 1, costs: bounds(1)},
		"half a usage":         {acts: []act{llmtest.Reply{Content: `{"text":"x y"}`, Usage: map[string]any{"prompt_tokens": 5}}.Play}, calls: 1, costs: bounds(1)},
		"usage of words":       {acts: []act{llmtest.Reply{Content: `{"text":"x y"}`, Usage: map[string]any{"prompt_tokens": "5", "completion_tokens": 5}}.Play}, calls: 1, costs: bounds(1)},
		"overcharging":         {acts: []act{llmtest.Reply{Content: `{"text":"x y"}`, Usage: map[string]any{"prompt_tokens": 1_000_000_000, "completion_tokens": 1}}.Play}, calls: 1, costs: bounds(1)},
		"overcharging beyond":  {acts: []act{llmtest.Reply{Content: `{"text":"x y"}`, Usage: map[string]any{"prompt_tokens": int64(1) << 62, "completion_tokens": int64(1) << 62}}.Play}, calls: 1, costs: bounds(1)},
		"free of charge":       {acts: []act{llmtest.Reply{Content: `{"text":"x y"}`, Usage: map[string]any{"prompt_tokens": 0, "completion_tokens": 0}}.Play}, calls: 1, costs: fair(0)},
		"busy, then good":      {acts: []act{llmtest.Status(429, "{}", "Retry-After", "7"), good}, calls: 2, costs: fair(1)},
		"busy, cut short":      {acts: []act{llmtest.StatusCutShort(429, "Retry-After", "7"), good}, calls: 2, costs: fair(1)},
		"no key, cut short":    {acts: []act{llmtest.StatusCutShort(401)}, calls: 1, code: "plain", says: "rejected the API key (401)", costs: fair(0)},
		"busy for long":        {acts: []act{llmtest.Status(429, "{}", "Retry-After", "600"), good}, calls: 1, code: "plain", says: "responded with 429", costs: fair(0)},
		"broken for ever":      {acts: []act{llmtest.Status(503, "<html>"+testKey)}, calls: 3, code: "plain", says: "responded with 503", costs: fair(0)},
		"broken, then good":    {acts: []act{llmtest.Status(500, "{}"), llmtest.Status(502, ""), good}, calls: 3, costs: fair(1)},
		"wrong key":            {acts: []act{llmtest.Status(401, `{"error":{"message":"Incorrect API key: `+testKey+`"}}`)}, calls: 1, code: "plain", says: "rejected the API key (401)", costs: fair(0)},
		"forbidden":            {acts: []act{llmtest.Status(403, "{}")}, calls: 1, code: "plain", says: "(403)", costs: fair(0)},
		"unknown model":        {acts: []act{llmtest.Status(404, `{"error":{"message":"no such model"}}`)}, calls: 1, code: "plain", says: "responded with 404", costs: fair(0)},
		"elsewhere":            {acts: []act{llmtest.Status(307, "", "Location", "/v1/elsewhere")}, calls: 1, code: "plain", says: "responded with 307", costs: fair(0)},
		"always a bad request": {acts: []act{llmtest.Status(400, `{"error":{"message":"too long for me"}}`)}, calls: 3, code: "plain", says: "responded with 400", costs: fair(0)},
		"cut, then good":       {acts: []act{llmtest.HangUp, good}, calls: 2, costs: func(w *Writer, a mission.Assignment) mission.Micros { return bounds(1)(w, a) + fair(1)(w, a) }},
		"cut for ever":         {acts: []act{llmtest.HangUp}, calls: 3, code: "plain", says: "was closed", costs: bounds(3)},
		"stalled":              {acts: []act{llmtest.Stall}, change: quick, calls: 3, code: "plain", says: "no response within", costs: bounds(3)},
		"dripping":             {acts: []act{llmtest.Drip}, change: quick, calls: 3, code: "plain", says: "no response within", costs: bounds(3)},
		"free and cut":         {acts: []act{llmtest.HangUp}, change: func(o *Options) { o.InputPrice, o.OutputPrice = 0, 0 }, calls: 3, code: "plain", costs: fair(0)},
		"free":                 {acts: []act{llmtest.Reply{Content: `{"text":"x y"}`}.Play}, change: func(o *Options) { o.InputPrice, o.OutputPrice = 0, 0 }, calls: 1, costs: func(*Writer, mission.Assignment) mission.Micros { return 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			s.replay(tt.acts...)
			w, a := s.writer(t, tt.change), assignment(tt.brief)
			d, err := w.Write(context.Background(), a)
			holds(t, w, a, d, err)
			if codeOf(err) != tt.code || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("it returns %v, want %q and %q in it", err, tt.code, tt.says)
			}
			if n := len(s.Seen()); n != tt.calls {
				t.Errorf("it made %d calls, want %d", n, tt.calls)
			}
			if tt.costs != nil && d.Cost != tt.costs(w, a) {
				t.Errorf("it cost %d, want %d", d.Cost, tt.costs(w, a))
			}
		})
	}
}

// fair is what calls cost whose usage is fair.
func fair(calls int64) func(*Writer, mission.Assignment) mission.Micros {
	return func(w *Writer, _ mission.Assignment) mission.Micros {
		if w.o.InputPrice == 0 {
			return 0
		}
		return mission.Micros(calls) * (400*150_000 + 60*600_000) / million
	}
}

// bounds is what a number of first calls cost that count as a whole.
func bounds(calls int64) func(*Writer, mission.Assignment) mission.Micros {
	return func(w *Writer, a mission.Assignment) mission.Micros {
		return mission.Micros(calls) * w.bound(newOrder(a).opening())
	}
}

func TestUnreachable(t *testing.T) {
	s := newStub(t, good)
	w := s.writer(t, nil)
	s.Close()
	a := assignment(nil)
	d, err := w.Write(context.Background(), a)
	holds(t, w, a, d, err)
	if codeOf(err) != "plain" || !strings.Contains(err.Error(), "can't be reached") || d.Cost != 0 || len(s.waits) != 2 {
		t.Errorf("it returns %v for %d after the waits %v", err, d.Cost, s.waits)
	}
}

// Nothing was sent to a host that isn't the endpoint, so nothing is paid.
func TestUntrustedEndpoint(t *testing.T) {
	s := newStub(t, good)
	safe := httptest.NewUnstartedServer(http.NotFoundHandler())
	safe.Config.ErrorLog = log.New(io.Discard, "", 0)
	safe.StartTLS()
	defer safe.Close()
	a := assignment(nil)
	for name, url := range map[string]string{"another's certificate": safe.URL, "no TLS": strings.Replace(s.URL, "http:", "https:", 1)} {
		w := s.writer(t, func(o *Options) { o.BaseURL = url })
		d, err := w.Write(context.Background(), a)
		holds(t, w, a, d, err)
		if codeOf(err) != "plain" || d.Cost != 0 || len(s.Seen()) != 0 {
			t.Errorf("%s: it returns %v for %d", name, err, d.Cost)
		}
	}
}

func TestEndedContext(t *testing.T) {
	s := newStub(t, good)
	w, a := s.writer(t, nil), assignment(nil)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	d, err := w.Write(ended, a)
	if !errors.Is(err, context.Canceled) || d.Cost != 0 || len(s.Seen()) != 0 {
		t.Errorf("an ended context returns %v for %d after %d calls", err, d.Cost, len(s.Seen()))
	}
	// One that ends during a call: what may have been worked is paid.
	ctx, cancel := context.WithCancel(context.Background())
	s.replay(func(w http.ResponseWriter, a llmtest.Request) { cancel(); llmtest.Stall(w, a) })
	d, err = w.Write(ctx, a)
	if !errors.Is(err, context.Canceled) || d.Cost != bounds(1)(w, a) || len(s.Seen()) != 1 {
		t.Errorf("a context that ends returns %v for %d after %d calls", err, d.Cost, len(s.Seen()))
	}
	// One that ends during a wait.
	ctx, cancel = context.WithCancel(context.Background())
	s.replay(func(w http.ResponseWriter, a llmtest.Request) { llmtest.Status(503, "")(w, a); cancel() })
	w.o.Sleep = func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }
	if d, err = w.Write(ctx, a); !errors.Is(err, context.Canceled) || len(s.Seen()) != 1 {
		t.Errorf("a wait that ends returns %v for %d after %d calls", err, d.Cost, len(s.Seen()))
	}
}

func TestWaits(t *testing.T) {
	s := newStub(t)
	a := assignment(nil)
	for name, tt := range map[string]struct {
		acts     []act
		from, to []time.Duration
	}{
		"growing": {
			[]act{llmtest.Status(500, "")},
			[]time.Duration{time.Second / 2, time.Second},
			[]time.Duration{time.Second, 2 * time.Second},
		},
		"as told": {[]act{llmtest.Status(503, "", "Retry-After", "7"), good}, []time.Duration{7 * time.Second}, []time.Duration{7 * time.Second}},
		"a date": {
			[]act{llmtest.Status(429, "", "Date", "Sat, 21 Nov 2026 09:00:00 GMT", "Retry-After", "Sat, 21 Nov 2026 09:00:05 GMT"), good},
			[]time.Duration{5 * time.Second}, []time.Duration{5 * time.Second},
		},
		"the most":         {[]act{llmtest.Status(429, "", "Retry-After", "20"), good}, []time.Duration{maxWait}, []time.Duration{maxWait}},
		"more":             {[]act{llmtest.Status(429, "", "Retry-After", "21"), good}, nil, nil},
		"far more":         {[]act{llmtest.Status(429, "", "Retry-After", "4294967295"), good}, nil, nil},
		"nonsense":         {[]act{llmtest.Status(429, "", "Retry-After", "-3"), good}, []time.Duration{time.Second / 2}, []time.Duration{time.Second}},
		"a past date":      {[]act{llmtest.Status(429, "", "Retry-After", "Sat, 21 Nov 2020 09:00:05 GMT"), good}, []time.Duration{time.Second / 2}, []time.Duration{time.Second}},
		"none when it's 4": {[]act{llmtest.Status(422, "")}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s.replay(tt.acts...)
			d, err := s.writer(t, nil).Write(context.Background(), a)
			holds(t, s.writer(t, nil), a, d, err)
			if len(s.waits) != len(tt.from) {
				t.Fatalf("it waited %v, want %v", s.waits, tt.from)
			}
			for i, wait := range s.waits {
				if wait < tt.from[i] || wait > tt.to[i] {
					t.Errorf("it waited %v, want %v to %v", s.waits, tt.from, tt.to)
				}
			}
		})
	}
}

// picky refuses optional parameters, and responds without them.
func picky(code int, schema, object, newLimit string) act {
	return func(w http.ResponseWriter, a llmtest.Request) {
		switch {
		case newLimit != "" && a.MaxCompletionTokens > 0:
			llmtest.Status(code, newLimit)(w, a)
		case schema != "" && a.Form() == "json_schema":
			llmtest.Status(code, schema)(w, a)
		case object != "" && a.Form() == "json_object":
			llmtest.Status(code, object)(w, a)
		default:
			good(w, a)
		}
	}
}

// What the endpoint takes is found out once, and remembered.
func TestDialects(t *testing.T) {
	s := newStub(t)
	a := assignment(nil)
	for name, tt := range map[string]struct {
		act   act
		calls int
		form  string
		old   bool
		fails bool
	}{
		"all":                  {act: good, calls: 1, form: "json_schema"},
		"objects":              {act: picky(400, `{"error":{"message":"json_schema is not supported"}}`, "", ""), calls: 2, form: "json_object"},
		"objects, unnamed":     {act: picky(400, `nope`, "", ""), calls: 2, form: "json_object"},
		"objects, by 404":      {act: picky(404, `{"error":{"message":"No endpoints support response_format"}}`, "", ""), calls: 2, form: "json_object"},
		"words, by 422":        {act: picky(422, `{"detail":[{"loc":["body","response_format"]}]}`, `{"detail":[{"loc":["body","response_format"]}]}`, ""), calls: 3},
		"words":                {act: picky(400, "no", "no", ""), calls: 3},
		"the old limit":        {act: picky(400, "", "", `{"error":{"message":"Unsupported parameter: 'max_completion_tokens'."}}`), calls: 2, form: "json_schema", old: true},
		"words, the old limit": {act: picky(400, "response_format", "response_format", "max_completion_tokens"), calls: 4, old: true},
		"nothing":              {act: llmtest.Status(400, "response_format max_completion_tokens"), calls: 4, fails: true},
		"another 422":          {act: llmtest.Status(422, "the brief is rude"), calls: 1, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			s.replay(tt.act)
			w := s.writer(t, nil)
			d, err := w.Write(context.Background(), a)
			holds(t, w, a, d, err)
			if (err != nil) != tt.fails || len(s.Seen()) != tt.calls || len(s.waits) != 0 {
				t.Fatalf("it returns %v after %d calls and the waits %v", err, len(s.Seen()), s.waits)
			}
			s.replay(tt.act)
			d, err = w.Write(context.Background(), a)
			holds(t, w, a, d, err)
			if tt.fails {
				if len(s.Seen()) != tt.calls {
					t.Errorf("a dialect that never worked is remembered: %d calls", len(s.Seen()))
				}
				return
			}
			got := s.Seen()[0]
			if err != nil || len(s.Seen()) != 1 || got.Form() != tt.form || (got.MaxTokens > 0) != tt.old || (got.MaxCompletionTokens > 0) == tt.old {
				t.Errorf("the second call requested %q, %d, %d, and returned %v after %d calls", got.Form(), got.MaxTokens, got.MaxCompletionTokens, err, len(s.Seen()))
			}
			// A dialect that works isn't doubted for a refusal that doesn't name it.
			s.replay(llmtest.Status(400, "the brief is rude"))
			if _, err := w.Write(context.Background(), a); err == nil || len(s.Seen()) != 1 {
				t.Errorf("a refusal returns %v after %d calls", err, len(s.Seen()))
			}
		})
	}
}

func TestRequest(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	t.Setenv("OPENAI_ORG_ID", "org")
	s := newStub(t, llmtest.Says(`{"parts":["One thing.","Another thing."]}`))
	w := s.writer(t, func(o *Options) { o.MaxOutputTokens = 700 })
	if _, err := w.Write(context.Background(), assignment(thread)); err != nil {
		t.Fatal(err)
	}
	got := s.Seen()[0]
	if got.Path != "/v1/chat/completions" || got.Header.Get("Authorization") != "Bearer "+testKey || got.Header.Get("OpenAI-Organization") != "" {
		t.Errorf("got a request to %s with %v", got.Path, got.Header)
	}
	schema := got.ResponseFormat.JSONSchema
	parts := schema.Schema["properties"].(map[string]any)["parts"].(map[string]any)
	if got.Model != testModel || got.MaxCompletionTokens != 700 || !schema.Strict || schema.Schema["additionalProperties"] != false ||
		parts["minItems"] != 2.0 || parts["maxItems"] != 6.0 {
		t.Errorf("got the request %+v", got)
	}
	if size := len(encode(newOrder(assignment(thread)).schema())); size > schemaSize {
		t.Errorf("a schema has %d bytes", size)
	}
	s.replay(good)
	if _, err := s.writer(t, func(o *Options) { o.APIKey = "" }).Write(context.Background(), assignment(nil)); err != nil || s.Seen()[0].Header.Get("Authorization") != "" {
		t.Errorf("without a key it returns %v, sending %q", err, s.Seen()[0].Header.Get("Authorization"))
	}
}

// The call that mends says what is wrong, in the service's words.
func TestMending(t *testing.T) {
	long := strings.Repeat("é", 331)
	s := newStub(t, llmtest.Says(encode(map[string]any{"parts": []string{"x", long}})), llmtest.Says(`{"parts":["One thing.","Another thing."]}`))
	if _, err := s.writer(t, nil).Write(context.Background(), assignment(thread)); err != nil {
		t.Fatal(err)
	}
	first, second := s.Seen()[0], s.Seen()[1]
	if len(second.Messages) != 4 || !slices.Equal(second.Messages[:2], first.Messages) || second.Messages[2].Role != "assistant" || second.Messages[3].Role != "user" ||
		!strings.Contains(second.Messages[2].Content, long) || !strings.Contains(second.Messages[3].Content, "part 2 is too long: Bluesky counts 331 characters; 300 are allowed") {
		t.Errorf("it is mended by %+v", second.Messages)
	}
	// What is shown again is bounded, and so is the price.
	s.replay(llmtest.Says(strings.Repeat("é", 20_000)), good)
	a := assignment(nil)
	w := s.writer(t, nil)
	d, err := w.Write(context.Background(), a)
	holds(t, w, a, d, err)
	if shown := s.Seen()[1].Messages[2].Content; err != nil || len(shown) > maxEcho || strings.Trim(shown, "é") != "" {
		t.Errorf("%d bytes are shown again; %v", len(shown), err)
	}
}

func TestOverchargeIsLogged(t *testing.T) {
	var failure bytes.Buffer
	s := newStub(t, llmtest.Reply{Content: `{"text":"x y"}`, Usage: map[string]any{"prompt_tokens": 1_000_000_000, "completion_tokens": 9}}.Play)
	w := s.writer(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&failure, nil)) })
	if _, err := w.Write(context.Background(), assignment(nil)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(failure.String(), "prompt_tokens=1000000000") || !strings.Contains(failure.String(), "bound=") {
		t.Errorf("the log says %s", failure.String())
	}
}

// The whole price is enough for the longest way through.
func TestPriceBears(t *testing.T) {
	a := assignment(nil)
	lie := llmtest.Reply{Content: "nonsense"}.Play // without a usage
	for name, acts := range map[string][]act{
		"lost at first": {llmtest.HangUp, lie, good}, "lost in the middle": {lie, llmtest.HangUp, good},
	} {
		s := newStub(t, acts...)
		w := s.writer(t, nil)
		d, err := w.Write(context.Background(), a)
		holds(t, w, a, d, err)
		if err != nil || len(s.Seen()) != 3 {
			t.Errorf("%s: %v after %d calls", name, err, len(s.Seen()))
		}
	}
	s := newStub(t, llmtest.HangUp, llmtest.HangUp, lie, good)
	w := s.writer(t, nil)
	d, err := w.Write(context.Background(), a)
	holds(t, w, a, d, err)
	if outage := new(mission.OutageError); !errors.As(err, &outage) || !errors.Is(err, errOverdrawn) || len(s.Seen()) != 3 {
		t.Errorf("beyond its price it returns %v after %d calls, want an outage", err, len(s.Seen()))
	}
}

func TestNewRefuses(t *testing.T) {
	for name, change := range map[string]func(o *Options){
		"Model":             func(o *Options) { o.Model = " " },
		"BaseURL":           func(o *Options) { o.BaseURL = "ftp://host" },
		"BaseURL: must be":  func(o *Options) { o.BaseURL = "http://" },
		"BaseURL: must not": func(o *Options) { o.BaseURL = "https://me:secret@host/v1" },
		"APIKey":            func(o *Options) { o.APIKey = "sk-secret\n" },
		"InputPrice":        func(o *Options) { o.InputPrice = -1 },
		"OutputPrice":       func(o *Options) { o.OutputPrice = maxPrice + 1 },
		"MaxOutputTokens":   func(o *Options) { o.MaxOutputTokens = -1 },
		"CallTimeout":       func(o *Options) { o.CallTimeout = -1 },
	} {
		o := Options{BaseURL: "https://host/v1", Model: "m", APIKey: "sk-secret"}
		change(&o)
		_, err := New(o)
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	w, err := New(Options{BaseURL: "https://host/v1", Model: "m"})
	if err != nil || w.o.MaxOutputTokens != 1500 || w.o.CallTimeout != 25*time.Second || w.Price(assignment(nil)) != 0 {
		t.Errorf("the defaults are %+v, %v", w.o, err)
	}
}

func TestNotRequested(t *testing.T) {
	s := newStub(t, good)
	w := s.writer(t, nil)
	for _, change := range []func(a *mission.Assignment){
		func(a *mission.Assignment) { a.Slot.Platform = "myspace" },
		func(a *mission.Assignment) { a.Slot.Format = mission.FormatArticle },
		func(a *mission.Assignment) { a.Brief.Description = strings.Repeat("x", 2<<20) },
	} {
		d, err := w.Write(context.Background(), assignment(change))
		if mission.CodeOf(err) != mission.CodeInvalidRequest || d.Cost != 0 || len(s.Seen()) != 0 {
			t.Errorf("it returns %v for %d after %d calls", err, d.Cost, len(s.Seen()))
		}
	}
}

func TestConcurrentWrites(t *testing.T) {
	s := newStub(t, picky(400, "response_format", "", "max_completion_tokens"))
	w := s.writer(t, nil)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			a := assignment(func(a *mission.Assignment) { a.Seed = uint64(i) })
			d, err := w.Write(context.Background(), a)
			holds(t, w, a, d, err)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// A model whose name is that of one without chat completions isn't called, and costs nothing.
func TestModelWithoutChat(t *testing.T) {
	s := newStub(t, good)
	w := s.writer(t, func(o *Options) { o.Model = "text-davinci-003" })
	d, err := w.Write(t.Context(), assignment(nil))
	var rejected *RejectedError
	if !errors.As(err, &rejected) || rejected.Words() != "can't be asked for chat completions of this model" {
		t.Errorf("got %v", err)
	}
	if len(s.Seen()) != 0 || d.Cost != 0 {
		t.Errorf("%d calls, which cost %d", len(s.Seen()), d.Cost)
	}
}
