package api

import (
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// gapless fails the test if a message in a response was put together with a part that isn't there: it has white space
// at an end, or two spaces.
func gapless(t testing.TB, response any) {
	t.Helper()
	switch v := response.(type) {
	case []any:
		for _, each := range v {
			gapless(t, each)
		}
	case map[string]any:
		for name, each := range v {
			text, _ := each.(string)
			if name == "message" && (text != strings.TrimSpace(text) || strings.Contains(text, "  ") || strings.Contains(text, " .")) {
				t.Errorf("a message is %q", text)
			}
			gapless(t, each)
		}
	}
}

// Messages have no gap where something wasn't named.
func TestMessagesWithoutNames(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	a := restAPI{s}
	from := s.clock.Now().AddDate(0, 0, 1)
	id := s.make(a, map[string]any{
		"start_immediately": true, "blackouts": []any{map[string]any{"starts_at": from, "ends_at": from.AddDate(0, 0, 1)}},
	})
	s.want(a.call("POST", "/content", map[string]any{
		"mission_id": id, "platform": "twitter", "text": "A text", "scheduled_at": from.AddDate(0, 0, 1).Add(-1),
	}), "invalid_request", "scheduled_at")
	for name, want := range map[any]string{nil: "operationName must name one of the document's operations.", "c": `The document has no operation "c".`, " ": `The document has no operation " ".`} {
		_, got := s.send("POST", "/graphql", map[string]any{"query": `query a { __typename } query b { __typename }`, "operationName": name})
		s.equal("the error", at(got["errors"].([]any)[0].(map[string]any), "message"), want)
	}
}
