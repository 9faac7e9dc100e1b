package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"missiond/internal/outbound"
)

// mcpCommand connects an editor that starts its tools itself with the service: each line of standard
// input is a message, which is sent to the service, and each line of standard output is an answer.
type mcpCommand struct {
	URL    string `help:"The service's address." env:"MISSIOND_URL" default:"http://127.0.0.1:8080"`
	APIKey string `help:"A key of the tenant." env:"MISSIOND_API_KEY" required:""`
}

// Bounds of the bridge: a message, an answer, and the time of a call.
const (
	maxMessage = 2 << 20
	maxReply   = 4 << 20
	callLimit  = 60 * time.Second
)

// Run is missiond mcp. The log goes to standard error.
func (c mcpCommand) Run(ctx context.Context, log *slog.Logger) error {
	at, err := url.Parse(strings.TrimSuffix(c.URL, "/"))
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return fmt.Errorf("--url: %q must be an http or https address", outbound.Shown(c.URL))
	}
	b := &bridge{address: at.String() + "/mcp", key: c.APIKey, log: log, client: &http.Client{
		Timeout: callLimit,
		// A redirect would take the key elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	return b.run(ctx, os.Stdin, os.Stdout)
}

// bridge sends messages to the service.
type bridge struct {
	address, key string
	log          *slog.Logger
	client       *http.Client
	// version is the protocol's, as the client and the service agreed on with initialize; "" before.
	version string
}

// rpc is what the bridge reads of a message.
type rpc struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string `json:"name"`
		URI  string `json:"uri"`
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
	Result struct {
		Version string `json:"protocolVersion"`
	} `json:"result"`
}

// parseError is the response to a line that isn't JSON (JSON-RPC 2.0, section 5.1).
const parseError = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`

// run passes messages on until the input ends.
func (b *bridge) run(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, ended := lines.ReadBytes('\n')
		answer := b.pass(ctx, bytes.TrimSpace(line))
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it was told to stop
		}
		if len(answer) > 0 {
			if _, err := out.Write(append(answer, '\n')); err != nil {
				return err
			}
		}
		if errors.Is(ended, io.EOF) {
			return nil
		}
		if ended != nil {
			return ended
		}
	}
}

// pass passes a line on and returns the answer to it; nothing if nobody expects one.
func (b *bridge) pass(ctx context.Context, line []byte) []byte {
	if len(line) == 0 {
		return nil
	}
	if !json.Valid(line) {
		return []byte(parseError)
	}
	var m rpc
	_ = json.Unmarshal(line, &m) // the service refuses what isn't a message
	answer, err := b.send(ctx, m, line)
	if err != nil && ctx.Err() == nil {
		b.log.Warn("a message has no answer of the service's", "error", err)
		answer = failure(m, err)
	}
	if m.Method == "initialize" {
		var response rpc
		if json.Unmarshal(answer, &response) == nil {
			b.version = response.Result.Version
		}
	}
	if len(m.ID) == 0 && line[0] == '{' {
		return nil // a notification
	}
	return answer
}

// send sends a message and returns the answer on one line; nothing if there is none.
func (b *bridge) send(ctx context.Context, m rpc, line []byte) ([]byte, error) {
	if len(line) > maxMessage {
		return nil, fmt.Errorf("a message has at most %d MiB: media_add without content_base64 prepares an upload for larger files", maxMessage>>20)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.address, bytes.NewReader(line))
	if err != nil {
		return nil, err
	}
	h := req.Header
	h.Set("Authorization", "Bearer "+b.key)
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	if version := m.Params.Meta.Version; version != "" {
		h.Set("Mcp-Method", m.Method)
		h.Set("Mcp-Protocol-Version", version)
		if name := m.Params.Name + m.Params.URI; name != "" {
			h.Set("Mcp-Name", name)
		}
	} else if b.version != "" {
		h.Set("Mcp-Protocol-Version", b.version)
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("the service can't be reached: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxReply {
		return nil, errors.New("the answer is too long")
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	return answerTo(m, resp, text)
}

// answerTo returns a response's body as the answer to a message: on one line and, where the service
// refused the request itself, with the message's id.
func answerTo(m rpc, resp *http.Response, text []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	switch err := json.Unmarshal(text, &fields); {
	case err == nil:
	case strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") && resp.StatusCode == http.StatusBadRequest:
		return nil, fmt.Errorf("the service refused the message: %s", bytes.TrimSpace(text))
	default:
		return nil, fmt.Errorf("the service answered %s, and no JSON", resp.Status)
	}
	if id := string(fields["id"]); id == "" || id == "null" {
		fields["id"] = m.ID
	}
	return json.Marshal(fields)
}

// failure returns an error as the answer to a message.
func failure(m rpc, err error) []byte {
	id := m.ID
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	answer, _ := json.Marshal(map[string]any{ // what it is made of has JSON
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32000, "message": "missiond mcp: " + err.Error()},
	})
	return answer
}
