package querylimit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"pgregory.net/rapid"

	"missiond/internal/testkit/hostile"
)

// zoo has interfaces and unions that lead to one another, and fields of one name
// that differ in type and shape.
var zoo = gqlparser.MustLoadSchema(&ast.Source{Input: `
type Query { pet: Pet dog: Dog cat: Cat any: Any }
interface Pet { name(long: Boolean, in: In): String friend: Pet kin: [Pet!]! }
type Dog implements Pet { name(long: Boolean, in: In): String friend: Pet kin: [Pet!]! age: Int home: Dog mate: Dog! size: Float }
type Cat implements Pet { name(long: Boolean, in: In): String friend: Pet kin: [Pet!]! age: Float home: Cat mate: Cat size: Float! }
type Bird implements Pet { name(long: Boolean, in: In): String friend: Pet kin: [Pet!]! }
type Fish implements Pet { name(long: Boolean, in: In): String friend: Pet kin: [Pet!]! }
union Any = Dog | Cat
input In { a: Int b: [Int] }
`})

// validate validates as the API does.
func validate(schema *ast.Schema, doc *ast.QueryDocument) gqlerror.List {
	return validator.ValidateWithRules(schema, doc, Rules())
}

func TestOverlapping(t *testing.T) {
	for text, want := range map[string]string{
		`{ dog { age age } }`:               "",
		`{ dog { a: age a: size } }`:        `"age" and "size" are different fields`,
		`{ dog { name(long: true) name } }`: "they have differing arguments",
		`{ dog { name(in: {a: 1, b: [2, 3]}) name(in: {b: [2, 3], a: 1}) } }`:                                                 "",
		`{ dog { name(in: {b: [2, 3]}) name(in: {b: [3, 2]}) } }`:                                                             "they have differing arguments",
		`{ dog { name(long: true, in: {}) ... { name(in: {}, long: true) } } }`:                                               "",
		`{ pet { ... on Dog { a: age } ... on Cat { a: age } } }`:                                                             `they return conflicting types "Int" and "Float"`,
		`{ pet { ... on Dog { a: size } ... on Cat { a: size } } }`:                                                           `they return conflicting types "Float" and "Float!"`,
		`{ pet { ... on Dog { a: name(long: true) } ... on Cat { a: name } } }`:                                               "",
		`{ pet { ... on Dog { a: home { b: age } } ... on Cat { a: home { b: age } } } }`:                                     `they return conflicting types "Int" and "Float"`,
		`{ pet { a: name(long: true) ... on Cat { a: name } } }`:                                                              "they have differing arguments",
		`{ pet { ...d ...c } } fragment d on Dog { friend { x: name } } fragment c on Cat { friend { x: name(long: true) } }`: "",
		`{ pet { ...d ...p } } fragment d on Dog { friend { x: name } } fragment p on Pet { friend { x: name(long: true) } }`: "they have differing arguments",
		`{ any { ... on Dog { kin { name } } ... on Cat { kin: home { name } } } }`:                                           `they return conflicting types "[Pet!]!" and "Cat"`,
	} {
		errs := validate(zoo, parse(t, text))
		if want == "" && len(errs) > 0 || want != "" && (len(errs) != 1 || errs[0].Rule != Overlapping.Name || !strings.Contains(errs[0].Message, "conflict because "+want+". Use different aliases")) {
			t.Errorf("%s: got %v, want %q", text, errs, want)
		}
		if theirs := validator.ValidateWithRules(zoo, parse(t, text), nil); (len(theirs) == 0) != (want == "") {
			t.Errorf("%s: the validator itself reports %v", text, theirs)
		}
	}
}

// Our rule and the validator's own refuse the same documents.
func TestOverlappingIsTheValidators(t *testing.T) {
	conflicts := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawDocument(t)
		own, err := parser.ParseQuery(&ast.Source{Input: text})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if Check(own) != nil {
			t.Skip("it is refused before")
		}
		theirs, _ := parser.ParseQuery(&ast.Source{Input: text})
		got, want := validate(zoo, own), validator.ValidateWithRules(zoo, theirs, nil)
		if (len(got) == 0) != (len(want) == 0) {
			t.Errorf("%s\nours: %v\ntheirs: %v", text, got, want)
		}
		if len(want) > 0 {
			conflicts++
		}
	})
	if conflicts == 0 {
		t.Error("no document had a conflict")
	}
}

// drawDocument draws a document on the zoo that is valid but for its overlaps.
func drawDocument(t *rapid.T) string {
	var b strings.Builder
	used := map[string]bool{}
	b.WriteString("{")
	drawSet(t, &b, zoo.Query, 4, 0, used)
	b.WriteString("}")
	for i, on := range fragmentTypes {
		if name := fmt.Sprint("f", i); used[name] {
			fmt.Fprintf(&b, " fragment %s on %s {", name, on)
			drawSet(t, &b, zoo.Types[on], 3, i+1, used)
			b.WriteString("}")
		}
	}
	return b.String()
}

// fragmentTypes are what the fragments of drawn documents are on, in the order
// in which they may spread one another.
var fragmentTypes = []string{"Pet", "Dog", "Cat", "Pet", "Any", "Dog"}

// drawSet draws a selection set on a type, some levels deep, which spreads
// fragments from the given one on.
func drawSet(t *rapid.T, b *strings.Builder, on *ast.Definition, levels, from int, used map[string]bool) {
	b.WriteString(" __typename")
	for range rapid.IntRange(1, 4).Draw(t, "selections") {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			if i := rapid.IntRange(0, len(fragmentTypes)-1).Draw(t, "fragment"); i >= from && on != zoo.Query {
				name := fmt.Sprint("f", i)
				if on.Kind == ast.Object && fragmentTypes[i] != on.Name && zoo.Types[fragmentTypes[i]].Kind == ast.Object {
					continue
				}
				used[name] = true
				b.WriteString(" ..." + name)
			}
		case 1:
			if levels > 0 && on.IsAbstractType() {
				inner := zoo.Types[rapid.SampledFrom([]string{"Dog", "Cat", "Pet"}).Draw(t, "on")]
				b.WriteString(" ... on " + inner.Name + " {")
				drawSet(t, b, inner, levels-1, from, used)
				b.WriteString("}")
			}
		default:
			drawField(t, b, on, levels, from, used)
		}
	}
}

func drawField(t *rapid.T, b *strings.Builder, on *ast.Definition, levels, from int, used map[string]bool) {
	var fields []*ast.FieldDefinition
	for _, f := range on.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			fields = append(fields, f)
		}
	}
	if len(fields) == 0 {
		return
	}
	f := rapid.SampledFrom(fields).Draw(t, "field")
	below := zoo.Types[f.Type.Name()]
	if below.IsCompositeType() && levels == 0 {
		return
	}
	b.WriteString(rapid.SampledFrom([]string{" ", " ", " ", " a: "}).Draw(t, "alias") + f.Name)
	if f.Name == "name" {
		b.WriteString(rapid.SampledFrom([]string{"", "", "", "(long: true)", "(in: {a: 1, b: 2})", "(in: {b: 2, a: 1})"}).Draw(t, "arguments"))
	}
	if below.IsCompositeType() {
		b.WriteString(" {")
		drawSet(t, b, below, levels-1, from, used)
		b.WriteString("}")
	}
}

// Where interfaces select interfaces many times over, the rule ends.
func TestOverlappingEnds(t *testing.T) {
	level := "{"
	for _, on := range []string{"Dog", "Cat", "Bird", "Fish"} {
		level += " ... on " + on + " { friend { name } }"
	}
	doc := parse(t, "{ pet "+nest(10, level+" friend ", "{ name }", "}")+"}")
	if err := Check(doc); err != nil {
		t.Fatal(err)
	}
	errs := validate(zoo, doc)
	if len(errs) != 1 || !strings.Contains(errs[0].Message, "they are too many to compare") {
		t.Errorf("got %v", errs)
	}
}

// FuzzCheck checks any document. Checking ends within its steps, whatever the
// document has; what it lets pass is valid to us where it is to the validator.
func FuzzCheck(f *testing.F) {
	for _, text := range hostile.Documents() {
		f.Add(text)
	}
	f.Add(introspectionQuery)
	schema := served(f)
	costs := NewCosts(schema, 20, 100)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, 2000)
		if err != nil {
			return
		}
		steps, err := check(doc)
		if steps > maxSteps {
			t.Fatalf("it takes %d steps", steps)
		}
		if err != nil {
			return
		}
		ours := validate(schema, doc)
		if len(ours) > MaxErrors {
			t.Errorf("it has %d errors", len(ours))
		}
		if len(ours) > 0 && ours[0].Rule != Overlapping.Name {
			return
		}
		again, _ := parser.ParseQuery(&ast.Source{Input: text})
		if theirs := validator.ValidateWithRules(schema, again, nil); (len(ours) == 0) != (len(theirs) == 0) {
			t.Fatalf("Overlapping reports %v, the validator %v", ours, theirs)
		}
		if len(ours) > 0 {
			return
		}
		for _, op := range doc.Operations {
			variables, err := validator.VariableValues(schema, op, nil)
			if err != nil {
				continue
			}
			if cost, err := costs.Of(doc, op, variables); err == nil && (cost < 0 || cost > mostCost) {
				t.Errorf("it costs %d", cost)
			}
		}
	})
}
