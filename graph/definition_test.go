package graph

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

var (
	update    = flag.Bool("update", false, "write the schema into the tree")
	breakThem = flag.Bool("break", false, "with -update: even where it breaks clients")
)

// The definition in the tree is the schema's. A change that breaks clients is written
// there only with -break.
func TestDefinitionIsKept(t *testing.T) {
	const path = "../docs/schema.graphql"
	now := definition()
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	breaks := breaking(parse(t, string(kept)), parse(t, now))
	switch {
	case len(breaks) > 0 && !(*update && *breakThem):
		t.Fatalf("the schema breaks clients of docs/schema.graphql:\n  %s\nTo write it all the same: go test ./graph -run TestDefinitionIsKept -update -break", strings.Join(breaks, "\n  "))
	case *update:
		if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	case string(kept) != now:
		t.Error("docs/schema.graphql isn't the schema: go generate ./graph writes it anew")
	}
}

func parse(t *testing.T, text string) *ast.Schema {
	t.Helper()
	s, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: text})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is printed is all that clients have to do with: nothing of it breaks
// those of the schema itself, nor the other way round.
func TestDefinitionIsWhole(t *testing.T) {
	printed, s := parse(t, definition()), schema()
	if breaks := append(breaking(printed, s), breaking(s, printed)...); len(breaks) > 0 {
		t.Errorf("printed it is another schema: %q", breaks)
	}
}

// Who has the definition already isn't sent it again.
func TestDefinitionIsServed(t *testing.T) {
	h, w := Definition(), httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/graphql/schema.graphql", nil))
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/graphql; charset=utf-8" || w.Body.String() != definition() {
		t.Fatalf("got %d %v", w.Code, w.Header())
	}
	r := httptest.NewRequest(http.MethodGet, "/graphql/schema.graphql", nil)
	r.Header.Set("If-None-Match", w.Header().Get("ETag"))
	again := httptest.NewRecorder()
	if h.ServeHTTP(again, r); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("with its ETag: got %d with %d bytes", again.Code, again.Body.Len())
	}
}

// The printed schema has scopes instead of the service's operations.
func TestPrinted(t *testing.T) {
	const source = `
directive @operation(is: String!) on FIELD_DEFINITION
directive @live on QUERY
"A mission."
type Mission { "Its name." name(short: Boolean = true): String! @deprecated(reason: "No.") }
type Query {
  "The missions."
  missions: [Mission!] @operation(is: "missions.list")
  "Who calls."
  viewer: String @operation(is: "session.whoami")
}`
	const want = `directive @live on QUERY
"""
A mission.
"""
type Mission {
  """
  Its name.
  """
  name(short: Boolean = true): String! @deprecated(reason: "No.")
}
type Query {
  """
  The missions.
  Needs the scope MISSIONS_READ.
  """
  missions: [Mission!]
  """
  Who calls.
  """
  viewer: String
}
`
	s := parse(t, source)
	got := printed(s)
	if got != want {
		t.Errorf("it is printed as\n%s", got)
	}
	if again := printed(parse(t, got)); again != got {
		t.Errorf("printed again it is\n%s", again)
	}
	if s.Directives[bound] == nil || s.Query.Fields.ForName("missions").Directives.ForName(bound) == nil {
		t.Error("the schema itself was changed")
	}
}
