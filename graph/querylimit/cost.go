package querylimit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/mission"
)

// assumedSize is the length of a list of objects whose field has no @listSize.
const assumedSize = 10

// textUnit is how many characters of text cost 1.
const textUnit = 50_000

// mostCost is where costs stop growing.
const mostCost = math.MaxInt32

// Costs computes what operations cost.
//
// A connection costs its page size times the cost of what is selected below it, and
// at least its page size. Its edges cost as an object does: one more than what is
// selected below it. Another list of objects costs its size times that: what
// @listSize says of it or of the object that has it, or what the slicing arguments ask for if that is less. Scalars are
// free, except that each further name under which one is selected costs
// 1, and that texts of @textSize cost 1 for each textUnit that all of them may have together.
// Fields that are answered as one are counted once.
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
	of := t.groups(t.root(op), nil)
	cost := plus(of.objects, of.text/textUnit)
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

// price is what a selection costs.
type price struct {
	objects int // and scalars that cost
	text    int // in characters
}

func (p price) plus(q price) price { return price{plus(p.objects, q.objects), plus(p.text, q.text)} }

// most returns the higher of two prices, part by part.
func (p price) most(q price) price { return price{max(p.objects, q.objects), max(p.text, q.text)} }

// groups returns the price of the fields of an object. sized are the lengths of its lists, where the field that returned it
// says so.
func (t *tally) groups(groups []*group, sized map[string]int) (cost price) {
	seen := map[string]bool{}
	for _, g := range groups {
		name := g.fields[0].Name
		switch {
		case introspects(name):
			t.about.root(g, t.variables)
		case !g.leaf():
			cost = cost.plus(t.object(g, sized))
		default:
			cost = cost.plus(textOf(g))
			if seen[name] {
				cost.objects = plus(cost.objects, 1)
			}
		}
		seen[name] = true
	}
	return cost
}

// textOf returns the price of the text of a group of fields that return scalars.
func textOf(g *group) (cost price) {
	for _, f := range g.fields {
		if directive := f.Definition.Directives.ForName("textSize"); directive != nil {
			most, times := number(directive, "max", 0), number(directive, "times", 1)
			cost = cost.most(price{text: most * times})
		}
	}
	return cost
}

// object returns the cost of a group of fields that return objects. If fields of
// different objects share the group, the most expensive counts.
func (t *tally) object(g *group, sized map[string]int) (cost price) {
	below := t.groups(t.below(g), t.sizedBy(g))
	for _, f := range g.fields {
		own, n := plus(below.objects, 1), 1
		switch {
		case connection(f.Definition.Type.Name()):
			own, n = max(1, below.objects), t.pageOf(f)
		case f.Definition.Type.Elem != nil && !connection(f.ObjectDefinition.Name):
			n = t.lengthOf(f, sized)
		}
		cost = cost.most(price{times(n, own), times(n, below.text)})
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

// lengthOf returns the length that a list of objects has at most.
func (t *tally) lengthOf(f *ast.Field, sized map[string]int) int {
	size, known := sized[f.Name]
	directive := f.Definition.Directives.ForName("listSize")
	switch {
	case directive == nil && known:
		return size
	case directive == nil:
		return assumedSize
	case known:
		return min(size, t.sizeOf(f, directive))
	}
	return t.sizeOf(f, directive)
}

// sizedBy returns the lengths of the lists of an object that its field determines.
func (t *tally) sizedBy(g *group) map[string]int {
	var sized map[string]int
	for _, f := range g.fields {
		directive := f.Definition.Directives.ForName("listSize")
		for _, name := range names(directive, "sizedFields") {
			if sized == nil {
				sized = map[string]int{}
			}
			sized[name] = max(sized[name], t.sizeOf(f, directive))
		}
	}
	return sized
}

// sizeOf returns the length that a field's @listSize determines. Arguments that are out of range are rejected by the field
// itself.
func (t *tally) sizeOf(f *ast.Field, directive *ast.Directive) int {
	size := number(directive, "assumedSize", assumedSize)
	var dates []time.Time
	for _, name := range names(directive, "slicingArguments") {
		switch v := value(f.Arguments, name, t.variables).(type) {
		case nil:
		case []any:
			size = min(size, max(1, len(v)))
		case string:
			if d, err := time.Parse(time.DateOnly, v); err == nil {
				dates = append(dates, d)
			}
		default:
			if n, err := strconv.Atoi(fmt.Sprint(v)); err == nil {
				size = min(size, max(1, n))
			}
		}
	}
	if len(dates) == 2 {
		days := int(dates[1].Sub(dates[0]).Hours()/24) + 1
		size = min(size, max(1, days))
	}
	return size
}

// names returns the names that an argument of a directive, which may be nil, lists.
func names(d *ast.Directive, argument string) (list []string) {
	if d == nil {
		return nil
	}
	values, _ := value(d.Arguments, argument, nil).([]any)
	for _, v := range values {
		if name, ok := v.(string); ok {
			list = append(list, name)
		}
	}
	return list
}

// number returns an argument of a directive; fallback if it isn't given.
func number(d *ast.Directive, name string, fallback int) int {
	if n, ok := value(d.Arguments, name, nil).(int64); ok {
		return int(n)
	}
	return fallback
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
