package querylimit

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"missiond/internal/testkit/hostile"
	"missiond/mission"
)

// served is the service's schema.
func served(tb testing.TB) *ast.Schema {
	tb.Helper()
	files, err := filepath.Glob("../schema/*.graphqls")
	if err != nil || len(files) == 0 {
		tb.Fatalf("the schema's files are %v, %v", files, err)
	}
	var sources []*ast.Source
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	return gqlparser.MustLoadSchema(sources...)
}

func parse(tb testing.TB, text string) *ast.QueryDocument {
	tb.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return doc
}

// words is what an error of ours says; "" for none.
func words(err error) string {
	var m *mission.Error
	if errors.As(err, &m) {
		return m.Message
	}
	return ""
}

// repeat joins n texts, which may have %[1]d for their number and %[2]d for the
// next one.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(format, "%[1]d", fmt.Sprint(i)), "%[2]d", fmt.Sprint(i+1)))
	}
	return b.String()
}

func nest(n int, opening, inner, closing string) string {
	return strings.Repeat(opening, n) + inner + strings.Repeat(closing, n)
}

// A document may go as far as each bound, and not a step beyond.
func TestBounds(t *testing.T) {
	for name, tt := range map[string]struct {
		bound   int
		text    func(n int) string
		refusal string
	}{
		"depth": {MaxDepth, func(n int) string { return nest(n-1, "{a", "{b}", "}") }, "The document is 13 levels deep; 12 are allowed."},
		"depth, over fragments": {MaxDepth, func(n int) string {
			return "{ ...f0 }" + repeat(n-1, " fragment f%[1]d on T { a { ... { ...f%[2]d } } }") + fmt.Sprintf(" fragment f%d on T { b }", n-1)
		}, "The document is 13 levels deep; 12 are allowed."},
		"depth, over fields of a name": {MaxDepth, func(n int) string { return "{ a { b } " + nest(n-1, "a {", "b", "}") + " }" }, "The document is 13 levels deep; 12 are allowed."},
		"depth of an introspection":    {MaxIntrospectionDepth, func(n int) string { return "{ __schema " + nest(n-2, "{a", "{b}", "}") + " }" }, "The introspection is 21 levels deep; 20 are allowed."},
		"depth below __type":           {MaxIntrospectionDepth, func(n int) string { return `{ ... { x: __type(name: "a") ` + nest(n-2, "{a", "{b}", "}") + " } }" }, "The introspection is 21 levels deep; 20 are allowed."},
		"aliases":                      {MaxAliases, func(n int) string { return "{ a {" + repeat(n, " b%[1]d: c") + " } }" }, "The field c has more than 15 aliases in one place."},
		"aliases, itself among them":   {MaxAliases, func(n int) string { return "{ c " + repeat(n-1, " b%[1]d: c") + " }" }, "The field c has more than 15 aliases in one place."},
		"aliases, over fragments": {MaxAliases, func(n int) string {
			return "{" + repeat(n, " ...f%[1]d") + " }" + repeat(n, " fragment f%[1]d on T { b%[1]d: c }")
		}, "The field c has more than 15 aliases in one place."},
		"aliases, over inline fragments": {MaxAliases, func(n int) string { return "{" + repeat(n, " ... on A%[1]d { b%[1]d: c }") + " }" }, "The field c has more than 15 aliases in one place."},
		"aliases, over merged fields":    {MaxAliases, func(n int) string { return "{" + repeat(n, " a { b%[1]d: c }") + " }" }, "The field c has more than 15 aliases in one place."},
		"repeats":                        {MaxRepeats, func(n int) string { return "{" + strings.Repeat(" a", n) + " }" }, "The field a is selected 101 times in one place; 100 are allowed."},
		"repeats, below fields":          {MaxRepeats, func(n int) string { return "{" + strings.Repeat(" a { b }", n-2) + " a { b b } }" }, "The field b is selected 101 times in one place; 100 are allowed."},
		"mutations":                      {MaxMutations, func(n int) string { return "mutation {" + repeat(n, " a%[1]d") + " }" }, "The mutation has 11 fields; 10 are allowed."},
		"mutations, in fragments": {MaxMutations, func(n int) string {
			return "mutation { a0 ...f ...f } fragment f on Mutation {" + repeat(n, " a%[1]d") + " }"
		}, "The mutation has 11 fields; 10 are allowed."},
		"operations":                  {MaxOperations, func(n int) string { return repeat(n, " query a%[1]d { b }") }, "The document has 21 operations; 20 are allowed."},
		"variables":                   {MaxVariables, func(n int) string { return "query(" + repeat(n, " $a%[1]d: T") + ") { b }" }, "An operation has 101 variables; 100 are allowed."},
		"directives on a field":       {MaxDirectives, func(n int) string { return "{ a" + strings.Repeat(" @b", n) + " }" }, "There are 11 directives in one place; 10 are allowed."},
		"directives on a spread":      {MaxDirectives, func(n int) string { return "{ ...f" + strings.Repeat(" @b", n) + " }" }, "There are 11 directives in one place; 10 are allowed."},
		"directives on an inline one": {MaxDirectives, func(n int) string { return "{ ..." + strings.Repeat(" @b", n) + " { a } }" }, "There are 11 directives in one place; 10 are allowed."},
		"directives on a fragment":    {MaxDirectives, func(n int) string { return "{ a } fragment f on T" + strings.Repeat(" @b", n) + " { a }" }, "There are 11 directives in one place; 10 are allowed."},
		"directives on a double": {MaxDirectives, func(n int) string {
			return "{ a } fragment f on T { a } fragment f on T" + strings.Repeat(" @b", n) + " { a }"
		}, "There are 11 directives in one place; 10 are allowed."},
		"directives on an operation": {MaxDirectives, func(n int) string { return "query" + strings.Repeat(" @b", n) + " { a }" }, "There are 11 directives in one place; 10 are allowed."},
		"directives on a variable":   {MaxDirectives, func(n int) string { return "query($a: T" + strings.Repeat(" @b", n) + ") { a }" }, "There are 11 directives in one place; 10 are allowed."},
		"lists":                      {MaxValueDepth, func(n int) string { return "{ a(b: " + nest(n, "[", "1", "]") + ") }" }, "Lists and objects are nested more than 10 levels deep."},
		"objects":                    {MaxValueDepth, func(n int) string { return "{ a @b(c: " + nest(n, "{d:", "$e", "}") + ") }" }, "Lists and objects are nested more than 10 levels deep."},
		"a default": {MaxValueDepth, func(n int) string {
			return "query($a: T = " + nest(n, "[", "", "]") + ") { a }"
		}, "Lists and objects are nested more than 10 levels deep."},
		"inline fragments": {MaxFragmentDepth, func(n int) string { return "{" + nest(n, "... {", "a", "}") + " }" }, "Fragments are nested 21 deep without a field between them; 20 are allowed."},
		"spread fragments": {MaxFragmentDepth, func(n int) string {
			return "{ ...f0 }" + repeat(n-1, " fragment f%[1]d on T { ...f%[2]d }") + fmt.Sprintf(" fragment f%d on T { a }", n-1)
		}, "Fragments are nested 21 deep without a field between them; 20 are allowed."},
		"fields": {MaxParts, func(n int) string { return "{" + repeat(n-1, " a%[1]d") + " }" }, tooMuch},
		"values": {MaxParts, func(n int) string { return "{ a(b: [" + strings.Repeat(" 1", n-4) + "]) }" }, tooMuch},
		"fields, spread": {MaxParts, func(n int) string {
			return "{" + repeat(9, " a%[1]d { ...f }") + repeat(n-MaxParts, " b%[1]d") + " } fragment f on T {" + repeat(498, " c%[1]d") + " }"
		}, tooMuch},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Check(parse(t, tt.text(tt.bound))); err != nil {
				t.Errorf("at the bound: got %v", err)
			}
			err := Check(parse(t, tt.text(tt.bound+1)))
			if words(err) != tt.refusal || mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Errorf("beyond the bound: got %v, want %s", err, tt.refusal)
			}
		})
	}
}

const tooMuch = "The document has more than 5000 fields, fragments, arguments, directives and values, counted wherever its fragments are spread."

// Documents that no bound is for.
func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"{ ...f } fragment f on T { ...f }":                                                     "The fragment f spreads itself.",
		"{ a } fragment f on T { a { ...g } } fragment g on T { ... { ...f } }":                 "The fragment f spreads itself.",
		"{ ... @defer { a } }":                                                                  "@defer isn't supported.",
		"{ ...f @defer } fragment f on T { a }":                                                 "@defer isn't supported.",
		"{ ...f } fragment f on T { g ...g } fragment f on U { ...g } fragment h on T { ...f }": "",
		"{ ...unknown nope { nor @this(is: [$v]) } }":                                           "",
		"mutation { a } query b { b } subscription c { c }":                                     "",
	} {
		if err := Check(parse(t, text)); words(err) != want {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// maxSteps bounds the steps that Check takes on a document of 2,000 tokens: it looks at
// each token once, and at each field once wherever it is spread.
const maxSteps = 2000 + MaxParts

// No hostile document costs more than it has to say.
func TestHostileSteps(t *testing.T) {
	schema, all := served(t), hostile.Documents()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: all[name]}, 2000)
		if err != nil {
			continue
		}
		steps, err := check(doc)
		if steps > maxSteps {
			t.Errorf("%s takes %d steps", name, steps)
		}
		if err == nil && len(validate(schema, doc)) == 0 {
			costs := NewCosts(schema, 20, 100)
			for _, op := range doc.Operations {
				if cost, err := costs.Of(doc, op, nil); err == nil && cost > mostCost {
					t.Errorf("%s costs %d", name, cost)
				}
			}
		}
	}
}
