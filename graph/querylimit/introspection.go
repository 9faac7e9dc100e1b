package querylimit

import (
	_ "embed"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// introspectionQuery has everything that tools ask for: the fields of graphql-js's
// introspection query with all of its options, types nine levels deep.
//
//go:embed introspection.graphql
var introspectionQuery string

func standard() *ast.QueryDocument {
	doc, err := parser.ParseQuery(&ast.Source{Input: introspectionQuery})
	if err != nil {
		panic("bug: the introspection query: " + err.Error())
	}
	return doc
}

// valuesOf returns how many values the response to an introspection query has.
func valuesOf(doc *ast.QueryDocument, schema *ast.Schema) int {
	m := &merger{fragments: fragmentsOf(doc)}
	a := about{merger: m, schema: schema, left: mostCost}
	for _, g := range m.root(doc.Operations[0]) {
		a.root(g, nil)
	}
	return mostCost - a.left
}

// about counts the values in the responses to introspection fields, by walking the
// response, until there are too many. The validator bounds only how deep such a query
// is: without the count, fifteen aliases of __schema, a document of
// internal/testkit/hostile, take 270 ms and 1.6 MB instead of 1.3 ms.
type about struct {
	*merger

	schema *ast.Schema
	left   int // how many more there may be; negative once there are too many
}

// root counts the values of __schema or __type.
func (a *about) root(g *group, variables map[string]any) {
	f := g.fields[0]
	if f.Name == "__schema" {
		a.element(g, a.schema)
		return
	}
	name, _ := value(f.Arguments, "name", variables).(string)
	if d := a.schema.Types[name]; d != nil {
		a.element(g, d)
		return
	}
	a.left--
}

// element counts the values of a group for an element of the schema.
func (a *about) element(g *group, e any) {
	if a.left--; a.left < 0 {
		return
	}
	for _, field := range a.below(g) {
		if a.left < 0 {
			return
		}
		elements := a.elements(e, field.fields[0].Name)
		if len(elements) == 0 {
			a.left--
		}
		for _, e := range elements {
			a.element(field, e)
		}
	}
}

// elements returns the values of a field of an element of the schema; none for a
// scalar, null, or an empty list.
func (a *about) elements(e any, field string) []any {
	switch e := e.(type) {
	case *ast.Schema:
		return a.ofSchema(field)
	case *ast.Type:
		if field == "ofType" {
			return a.wrapped(e)
		}
	case *ast.Definition:
		return a.ofDefinition(e, field)
	case *ast.FieldDefinition:
		switch field {
		case "args":
			return list(e.Arguments)
		case "type":
			return a.typeOf(e.Type)
		}
	case *ast.ArgumentDefinition:
		if field == "type" {
			return a.typeOf(e.Type)
		}
	case *ast.DirectiveDefinition:
		if field == "args" {
			return list(e.Arguments)
		}
	}
	return nil
}

func (a *about) ofSchema(field string) []any {
	switch field {
	case "types":
		var all []any
		for _, d := range a.schema.Types {
			all = append(all, d)
		}
		return all
	case "directives":
		var all []any
		for _, d := range a.schema.Directives {
			all = append(all, d)
		}
		return all
	case "queryType":
		return defined(a.schema.Query)
	case "mutationType":
		return defined(a.schema.Mutation)
	case "subscriptionType":
		return defined(a.schema.Subscription)
	}
	return nil
}

func (a *about) ofDefinition(d *ast.Definition, field string) []any {
	switch {
	case field == "fields" && (d.Kind == ast.Object || d.Kind == ast.Interface),
		field == "inputFields" && d.Kind == ast.InputObject:
		return list(d.Fields)
	case field == "interfaces":
		var all []any
		for _, name := range d.Interfaces {
			all = append(all, defined(a.schema.Types[name])...)
		}
		return all
	case field == "possibleTypes" && d.IsAbstractType():
		return list(a.schema.GetPossibleTypes(d))
	case field == "enumValues":
		return list(d.EnumValues)
	}
	return nil
}

// typeOf returns the element for a type: a wrapper, or the named type.
func (a *about) typeOf(t *ast.Type) []any {
	if t.NonNull || t.Elem != nil {
		return []any{t}
	}
	return defined(a.schema.Types[t.NamedType])
}

// wrapped returns what a wrapper wraps.
func (a *about) wrapped(t *ast.Type) []any {
	if !t.NonNull {
		return a.typeOf(t.Elem)
	}
	bare := *t
	bare.NonNull = false
	return a.typeOf(&bare)
}

func defined(d *ast.Definition) []any {
	if d == nil {
		return nil
	}
	return []any{d}
}

func list[E any](of []E) []any {
	all := make([]any, len(of))
	for i, e := range of {
		all[i] = e
	}
	return all
}
