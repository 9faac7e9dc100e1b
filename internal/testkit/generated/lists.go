package generated

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Lists returns documents that together ask for every list and every text of the schema, as far as fields of the root
// that need no argument but a generator's ids lead to it: a document for each field of such a record with all that is
// below it, under so many aliases. $n is the size of pages, $few that of pages below.
func (g *Generator) Lists(aliases int) (documents []string) {
	for _, root := range g.schema.Query.Fields {
		arguments, ok := g.required(root)
		if !ok || strings.HasPrefix(root.Name, "__") {
			continue
		}
		of, around := g.schema.Types[root.Type.Name()], "%s"
		if strings.HasSuffix(of.Name, "Connection") {
			arguments = append(arguments, "first: $n")
			of, around = g.schema.Types[of.Fields.ForName("edges").Type.Name()], "edges { node { %s } }"
			of = g.schema.Types[of.Fields.ForName("node").Type.Name()]
		}
		for _, selection := range g.each(of) {
			fragment := ""
			if selection != "" {
				fragment = " fragment all on " + root.Type.Name() + " { " + fmt.Sprintf(around, selection) + " }"
				selection = "{ ...all }"
			}
			call := root.Name
			if len(arguments) > 0 {
				call += "(" + strings.Join(arguments, ", ") + ")"
			}
			var all, variables []string
			for i := range aliases {
				all = append(all, fmt.Sprintf("a%d: %s %s", i, call, selection))
			}
			for _, v := range []string{"$n", "$few"} {
				if strings.Contains(call+fragment, v) {
					variables = append(variables, v+": Int")
				}
			}
			head := "query"
			if len(variables) > 0 {
				head += "(" + strings.Join(variables, ", ") + ")"
			}
			documents = append(documents, head+" { "+strings.Join(all, " ")+" }"+fragment)
		}
	}
	return documents
}

// required returns the arguments that a field must have; ok is false if there is one without a value.
func (g *Generator) required(f *ast.FieldDefinition) (arguments []string, ok bool) {
	for _, a := range f.Arguments {
		if !a.Type.NonNull || a.DefaultValue != nil {
			continue
		}
		ids := slices.Concat(g.ids[f.Type.Name()], g.ids[strings.TrimSuffix(a.Name, "Id")])
		switch {
		case a.Type.NamedType == "Date":
			arguments = append(arguments, a.Name+map[string]string{"from": `: "2026-11-01"`, "to": `: "2026-12-31"`}[a.Name])
		case a.Type.NamedType == "ID" && len(ids) > 0:
			arguments = append(arguments, fmt.Sprintf("%s: %q", a.Name, ids[0]))
		default:
			return nil, false
		}
	}
	return arguments, true
}

// each returns a selection of all scalars of a type, and one of each other field with all that is below it; "" alone for
// a scalar.
func (g *Generator) each(of *ast.Definition) (selections []string) {
	if of.Kind != ast.Object {
		if of.IsLeafType() {
			return []string{""}
		}
		return nil
	}
	if scalars := g.scalars(of); scalars != "" {
		selections = append(selections, scalars)
	}
	for _, f := range of.Fields {
		if below := g.below(f, 3); below != "" {
			selections = append(selections, below)
		}
	}
	return selections
}

func (g *Generator) scalars(of *ast.Definition) string {
	var names []string
	for _, f := range of.Fields {
		if _, ok := g.required(f); ok && g.schema.Types[f.Type.Name()].IsLeafType() {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, " ")
}

// below returns the selection of a field that returns objects, with what is below them as deep as that.
func (g *Generator) below(f *ast.FieldDefinition, depth int) string {
	of := g.schema.Types[f.Type.Name()]
	arguments, ok := g.required(f)
	if !ok || depth == 0 || of.Kind != ast.Object {
		return ""
	}
	for _, name := range []string{"first", "last"} {
		if f.Arguments.ForName(name) != nil {
			arguments = append(arguments, name+": $few")
			break
		}
	}
	parts := []string{g.scalars(of)}
	for _, next := range of.Fields {
		parts = append(parts, g.below(next, depth-1))
	}
	selection := strings.TrimSpace(strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " "))
	if selection == "" {
		return ""
	}
	call := f.Name
	if len(arguments) > 0 {
		call += "(" + strings.Join(arguments, ", ") + ")"
	}
	return call + " { " + selection + " }"
}
