package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The bridge sends each message with the key and the version that was agreed on, responds with the
// messages' ids, says nothing to notifications, and outlives messages that are refused or too long.
func TestBridge(t *testing.T) {
	var versions []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		versions = append(versions, r.Header.Get("Mcp-Protocol-Version")+" "+r.Header.Get("Mcp-Name"))
		switch {
		case r.Header.Get("Authorization") != "Bearer cms_live_1":
			t.Errorf("the key is %q", r.Header.Get("Authorization"))
		case strings.Contains(string(body), `"initialize"`):
			_, _ = io.WriteString(w, "{\n\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\"}}\n")
		case strings.Contains(string(body), "notifications/"):
			w.WriteHeader(http.StatusAccepted)
		case strings.Contains(string(body), "tools/call"):
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}`)
		case body[0] == '[':
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"one message"}}`)
		case strings.Contains(string(body), `"nope"`):
			http.Error(w, `"nope" unsupported`, http.StatusBadRequest)
		default:
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "<html>")
		}
	}))
	defer server.Close()
	b := &bridge{address: server.URL + "/mcp", key: "cms_live_1", log: slog.New(slog.DiscardHandler), client: server.Client()}
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}

{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"post_get","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
{"jsonrpc":"2.0","id":3,"method":"ping"}
{"jsonrpc":"2.0","id":4,
[{"jsonrpc":"2.0","id":5,"method":"ping"}]
{"jsonrpc":"2.0","id":6,"method":"nope"}
{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + strings.Repeat("x", maxMessage) + `"}}
{"jsonrpc":"2.0","id":8,"method":"ping"}`
	var out strings.Builder
	if err := b.run(context.Background(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	has := [][]string{
		{`"id":1`}, {`"id":"a"`}, {`"id":3`, "502 Bad Gateway"}, {"-32700"}, {"one message"}, {`"id":6`, "refused", "unsupported"}, {`"id":7`, "2 MiB"}, {`"id":8`},
	}
	if len(lines) != len(has) {
		t.Fatalf("it wrote %q", lines)
	}
	for i, line := range lines {
		for _, part := range has[i] {
			if !strings.Contains(line, part) {
				t.Errorf("it wrote %s, and want %s", line, part)
			}
		}
	}
	if want := []string{" ", "2025-11-25 ", "2026-07-28 post_get", "2025-11-25 ", "2025-11-25 ", "2025-11-25 ", "2025-11-25 "}; strings.Join(versions, "|") != strings.Join(want, "|") {
		t.Errorf("the versions and names are %q, want %q", versions, want)
	}
}
