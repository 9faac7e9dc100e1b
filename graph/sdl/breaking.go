package sdl

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Breaking returns the changes between two schemas that break clients written for
// the first, a sentence for each, sorted. Additions break none: clients don't know
// of them, and are expected to handle enum values that they don't know.
func Breaking(before, after *ast.Schema) []string {
	c := &comparison{}
	for name, was := range before.Types {
		c.definition(was, after.Types[name])
	}
	for name, was := range before.Directives {
		if slices.ContainsFunc(was.Locations, executable) {
			c.directive(was, after.Directives[name])
		}
	}
	slices.Sort(c.breaks)
	return c.breaks
}

// comparison collects the breaking changes.
type comparison struct{ breaks []string }

func (c *comparison) add(format string, args ...any) {
	c.breaks = append(c.breaks, fmt.Sprintf(format, args...))
}

// definition compares a type; is is nil if it was removed.
func (c *comparison) definition(was, is *ast.Definition) {
	switch {
	case is == nil:
		c.add("%s is gone", was.Name)
		return
	case is.Kind != was.Kind:
		c.add("%s is of the kind %s, was %s", was.Name, is.Kind, was.Kind)
		return
	case is.Directives.ForName("oneOf") != nil && was.Directives.ForName("oneOf") == nil:
		c.add("%s takes just one of its fields", was.Name)
	}
	for _, name := range missing(was.Interfaces, is.Interfaces) {
		c.add("%s doesn't implement %s", was.Name, name)
	}
	for _, name := range missing(was.Types, is.Types) {
		c.add("%s isn't one of %s", name, was.Name)
	}
	for _, v := range was.EnumValues {
		if is.EnumValues.ForName(v.Name) == nil {
			c.add("%s.%s is gone", was.Name, v.Name)
		}
	}
	if was.Kind == ast.InputObject {
		c.inputs(was.Name+".%s", inputFields(was.Fields), inputFields(is.Fields))
		return
	}
	for _, f := range was.Fields {
		c.field(was.Name+"."+f.Name, f, is.Fields.ForName(f.Name))
	}
}

// field compares a field that clients read: its type may become narrower, never
// nullable or another type.
func (c *comparison) field(path string, was, is *ast.FieldDefinition) {
	if is == nil {
		c.add("%s is gone", path)
		return
	}
	if !fits(is.Type, was.Type) {
		c.add("%s is %s, was %s", path, is.Type, was.Type)
	}
	c.inputs(path+"(%s:)", arguments(was.Arguments), arguments(is.Arguments))
}

// directive compares a directive that clients may use.
func (c *comparison) directive(was, is *ast.DirectiveDefinition) {
	path := "@" + was.Name
	if is == nil {
		c.add("%s is gone", path)
		return
	}
	for _, location := range missing(was.Locations, is.Locations) {
		if executable(location) {
			c.add("%s isn't allowed on %s", path, location)
		}
	}
	if was.IsRepeatable && !is.IsRepeatable {
		c.add("%s can't be repeated", path)
	}
	c.inputs(path+"(%s:)", arguments(was.Arguments), arguments(is.Arguments))
}

// executable reports whether a directive's location is in clients' documents.
func executable(l ast.DirectiveLocation) bool {
	switch l {
	case ast.LocationQuery, ast.LocationMutation, ast.LocationSubscription, ast.LocationField, ast.LocationFragmentDefinition,
		ast.LocationFragmentSpread, ast.LocationInlineFragment, ast.LocationVariableDefinition:
		return true
	default:
		return false
	}
}

// input is what clients write: an argument, or a field of an input object.
type input struct {
	name  string
	typed *ast.Type
	value *ast.Value // the default; nil if there is none
}

// required reports whether clients must write it.
func (i input) required() bool { return i.typed.NonNull && i.value == nil }

func (i input) standard() string {
	if i.value == nil {
		return "none"
	}
	return i.value.String()
}

func arguments(list ast.ArgumentDefinitionList) []input {
	inputs := make([]input, len(list))
	for i, a := range list {
		inputs[i] = input{a.Name, a.Type, a.DefaultValue}
	}
	return inputs
}

func inputFields(list ast.FieldList) []input {
	inputs := make([]input, len(list))
	for i, f := range list {
		inputs[i] = input{f.Name, f.Type, f.DefaultValue}
	}
	return inputs
}

// inputs compares what clients write: everything that was accepted before must be
// accepted still, and mean the same. path is a format that takes a name.
func (c *comparison) inputs(path string, before, after []input) {
	for _, was := range before {
		k := slices.IndexFunc(after, func(i input) bool { return i.name == was.name })
		if k < 0 {
			c.add(path+" is gone", was.name)
			continue
		}
		is := after[k]
		if !fits(was.typed, is.typed) {
			c.add(path+" is %s, was %s", was.name, is.typed, was.typed)
		}
		if !was.required() && was.standard() != is.standard() {
			c.add(path+" has the default %s, was %s", was.name, is.standard(), was.standard())
		}
	}
	for _, is := range after {
		isNew := !slices.ContainsFunc(before, func(i input) bool { return i.name == is.name })
		if isNew && is.required() {
			c.add(path+" is new and required", is.name)
		}
	}
}

// fits reports whether each value of the narrow type is one of the wide type.
func fits(narrow, wide *ast.Type) bool {
	switch {
	case wide.NonNull && !narrow.NonNull:
		return false
	case narrow.Elem != nil && wide.Elem != nil:
		return fits(narrow.Elem, wide.Elem)
	}
	return narrow.Elem == nil && wide.Elem == nil && narrow.NamedType == wide.NamedType
}

// missing returns the elements of list that aren't in other.
func missing[T comparable](list, other []T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return slices.Contains(other, v) })
}
