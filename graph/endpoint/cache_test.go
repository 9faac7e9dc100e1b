package endpoint

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"missiond/graph/exec"
	"missiond/graph/querylimit"
)

func parseQuery(t *testing.T, text string) *ast.QueryDocument {
	t.Helper()
	document, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, maxTokens)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// A tenant's documents take the place of its own only, however large and many they
// are; what two tenants send is nobody's.
func TestCachedDocumentsAreATenantsOwn(t *testing.T) {
	k := newDocumentCache()
	theirs, shared := `{ platforms { platform } }`, `{ viewer { scopes } }`
	k.add("theirs", theirs, parseQuery(t, theirs), &exec.Plans{})
	k.add("theirs", shared, parseQuery(t, shared), &exec.Plans{})
	if _, _, ok := k.get("ours", shared); !ok {
		t.Error("what another tenant sent isn't found")
	}
	padding := "#" + strings.Repeat("x", 60<<10)
	for i := range 1000 {
		text := fmt.Sprintf("{ viewer { a%d: scopes } } %s", i, padding)
		k.add("ours", text, parseQuery(t, text), &exec.Plans{})
		if k.byOwner["ours"].size > maxCachedTenant || k.size > maxCached {
			t.Fatalf("after %d documents one tenant has %d bytes of %d", i, k.byOwner["ours"].size, k.size)
		}
	}
	if n := k.byOwner["ours"].order.Len(); n < 10 || n > 20 {
		t.Errorf("%d large documents of one tenant are kept", n)
	}
	for _, text := range []string{theirs, shared} {
		if _, _, ok := k.get("theirs", text); !ok {
			t.Errorf("%s is gone", text)
		}
	}
}

// All documents together are bounded: the tenant with most gives way, one of its
// own after the other, and what is common last.
func TestCachedDocumentsAreBounded(t *testing.T) {
	k := newDocumentCache()
	shared := `{ viewer { scopes } }`
	k.add("a", shared, parseQuery(t, shared), &exec.Plans{})
	k.get("b", shared)
	padding := "#" + strings.Repeat("x", 60<<10)
	for tenant := range 40 {
		for i := range 20 {
			text := fmt.Sprintf("{ viewer { a%d_%d: scopes } } %s", tenant, i, padding)
			k.add(fmt.Sprint("tenant ", tenant), text, parseQuery(t, text), &exec.Plans{})
		}
	}
	sum := 0
	for _, element := range k.byText {
		sum += documentOf(element).size
	}
	if k.size != sum || k.size > maxCached || k.size < maxCached/2 {
		t.Errorf("%d bytes are counted, there are %d", k.size, sum)
	}
	for tenant := range 40 {
		if k.byOwner[fmt.Sprint("tenant ", tenant)] == nil {
			t.Errorf("tenant %d has nothing", tenant)
		}
	}
	if _, _, ok := k.get("c", shared); !ok {
		t.Error("what is common is gone")
	}
}

// aliased repeats a field n times, each with its number in the alias.
func aliased(field string, n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, field, i)
	}
	return all.String()
}

// The estimate isn't less than what a document takes, whatever it is made of.
func TestSizesOfDocumentsAreHonest(t *testing.T) {
	schema := exec.Schema()
	for name, text := range map[string]string{
		"fields":     "{" + strings.Repeat(" viewer { scopes }", 90) + "}",
		"names":      "{ viewer {" + strings.Repeat(" a: scopes", 400) + "} }",
		"arguments":  "{" + strings.Repeat(` missions(first: 1, orderBy: CREATED_AT_DESC, filter: {search: "x"}) { totalCount }`, 80) + "}",
		"values":     "{ missions(filter: {platform: " + strings.Repeat("[", 9) + strings.Repeat(" 1", 1500) + strings.Repeat("]", 9) + "}) { totalCount } }",
		"directives": "{ viewer {" + strings.Repeat(" scopes @include(if: true) @skip(if: false)", 130) + "} }",
		"variables":  "query(" + strings.Repeat("$a: [[Int!]!]! = [[1]], ", 99) + "$b: Int) { viewer { scopes } }",
		"fragments":  "{ viewer { ...f0 } }" + strings.Repeat(" fragment f0 on Viewer { ... on Viewer { scopes } }", 150),
		"plans":      "{ missions { edges { node { ...f } } } } fragment f on Mission {" + aliased("a%d: kpis { ...k } ", 80) + "} fragment k on KPI {" + aliased("b%d: metric ", 9) + "}",
		"comments":   "{ viewer { scopes\n" + strings.Repeat("#\n", 1800) + "} }",
	} {
		t.Run(name, func(t *testing.T) {
			const many = 100
			documents, compiled := make([]*ast.QueryDocument, many), make([]*exec.Plans, many)
			claimed := 0
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for i := range documents {
				copied := strings.Clone(text)
				documents[i] = parseQuery(t, copied)
				errs := validator.ValidateWithRules(schema, documents[i], querylimit.Rules()) // it fills the document in
				compiled[i] = &exec.Plans{}
				if len(errs) == 0 {
					compiled[i] = exec.NewPlans(schema, documents[i])
				}
				claimed += sizeOf(copied, documents[i]) + compiled[i].Size()
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			took := int(after.HeapAlloc) - int(before.HeapAlloc)
			t.Logf("%d bytes for %d claimed", took/many, claimed/many)
			if took > claimed {
				t.Errorf("a document takes %d bytes, %d are claimed", took/many, claimed/many)
			}
			runtime.KeepAlive(documents)
			runtime.KeepAlive(compiled)
		})
	}
}
