package querylimit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/mission"
)

// assumedSize is the assumed length of a list of objects whose field has no
// @listSize.
const assumedSize = 10

// mostCost is where costs stop growing.
const mostCost = math.MaxInt32

// Costs computes what operations cost.
//
// A connection costs its page size times the cost of what is selected below it, and
// at least its page size. Its edges cost as an object does: one more than what is
// selected below it. Another list of objects costs its assumed size times that.
// Scalars are free, except that each further name under which one is selected costs
// 1. Fields that are answered as one are counted once.
type Costs struct {
	schema        *ast.Schema
	page, maxPage int // a connection's default and largest page
	// values is how many values the response to an introspection query may have:
	// half as many again as that of the standard introspection query.
	values int
}

// NewCosts returns the costs of a schema whose connections return page records by
// default, and no more than maxPage.
func NewCosts(schema *ast.Schema, page, maxPage int) *Costs {
	return &Costs{schema: schema, page: page, maxPage: maxPage, values: valuesOf(standard(), schema) * 3 / 2}
}

// Of returns what an operation of a document costs with its variables. The document
// must have passed Check and be valid, and the variables must be coerced.
// Introspection doesn't count, but has a limit of its own. Errors: invalid_request
// if introspection asks for too much, or if the condition of @skip or @include is
// null.
func (c *Costs) Of(doc *ast.QueryDocument, op *ast.OperationDefinition, variables map[string]any) (int, error) {
	t := &tally{Costs: c, variables: variables, about: about{schema: c.schema, left: c.values}}
	t.merger = merger{fragments: fragmentsOf(doc), included: t.takes}
	t.about.merger = &t.merger
	cost := t.groups(t.root(op))
	switch {
	case t.null != "":
		return 0, mission.Invalid("", "The condition of @%s is null.", t.null)
	case t.about.left < 0:
		return 0, mission.Invalid("", "The introspection selects more than %d values.", c.values)
	}
	return cost, nil
}

// tally computes the cost of one operation.
type tally struct {
	*Costs
	merger

	variables map[string]any
	about     about
	null      string // the directive whose condition is null
}

// takes reports whether a selection with these directives is included.
func (t *tally) takes(list ast.DirectiveList) bool {
	for _, d := range list {
		if d.Name != "skip" && d.Name != "include" {
			continue
		}
		condition, ok := value(d.Arguments, "if", t.variables).(bool)
		if !ok {
			t.null = d.Name
		}
		if condition == (d.Name == "skip") {
			return false
		}
	}
	return true
}

func (t *tally) groups(groups []*group) int {
	cost, seen := 0, map[string]bool{}
	for _, g := range groups {
		name := g.fields[0].Name
		switch {
		case introspects(name):
			t.about.root(g, t.variables)
		case !g.leaf():
			cost = plus(cost, t.object(g))
		case seen[name]:
			cost = plus(cost, 1)
		}
		seen[name] = true
	}
	return cost
}

// object returns the cost of a group of fields that return objects. If fields of
// different objects share the group, the most expensive counts.
func (t *tally) object(g *group) int {
	below, cost := t.groups(t.below(g)), 0
	for _, f := range g.fields {
		own := plus(below, 1)
		switch {
		case connection(f.Definition.Type.Name()):
			own = times(t.pageOf(f), max(1, below))
		case f.Definition.Type.Elem != nil && !connection(f.ObjectDefinition.Name):
			own = times(sizeOf(f.Definition), own)
		}
		cost = max(cost, own)
	}
	return cost
}

// connection reports whether a type is a connection.
func connection(name string) bool { return strings.HasSuffix(name, "Connection") }

// pageOf returns how many records a connection is asked for. A number that is out
// of range is rejected by the field itself.
func (t *tally) pageOf(f *ast.Field) int {
	for _, name := range []string{"first", "last"} {
		if v := value(f.Arguments, name, t.variables); v != nil {
			n, err := strconv.Atoi(fmt.Sprint(v))
			if err != nil {
				return t.maxPage
			}
			return min(max(1, n), t.maxPage)
		}
	}
	return t.page
}

// sizeOf returns the assumed size of a list of objects.
func sizeOf(d *ast.FieldDefinition) int {
	if directive := d.Directives.ForName("listSize"); directive != nil {
		if n, ok := value(directive.Arguments, "assumedSize", nil).(int64); ok {
			return int(n)
		}
	}
	return assumedSize
}

// value returns the value of an argument; nil if it isn't given.
func value(arguments ast.ArgumentList, name string, variables map[string]any) any {
	a := arguments.ForName(name)
	if a == nil {
		return nil
	}
	v, err := a.Value.Value(variables)
	if err != nil {
		return a.Value.Raw // a number that is too large
	}
	return v
}

func plus(a, b int) int { return min(a+b, mostCost) }

func times(a, b int) int {
	if a > 0 && b > mostCost/a {
		return mostCost
	}
	return a * b
}
