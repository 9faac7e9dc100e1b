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
// messages' ids, and says nothing to notifications.
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
`
	var out strings.Builder
	if err := b.run(context.Background(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || !strings.Contains(lines[0], `"id":1`) || !strings.Contains(lines[1], `"id":"a"`) || !strings.Contains(lines[2], "502 Bad Gateway") || !strings.Contains(lines[2], `"id":3`) || !strings.Contains(lines[3], "-32700") {
		t.Errorf("it wrote %q", lines)
	}
	if want := []string{" ", "2025-11-25 ", "2026-07-28 post_get", "2025-11-25 "}; strings.Join(versions, "|") != strings.Join(want, "|") {
		t.Errorf("the versions and names are %q, want %q", versions, want)
	}
}
