// Package generated generates GraphQL documents over a schema: valid ones with
// everything that a plan of a response must get right, which are aliases, fragments,
// conditions, repeated fields, arguments, variables and abstract types.
package generated

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Generator generates documents.
type Generator struct {
	schema *ast.Schema
	// ids are those of records that exist, by their types' names.
	ids   map[string][]string
	types []string // the ids' keys, in order
}

// New returns a generator for a schema, in GraphQL's definition language, whose
// arguments name the records with the given ids, by their types' names.
func New(definition string, ids map[string][]string) (*Generator, error) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema", Input: definition})
	if err != nil {
		return nil, err
	}
	g := &Generator{schema: schema, ids: ids}
	for name := range ids {
		g.types = append(g.types, name)
	}
	slices.Sort(g.types)
	return g, nil
}

// Request is a document with two sets of values of its variables.
type Request struct {
	Document  string
	Operation string
	Variables [2]map[string]any
}

// Limits of a document, within those of the API.
const (
	maxParts = 80
	maxDepth = 8
	// conditions is how many variables decide about fields.
	conditions = 3
)

// Request returns the request that a seed stands for.
func (g *Generator) Request(seed uint64) Request {
	d := &document{
		Generator: g, rand: rand.New(rand.NewPCG(seed, 22)), left: 4 + int(seed%maxParts), //nolint:gosec // its chance is repeatable
		arguments: map[string]string{}, fragments: map[scope][]string{},
	}
	d.request.Variables = [2]map[string]any{{}, {}}
	root := d.selection(scope{d.schema.Query, false}, maxDepth)
	d.request.Document = "query q" + d.declarations() + " " + root + strings.Join(d.definitions, "")
	if d.one(5) {
		d.request.Document += " query other { other: __typename }"
		d.request.Operation = "q"
	}
	if d.one(10) {
		for i := range d.request.Variables {
			d.request.Variables[i]["unknown"] = map[string]any{"of": []any{1, nil, "x"}}
		}
	}
	return d.request
}

// document is a document in the making.
type document struct {
	*Generator

	rand    *rand.Rand
	left    int // parts of selections that it may still have
	request Request
	// declared are the variables' declarations.
	declared []string
	// decisive are the declarations of the variables that decide about fields.
	decisive [conditions]string
	// arguments are those of a field, by its type, name and variant. So fields with
	// the same name in the response always merge.
	arguments map[string]string
	// fragments are the names of those that can be spread in a scope.
	fragments   map[scope][]string
	definitions []string
}

// scope is where a selection stands.
type scope struct {
	of *ast.Definition
	// shared says that objects of other types have selections of their own in the
	// same place, so that names have the type before them.
	shared bool
}

// one reports true once in n times.
func (d *document) one(n int) bool { return d.rand.IntN(n) == 0 }

// pick returns an element of a list.
func pick[T any](d *document, list []T) T { return list[d.rand.IntN(len(list))] }

// declarations returns those of the variables that the document has.
func (d *document) declarations() string {
	all := slices.Clone(d.declared)
	for _, one := range d.decisive {
		if one != "" {
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// selection returns a selection that may be depth levels deep.
func (d *document) selection(s scope, depth int) string {
	most := 5
	if strings.HasSuffix(s.of.Name, "Connection") || strings.HasSuffix(s.of.Name, "Edge") || s.of == d.schema.Query {
		most = 3
	}
	var parts []string
	for range 1 + d.rand.IntN(most) {
		parts = append(parts, d.part(s, depth))
	}
	if d.one(4) {
		parts = append(parts, pick(d, parts)) // it merges with itself
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

// part returns a field or a fragment of a selection.
func (d *document) part(s scope, depth int) string {
	d.left--
	if d.left <= 0 {
		return d.field(s, depth)
	}
	switch d.rand.IntN(14) {
	case 0:
		return pick(d, []string{"__typename", "kind: __typename"}) + d.condition()
	case 1:
		return "..." + d.condition() + " " + d.selection(s, depth)
	case 2, 3:
		below := d.within(s)
		return "... on " + below.of.Name + d.condition() + d.deferral() + " " + d.selection(below, depth)
	case 4, 5:
		return "..." + d.fragment(d.within(s), depth) + d.condition()
	}
	if s.shared && d.abstract(s.of) && !d.one(4) {
		below := d.within(s)
		return "... on " + below.of.Name + " " + d.selection(below, depth)
	}
	return d.field(s, depth)
}

// abstract reports whether a type is an interface or a union.
func (d *document) abstract(of *ast.Definition) bool { return of.Kind != ast.Object }

// within returns the scope of a fragment in a scope: of the same type, of an interface,
// or of an object type of one.
func (d *document) within(s scope) scope {
	if d.abstract(s.of) {
		return scope{pick(d, d.schema.GetPossibleTypes(s.of)), true}
	}
	if all := d.schema.GetImplements(s.of); len(all) > 0 && d.one(3) {
		return scope{pick(d, all), true}
	}
	return s
}

// fragment returns the name of a fragment for a scope, an earlier one's or its own.
func (d *document) fragment(s scope, depth int) string {
	if known := d.fragments[s]; len(known) > 0 && (d.left <= 0 || d.one(2)) {
		return pick(d, known)
	}
	// It may be spread at any depth, so it isn't deep.
	text := d.selection(s, min(depth, 2))
	name := fmt.Sprintf("f%d", len(d.definitions))
	d.definitions = append(d.definitions, fmt.Sprintf(" fragment %s on %s %s", name, s.of.Name, text))
	if depth > 2 {
		d.fragments[s] = append(d.fragments[s], name)
	}
	return name
}

// field returns a field of a type.
func (d *document) field(s scope, depth int) string {
	var can []*ast.FieldDefinition
	for _, f := range s.of.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		if below := d.schema.Types[f.Type.Name()]; below.IsCompositeType() && (depth <= 1 || d.left <= 0) {
			continue
		}
		can = append(can, f)
	}
	if s.of == d.schema.Query && d.one(25) {
		return pick(d, []string{`__type(name: "Mission") { name kind fields { name } }`, `__schema { queryType { name } }`, `__type(name: "None") { name }`})
	}
	if len(can) == 0 {
		return "__typename"
	}
	f, variant := pick(d, can), max(0, d.rand.IntN(10)-7)
	if s.of == d.schema.Query && d.one(5) {
		f = s.of.Fields.ForName(pick(d, []string{"missions", "node", "nodes"}))
	}
	key := fmt.Sprintf("%s.%s.%d", s.of.Name, f.Name, variant)
	arguments, known := d.arguments[key]
	if !known {
		arguments = d.argumentsOf(f)
		d.arguments[key] = arguments
	}
	name := f.Name
	switch {
	case s.shared && !d.abstract(s.of):
		name = fmt.Sprintf("%s_%s_%d: %s", strings.ToLower(s.of.Name), f.Name, variant, f.Name)
	case variant > 0:
		name = fmt.Sprintf("%s_%d: %s", f.Name, variant, f.Name)
	}
	text := name + arguments + d.condition()
	if below := d.schema.Types[f.Type.Name()]; below.IsCompositeType() {
		text += " " + d.selection(scope{below, d.abstract(below)}, depth-1)
	}
	return text
}

// condition returns directives that may leave out a part, or none.
func (d *document) condition() string {
	if !d.one(6) {
		return ""
	}
	name := pick(d, []string{"skip", "include"})
	if d.one(3) {
		return fmt.Sprintf(" @%s(if: %t)", name, d.one(2) || name == "include")
	}
	i := d.rand.IntN(conditions)
	if d.decisive[i] == "" {
		first := d.one(2)
		d.decisive[i] = fmt.Sprintf("$c%d: Boolean!", i)
		d.request.Variables[0][fmt.Sprintf("c%d", i)] = first
		if d.one(3) {
			d.decisive[i] = fmt.Sprintf("$c%d: Boolean = %t", i, first)
			delete(d.request.Variables[0], fmt.Sprintf("c%d", i))
		}
		d.request.Variables[1][fmt.Sprintf("c%d", i)] = !first
	}
	return fmt.Sprintf(" @%s(if: $c%d)", name, i)
}

// deferral returns @defer, seldom: it has gqlgen write all of a field.
func (d *document) deferral() string {
	if d.one(30) {
		return " @defer"
	}
	return ""
}

// argumentsOf returns a field's arguments.
func (d *document) argumentsOf(f *ast.FieldDefinition) string {
	var given []string
	paged := false
	for _, a := range f.Arguments {
		switch {
		case a.Name == "first" || a.Name == "last":
			if paged || !d.one(2) {
				continue
			}
			paged = true
		case !a.Type.NonNull && !d.one(4):
			continue
		}
		given = append(given, a.Name+": "+d.argument(f, a))
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

// argument returns the value of an argument: a literal, or a variable.
func (d *document) argument(f *ast.FieldDefinition, a *ast.ArgumentDefinition) string {
	v := d.value(f, a.Name, a.Type, 0)
	if !d.one(3) {
		return literal(v)
	}
	name := fmt.Sprintf("v%d", len(d.declared))
	declared := "$" + name + ": " + a.Type.String()
	if d.one(2) {
		declared = "$" + name + ": " + strings.TrimSuffix(a.Type.String(), "!") + " = " + literal(v)
		if d.one(2) {
			d.request.Variables[1][name] = plain(d.value(f, a.Name, a.Type, 0))
		}
	} else if a.Type.NonNull || !d.one(4) {
		for i := range d.request.Variables {
			d.request.Variables[i][name] = plain(v)
		}
	}
	d.declared = append(d.declared, declared)
	return "$" + name
}
