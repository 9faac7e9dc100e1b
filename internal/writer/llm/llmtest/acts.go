package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

// Act is how the stub responds to one request.
type Act func(w http.ResponseWriter, a Request)

// Reply is a response's envelope. A Usage that is nil is left out.
type Reply struct {
	Content any
	Refusal any
	Finish  string // "" is stop
	Tools   any
	Usage   any
}

// Usage is the usage that a response reports.
func Usage(input, output any) map[string]any {
	return map[string]any{"prompt_tokens": input, "completion_tokens": output}
}

// The tokens of Fair.
const (
	FairInput  = 400
	FairOutput = 60
)

// Fair is a usage as a post takes.
var Fair = Usage(FairInput, FairOutput)

// Play is the act of it.
func (r Reply) Play(w http.ResponseWriter, a Request) {
	message := map[string]any{"role": "assistant", "content": r.Content, "refusal": r.Refusal}
	if r.Tools != nil {
		message["tool_calls"] = r.Tools
	}
	if r.Finish == "" {
		r.Finish = "stop"
	}
	body := map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": a.Model,
		"choices": []any{map[string]any{"index": 0, "finish_reason": r.Finish, "message": message, "logprobs": nil}},
	}
	if r.Usage != nil {
		body["usage"] = r.Usage
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// Says sends content, with a fair usage.
func Says(content string) Act { return Reply{Content: content, Usage: Fair}.Play }

// Writes returns a text, as that of a post.
func Writes(text string) Act { return Says(encode(map[string]string{"text": text})) }

// Second is what Fits puts after a text if a thread is requested.
func Second(text string) string { return "More of it: " + text }

// Fits returns a text in the requested form, with a usage.
func Fits(text string, usage any) Act {
	return func(w http.ResponseWriter, a Request) {
		content := encode(map[string]string{"text": text})
		if a.Thread() {
			content = encode(map[string][]string{"parts": {text, Second(text)}})
		}
		Reply{Content: content, Usage: usage}.Play(w, a)
	}
}

// Status returns a status with a body, and headers: names, each before its value.
func Status(code int, body string, headers ...string) Act {
	return func(w http.ResponseWriter, _ Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// Raw sends bytes as they are.
func Raw(body string) Act { return Status(http.StatusOK, body) }

// Stall sends nothing until the client has gone.
func Stall(_ http.ResponseWriter, a Request) { <-a.gone }

// StallUntil sends nothing until it is let, and then plays an act.
func StallUntil(let <-chan struct{}, then Act) Act {
	return func(w http.ResponseWriter, a Request) {
		select {
		case <-let:
			then(w, a)
		case <-a.gone:
		}
	}
}

// Drip returns a byte at a time, without an end.
func Drip(w http.ResponseWriter, a Request) {
	w.Header().Set("Content-Type", "application/json")
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-a.gone:
			return
		case <-tick.C:
			if _, err := io.WriteString(w, " "); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// HangUp cuts the connection once the request is read.
func HangUp(http.ResponseWriter, Request) { panic(http.ErrAbortHandler) }

// CutShort cuts the connection in the middle of a response.
func CutShort(w http.ResponseWriter, _ Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"{\"text\":\"`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// StatusCutShort responds as Status does, and cuts the connection in the middle of the body.
func StatusCutShort(status int, header ...string) Act {
	return func(w http.ResponseWriter, a Request) {
		w.Header().Set("Content-Length", "100")
		Status(status, `{"error":`, header...)(w, a)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Huge sends ten MiB.
func Huge(w http.ResponseWriter, _ Request) {
	w.Header().Set("Content-Type", "application/json")
	line := strings.Repeat("x", 1<<10)
	_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"`)
	for range 10 << 10 {
		if _, err := io.WriteString(w, line); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, `"}}]}`)
}

func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings can't fail
	}
	return string(text)
}
