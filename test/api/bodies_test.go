package api

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"missiond/internal/identity"
	"missiond/internal/testkit"
	"missiond/mission"
)

// The API reference prefills requests with the description's examples, so each is
// a valid request as it stands, whatever the state of the record that it is sent to.
func TestExampleBodies(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	e := s.estate("examples")
	paths, sent := s.description().paths, 0
	login, err := s.Accounts.Login(context.Background(), s.token(identity.DevPerson{Email: "new@examples"}))
	s.must(err)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for method, op := range paths[path].(map[string]any) {
			body, ok := at(op.(map[string]any), "requestBody", "content", "application/json").(map[string]any)
			if !ok {
				continue
			}
			sent++
			example, err := json.Marshal(body["example"])
			s.must(err)
			// The stub platform accepts one token.
			example = []byte(strings.ReplaceAll(string(example), "ZA-Yj3aBD8U8Cm7lKUp-lm9O9BmDgdhHzDeqsY8tlL0", "good"))
			i := slices.IndexFunc(e.ids, func(id string) bool { return strings.HasPrefix(id, mission.PrefixMission) })
			example = []byte(strings.ReplaceAll(string(example), "msn_01jnd2x6k8e4rvt0m7y3bqz5ca", e.ids[i]))
			s.key = e.key
			if path == "/v1/onboard" || path == "/v1/auth/preferences" {
				s.key = login.Token // not an API key's
			}
			status, object := s.send(strings.ToUpper(method), e.fill(path), json.RawMessage(example))
			if body["example"] == nil || at(object, "error", "code") == "invalid_request" || status >= http.StatusInternalServerError {
				t.Errorf("%s %s returns %d %v to the example %s", method, path, status, object, example)
			}
		}
	}
	if sent < 17 {
		t.Errorf("only %d operations have a body", sent)
	}
}

// The query that GraphiQL begins with is executed without an error.
func TestExampleQuery(t *testing.T) {
	s := newHarness(t, testkit.SQLite)
	script, err := os.ReadFile(filepath.Join("..", "..", "web", "pages", "graphiql-start.js"))
	s.must(err)
	_, rest, ok := strings.Cut(string(script), "const query = `")
	query, _, whole := strings.Cut(rest, "`;")
	if _, object := s.send("POST", "/graphql", map[string]string{"query": query}); !ok || !whole || object["errors"] != nil || object["data"] == nil {
		t.Errorf("the query %q returns %v", query, object)
	}
}
