package api

import (
	"fmt"
	"strings"
	"testing"

	"missiond/internal/testkit"
)

// A person's saved views: named once each, bounded, the person's alone.
func TestSavedViews(t *testing.T) {
	t.Parallel()
	for dialect, open := range testkit.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := newHarness(t, open)
			mine, _ := s.begin("ann@views.example", "org_views", "admin")
			others, _ := s.begin("bob@views.example", "org_views", "editor")
			runs := 0
			run := func(token, document string) string {
				t.Helper()
				runs++
				return s.as(token, fmt.Sprint("run-", runs), call{method: "POST", path: "/graphql", body: object{"query": document}}, "").text
			}
			save := func(name, query string) string {
				return run(mine, fmt.Sprintf(`mutation { updatePreferences(input: {saveView: {name: %q, query: %q}}) { preferences { views { name query } reviewEmails } } }`, name, query))
			}
			has := func(what, got string, want ...string) {
				t.Helper()
				for _, w := range want {
					if !strings.Contains(got, w) {
						t.Errorf("%s: %s is missing in %s", what, w, got)
					}
				}
			}
			has("a view", save("Failed", "state=dropped"), `{"name":"Failed","query":"state=dropped"}`, `"reviewEmails":true`)
			save("Best", "order=LIKES")
			has("another query", save("Failed", "state=dropped&platform=X"), `"views":[{"name":"Failed","query":"state=dropped&platform=X"},{"name":"Best","query":"order=LIKES"}]`)
			has("what is read", run(mine, `{ preferences { views { name } } }`), `"views":[{"name":"Failed"},{"name":"Best"}]`)
			has("a colleague", run(others, `{ preferences { views { name } } }`), `"views":[]`)
			has("no name", save("", "x"), "save_view.name")
			has("a long query", save("x", strings.Repeat("x", 501)), "save_view.query")
			has("a name that isn't there", run(mine, `mutation { updatePreferences(input: {deleteView: "Other"}) { preferences { views { name } } } }`), "No view is called")
			for i := range 18 {
				save(fmt.Sprint("More ", i), "")
			}
			has("one too many", save("More", ""), "conflict")
			has("a deletion", run(mine, `mutation { updatePreferences(input: {deleteView: "Failed"}) { preferences { views { name } } } }`), `"views":[{"name":"Best"}`)
		})
	}
}
