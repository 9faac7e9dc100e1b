package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// promised is a schema with something of each kind.
const promised = `
directive @shout(loud: Boolean = true, times: Int) repeatable on FIELD | QUERY
directive @internal(is: String!) on FIELD_DEFINITION
interface Node { id: ID! }
interface Named { name: String }
scalar Time
enum Colour { RED GREEN }
union Thing = Mission | Post
input Brief { title: String! note: String days: Int! = 7 tags: [String!] colour: Colour }
type Mission implements Node & Named { id: ID! name: String posts(first: Int = 20, colour: Colour, since: Time!): [Post]! }
type Post implements Node { id: ID! text: String! parts: [String!]! }
type Query { mission(id: ID!): Mission things: [Thing!] }
type Mutation { create(brief: Brief!): Mission @internal(is: "create") }
`

// Each kind of breaking change is reported, and others aren't.
func TestBreaking(t *testing.T) {
	for name, tt := range map[string]struct {
		change []string // old and new text, in promised
		breaks []string
	}{
		"nothing": {},

		"a type is gone":             {[]string{"scalar Time", "", "since: Time!", "since: Int!"}, []string{"Mission.posts(since:) is Int!, was Time!", "Time is gone"}},
		"a type is renamed":          {[]string{"Colour", "Color"}, []string{"Brief.colour is Color, was Colour", "Colour is gone", "Mission.posts(colour:) is Color, was Colour"}},
		"a type is of another kind":  {[]string{"scalar Time", "enum Time { NOW }"}, []string{"Time is of the kind ENUM, was SCALAR"}},
		"a field is gone":            {[]string{"text: String! ", ""}, []string{"Post.text is gone"}},
		"a query is gone":            {[]string{" things: [Thing!]", ""}, []string{"Query.things is gone"}},
		"an interface's field":       {[]string{"interface Named { name: String }", "interface Named { title: String }", "id: ID! name: String posts", "id: ID! name: String title: String posts"}, []string{"Named.name is gone"}},
		"a field may be null":        {[]string{"text: String!", "text: String"}, []string{"Post.text is String, was String!"}},
		"a list may be null":         {[]string{"parts: [String!]!", "parts: [String!]"}, []string{"Post.parts is [String!], was [String!]!"}},
		"an item may be null":        {[]string{"parts: [String!]!", "parts: [String]!"}, []string{"Post.parts is [String]!, was [String!]!"}},
		"a field is of another type": {[]string{"text: String!", "text: Int!"}, []string{"Post.text is Int!, was String!"}},
		"a field is a list":          {[]string{"text: String!", "text: [String!]!"}, []string{"Post.text is [String!]!, was String!"}},
		"a list is a field":          {[]string{"parts: [String!]!", "parts: String!"}, []string{"Post.parts is String!, was [String!]!"}},
		"an interface is left":       {[]string{"implements Node & Named", "implements Node"}, []string{"Mission doesn't implement Named"}},
		"a member is gone":           {[]string{"Mission | Post", "Mission"}, []string{"Post isn't one of Thing"}},
		"an enum's value is gone":    {[]string{"RED GREEN", "RED"}, []string{"Colour.GREEN is gone"}},

		"an argument is gone":             {[]string{"first: Int = 20, ", ""}, []string{"Mission.posts(first:) is gone"}},
		"an argument is required":         {[]string{"colour: Colour, since", "colour: Colour!, since"}, []string{"Mission.posts(colour:) is Colour!, was Colour"}},
		"an argument is of another type":  {[]string{"since: Time!", "since: String!"}, []string{"Mission.posts(since:) is String!, was Time!"}},
		"a new argument is required":      {[]string{"first: Int = 20,", "first: Int = 20, last: Int!,"}, []string{"Mission.posts(last:) is new and required"}},
		"a default is another":            {[]string{"= 20", "= 10"}, []string{"Mission.posts(first:) has the default 10, was 20"}},
		"a default is gone":               {[]string{" = 20", ""}, []string{"Mission.posts(first:) has the default none, was 20"}},
		"a default is new":                {[]string{"colour: Colour, since", "colour: Colour = RED, since"}, []string{"Mission.posts(colour:) has the default RED, was none"}},
		"an input's field is gone":        {[]string{" note: String", ""}, []string{"Brief.note is gone"}},
		"an input's field is required":    {[]string{"note: String", "note: String!"}, []string{"Brief.note is String!, was String"}},
		"an input's default is gone":      {[]string{" = 7", ""}, []string{"Brief.days has the default none, was 7"}},
		"an input's default is another":   {[]string{"= 7", "= 8"}, []string{"Brief.days has the default 8, was 7"}},
		"an input's items are required":   {[]string{"tags: [String!]", "tags: [String!]!"}, []string{"Brief.tags is [String!]!, was [String!]"}},
		"an input has a required field":   {[]string{"title: String!", "title: String! more: Int!"}, []string{"Brief.more is new and required"}},
		"an input takes one of its":       {[]string{"input Brief { title: String! note: String days: Int! = 7 ", "input Brief @oneOf { title: String note: String days: Int "}, []string{"Brief takes just one of its fields", "Brief.days has the default none, was 7"}},
		"a directive is gone":             {[]string{"directive @shout(loud: Boolean = true, times: Int) repeatable on FIELD | QUERY", ""}, []string{"@shout is gone"}},
		"a directive's place is gone":     {[]string{"on FIELD | QUERY", "on FIELD"}, []string{"@shout isn't allowed on QUERY"}},
		"a directive may stand once":      {[]string{" repeatable", ""}, []string{"@shout can't be repeated"}},
		"a directive's argument is gone":  {[]string{", times: Int", ""}, []string{"@shout(times:) is gone"}},
		"a directive's default":           {[]string{"= true", "= false"}, []string{"@shout(loud:) has the default false, was true"}},
		"a directive's argument required": {[]string{"times: Int", "times: Int, pitch: Int!"}, []string{"@shout(pitch:) is new and required"}},

		"a new type":                       {[]string{"scalar Time", "scalar Time scalar Day"}, nil},
		"a new field":                      {[]string{"text: String!", "text: String! title: String!"}, nil},
		"a field is never null":            {[]string{"name: String posts", "name: String! posts"}, nil},
		"an item is never null":            {[]string{"[Post]!", "[Post!]!"}, nil},
		"a new value":                      {[]string{"RED GREEN", "RED GREEN BLUE"}, nil},
		"a new interface":                  {[]string{"type Post implements Node {", "type Post implements Node & Named { name: String "}, nil},
		"a new member":                     {[]string{"scalar Time", "scalar Time type Job { id: ID! }", "Mission | Post", "Mission | Post | Job"}, nil},
		"a new optional argument":          {[]string{"first: Int = 20,", "first: Int = 20, last: Int, most: Int! = 100,"}, nil},
		"an argument may be left out":      {[]string{"since: Time!", "since: Time"}, nil},
		"a required one has a default":     {[]string{"title: String!", `title: String! = "Untitled"`}, nil},
		"a new optional field of an input": {[]string{"title: String!", "title: String! more: Int"}, nil},
		"an input's field may be left out": {[]string{"title: String!", "title: String"}, nil},
		"an input's items may be null":     {[]string{"tags: [String!]", "tags: [String]"}, nil},
		"a new directive":                  {[]string{"scalar Time", "scalar Time directive @live on QUERY"}, nil},
		"a directive has a place more":     {[]string{"on FIELD | QUERY", "on FIELD | QUERY | MUTATION"}, nil},
		"the schema's own directive":       {[]string{"directive @internal(is: String!) on FIELD_DEFINITION", "", ` @internal(is: "create")`, ""}, nil},
		"a field is deprecated":            {[]string{"text: String!", `text: String! @deprecated(reason: "Read parts.")`}, nil},
		"words are others":                 {[]string{"scalar Time", `"A time." scalar Time`}, nil},
		"the order is another":             {[]string{"RED GREEN", "GREEN RED", "id: ID! text: String!", "text: String! id: ID!"}, nil},
		"several":                          {[]string{"RED GREEN", "RED", "text: String! ", ""}, []string{"Colour.GREEN is gone", "Post.text is gone"}},
	} {
		t.Run(name, func(t *testing.T) {
			after := strings.NewReplacer(tt.change...).Replace(promised)
			if len(tt.change) > 0 && after == promised {
				t.Fatal("nothing was changed")
			}
			if got := breaking(parse(t, promised), parse(t, after)); !slices.Equal(got, tt.breaks) {
				t.Errorf("it says %q, want %q", got, tt.breaks)
			}
		})
	}
}

// breaking returns the changes between two schemas that break clients written for
// the first, a sentence for each, sorted. Additions break none: clients don't know
// of them, and are expected to handle enum values that they don't know.
func breaking(before, after *ast.Schema) []string {
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
