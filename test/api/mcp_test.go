package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"missiond/internal/testkit"
	"missiond/mission"
)

// onBoth plays a test on each database.
func onBoth(t *testing.T, play func(t *testing.T, s *harness)) {
	t.Helper()
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			play(t, newHarness(t, open))
		})
	}
}

// withCredential sends a credential with each request.
type withCredential struct{ credential string }

func (c withCredential) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+c.credential)
	return http.DefaultTransport.RoundTrip(r)
}

// assistant is a client of the tools, which checks each result against its tool's schema.
type assistant struct {
	s       *harness
	session *mcp.ClientSession
	tools   map[string]*mcp.Tool
	out     map[string]*jsonschema.Resolved
	// calls, errs and bytes count what it did.
	calls, errs, bytes int
}

func (s *harness) assistant(credential string) *assistant {
	s.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{
		Endpoint: s.server.URL + "/mcp", HTTPClient: &http.Client{Transport: withCredential{credential}}, DisableStandaloneSSE: true,
	}, nil)
	s.must(err)
	testkit.Cleanup(s.t, func() { _ = session.Close() })
	a := &assistant{s: s, session: session, tools: map[string]*mcp.Tool{}, out: map[string]*jsonschema.Resolved{}}
	list, err := session.ListTools(context.Background(), nil)
	s.must(err)
	for _, tool := range list.Tools {
		a.tools[tool.Name] = tool
		text, err := json.Marshal(tool.OutputSchema)
		s.must(err)
		var schema jsonschema.Schema
		s.must(json.Unmarshal(text, &schema))
		a.out[tool.Name], err = schema.Resolve(nil)
		s.must(err)
	}
	return a
}

// call calls a tool, and returns its result or its error's object.
func (a *assistant) call(name string, args object) (result object, failed bool) {
	a.s.t.Helper()
	r, err := a.session.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		a.s.t.Fatalf("%s %v: %v", name, args, err)
	}
	text := r.Content[0].(*mcp.TextContent).Text
	a.calls++
	a.bytes += len(text)
	if len(text) > 75_000 {
		a.s.t.Errorf("%s %v: %d bytes", name, args, len(text))
	}
	if args["detail"] != "full" && len(text) > 6_000 {
		a.s.t.Errorf("%s %v: a concise answer of %d bytes", name, args, len(text))
	}
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		a.s.t.Fatalf("%s: %v in %s", name, err, text)
	}
	if r.IsError {
		a.errs++
		return result["error"].(map[string]any), true
	}
	if err := a.out[name].Validate(result); err != nil {
		a.s.t.Errorf("%s: its result isn't as its schema says: %v\n%s", name, err, text)
	}
	return result, false
}

// ok calls a tool that must succeed.
func (a *assistant) ok(name string, args object) object {
	a.s.t.Helper()
	result, failed := a.call(name, args)
	if failed {
		a.s.t.Fatalf("%s %v: %v", name, args, result)
	}
	return result
}

// refused calls a tool that must fail with a code and name a field.
func (a *assistant) refused(name string, args object, code mission.Code, field string) object {
	a.s.t.Helper()
	result, failed := a.call(name, args)
	got, _ := result["field"].(string)
	if !failed || result["code"] != string(code) || got != field {
		a.s.t.Errorf("%s %v: got %v, want %s of %q", name, args, result, code, field)
	}
	return result
}

// toolNames are the tools, as the contract names them.
var toolNames = []string{
	"missions_list", "mission_get", "mission_estimate", "mission_create", "mission_update", "mission_pause", "mission_resume", "mission_complete",
	"posts_list", "post_get", "post_write", "post_edit", "post_reschedule", "post_cancel", "reviews_list", "post_approve", "post_reject",
	"results_get", "media_add", "accounts_and_limits",
}

// The list has the tools of the contract, each with what clients show and decide by, and costs its
// reader less than 12,000 tokens of three bytes.
func TestToolsList(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	list, err := s.assistant(s.key).session.ListTools(context.Background(), nil)
	s.must(err)
	text, err := json.Marshal(list)
	s.must(err)
	t.Logf("%d bytes", len(text))
	if len(text) > 3*12_000 {
		t.Errorf("the list has %d bytes", len(text))
	}
	if list.CacheScope != "private" || list.TTLMs == 0 {
		t.Errorf("it may be kept by %q for %d ms", list.CacheScope, list.TTLMs)
	}
	var got []string
	for _, tool := range list.Tools {
		got = append(got, tool.Name)
		a := tool.Annotations
		if tool.Title == "" || tool.Description == "" || a == nil || a.DestructiveHint == nil || a.OpenWorldHint == nil || tool.OutputSchema == nil {
			t.Errorf("%s lacks something: %+v", tool.Name, tool)
		}
		if a.ReadOnlyHint && (*a.DestructiveHint || !a.IdempotentHint) {
			t.Errorf("%s only reads, and isn't described so", tool.Name)
		}
		in := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		if _, keyed := in["idempotency_key"]; keyed == a.ReadOnlyHint {
			t.Errorf("%s takes an idempotency key: %t", tool.Name, keyed)
		}
		for _, order := range []string{"you must", "always ", "never call", "important", "ignore"} {
			if strings.Contains(strings.ToLower(tool.Description), order) {
				t.Errorf("%s gives orders: %s", tool.Name, tool.Description)
			}
		}
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(toolNames))
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// posted sends a message to the tools' address.
func (s *harness) posted(method, body string, header http.Header) (status int, response string, h http.Header) {
	s.t.Helper()
	req, err := http.NewRequest(method, s.server.URL+"/mcp", bytes.NewReader([]byte(body)))
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	for name, values := range header {
		req.Header[name] = values
		if values[0] == "" {
			req.Header.Del(name)
		}
		if name == "Host" {
			req.Host = values[0]
		}
	}
	resp, err := s.server.Client().Do(req)
	s.must(err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	s.must(err)
	return resp.StatusCode, string(text), resp.Header
}

const listing = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
