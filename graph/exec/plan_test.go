package exec_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"missiond/graph/exec"
	"missiond/graph/querylimit"
)

// The table of writers has the schema's object types with all their fields. Only
// those that gqlgen must resolve have no writer.
func TestWritersAreTheSchemas(t *testing.T) {
	schema := exec.Schema()
	table := exec.Table()
	var types []string
	for _, d := range schema.Types {
		if d.Kind != ast.Object || d.BuiltIn || d == schema.Query || d == schema.Mutation || d == schema.Subscription {
			continue
		}
		types = append(types, d.Name)
		of := table[d.Name]
		if of == nil {
			continue
		}
		var names []string
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			names = append(names, f.Name)
			w := of[f.Name]
			if !w.Resolved {
				t.Errorf("%s.%s can't be resolved", d.Name, f.Name)
			}
			if w.Written && (len(f.Arguments) > 0 || f.Directives.ForName("operation") != nil) {
				t.Errorf("%s.%s is written without gqlgen's checks", d.Name, f.Name)
			}
		}
		if got := slices.Sorted(maps.Keys(of)); !slices.Equal(got, slices.Sorted(slices.Values(names))) {
			t.Errorf("the table has the fields %v of %s, want %v", got, d.Name, names)
		}
	}
	if got := slices.Sorted(maps.Keys(table)); !slices.Equal(got, slices.Sorted(slices.Values(types))) {
		t.Errorf("the table has the types %v, want %v", got, types)
	}
}

// A plan is compiled once if no variable decides what it has, and not at all if it
// would be large or has deferred fields.
func TestPlansOfDocuments(t *testing.T) {
	schema := exec.Schema()
	for text, want := range map[string]int{
		`{ missions { totalCount edges { node { id ...f } } } } fragment f on Mission { id job { id } }`:                    6,
		`query($a: Boolean!) { missions { totalCount @include(if: $a) } }`:                                                  0,
		`query($a: Boolean!) { missions { ...f @skip(if: $a) totalCount } } fragment f on MissionConnection { totalCount }`: 0,
		`{ missions { totalCount @skip(if: true) pageInfo { hasNextPage } } }`:                                              2,
		`{ missions { ... @defer { totalCount } } }`:                                                                        0,
		`{ node(id: "x") { id } }`: 0,
		`{ missions { edges { node { ` + aliased("a%d: constraints { ...c } ", 90) + `} } } } fragment c on Constraints { ` + aliased("b%d: tone ", 20) + `}`: 0,
	} {
		if got := exec.NewPlans(schema, validated(t, text)).Size() / exec.PlannedSize; got != want {
			t.Errorf("the plan of %.80s has %d fields, want %d", text, got, want)
		}
	}
}

// validated parses and validates a document, which fills it in.
func validated(t *testing.T, text string) *ast.QueryDocument {
	t.Helper()
	document, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	if errs := validator.ValidateWithRules(exec.Schema(), document, querylimit.Rules()); len(errs) > 0 {
		t.Fatal(errs)
	}
	return document
}

// aliased repeats a field n times, each with its number in the alias.
func aliased(field string, n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, field, i)
	}
	return all.String()
}
