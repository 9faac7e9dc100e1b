// Package exec executes the schema: the code that gqlgen generates for it, and the plans by
// which the responses of fields are written that need no resolver.
package exec

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// A plan is a selection on an object type, compiled: which fields the response has,
// in order, with the writers of their values. gqlgen resolves every field that has
// an operation, arguments or a resolver, and so checks what it always checks; what
// such a field returns is written by the plan of the field's selection. Anything
// that has no plan is left to gqlgen.
type plan struct {
	of     *object
	fields []planned
	// expected is the size of the last result that was written, in bytes.
	expected atomic.Int64
	// columns are those that a resolver which chooses its columns reads; nil
	// before it did.
	columns atomic.Pointer[string]
}

// planned is a field of a plan.
type planned struct {
	field graphql.CollectedField
	// key is the field's name in the response, as JSON, with the colon.
	key    string
	writer writer
	below  *plan // nil for a field without a selection, or one of gqlgen's
}

// object is what the table of writers has of an object type.
type object struct {
	name string
	// satisfied are the names of the object type and of its interfaces.
	satisfied []string
	writers   map[string]writer
	// records returns what a resolver returned, if that is one record or a list of
	// records of the type.
	records func(v any) (one any, list []any, ok bool)
}

// writer writes a field of a record.
type writer struct {
	// write is nil for a field that gqlgen resolves. It reports false where null
	// would have to be written but isn't allowed.
	write func(w *writing, f *planned, o any) bool
	// resolve has gqlgen resolve and marshal the field.
	resolve resolve
}

// objects is the table of writers, by the names of object types. It is generated.
var objects map[string]*object

// Field is what the table of writers has of a field: whether gqlgen can resolve it, and
// whether a plan writes it without.
type Field struct{ Resolved, Written bool }

// Table returns what the table of writers has, by the names of object types and fields, for
// tests: those of the package itself would have all that is generated compiled once more.
func Table() map[string]map[string]Field {
	table := make(map[string]map[string]Field, len(objects))
	for name, of := range objects {
		table[name] = make(map[string]Field, len(of.writers))
		for field, w := range of.writers {
			table[name][field] = Field{Resolved: w.resolve != nil, Written: w.write != nil}
		}
	}
	return table
}

// maxPlanned limits a plan, in fields: fragments may be spread many times.
const maxPlanned = 1000

// typename is the field that every object has.
const typename = "__typename"

// compiler compiles the plan of one field of the root type.
type compiler struct {
	op   *graphql.OperationContext
	left int // fields that the plan may still have
}

// compile returns the plan of a field's selection, or nil if gqlgen must write it.
func compile(op *graphql.OperationContext, field graphql.CollectedField) *plan {
	c := &compiler{op: op, left: maxPlanned}
	p, ok := c.plan(field.Definition.Type, field.Selections)
	if !ok {
		return nil
	}
	return p
}

// plan returns the plan of a selection on a type, nil if the type is no object
// type, and false if the selection can't be planned.
func (c *compiler) plan(t *ast.Type, selections ast.SelectionSet) (*plan, bool) {
	of := objects[t.Name()]
	if of == nil {
		return nil, true
	}
	collected := graphql.CollectFields(c.op, selections, of.satisfied)
	if c.left -= len(collected); c.left < 0 {
		return nil, false
	}
	p := &plan{of: of, fields: make([]planned, len(collected))}
	for i, f := range collected {
		if len(f.Deferrables) > 0 {
			return nil, false
		}
		p.fields[i] = planned{field: f, key: string(appendText(nil, f.Alias)) + ":", writer: of.writers[f.Name]}
		if f.Name == typename {
			p.fields[i].writer.write = typenamed(of.name)
			continue
		}
		if p.fields[i].writer.resolve == nil {
			return nil, false // introspection's
		}
		below, ok := c.plan(f.Definition.Type, f.Selections)
		if !ok {
			return nil, false
		}
		p.fields[i].below = below
	}
	return p, true
}

// Plans are the plans of a document, by operation and field. They are safe for
// concurrent use.
type Plans struct {
	of   map[planKey]*plan
	size int // in fields
}

type planKey struct {
	operation *ast.OperationDefinition
	alias     string
}

// NewPlans compiles the plans of a validated document. Those that depend on variables are
// not among them: they are compiled for each request.
func NewPlans(schema *ast.Schema, document *ast.QueryDocument) *Plans {
	all := &Plans{of: map[planKey]*plan{}}
	for _, operation := range document.Operations {
		root := map[ast.Operation]*ast.Definition{ast.Query: schema.Query, ast.Mutation: schema.Mutation}[operation.Operation]
		if root == nil || conditional(document, operation.SelectionSet, map[string]bool{}) {
			continue
		}
		op := &graphql.OperationContext{Doc: document, Operation: operation}
		for _, field := range graphql.CollectFields(op, operation.SelectionSet, []string{root.Name}) {
			if p := compile(op, field); p != nil {
				all.of[planKey{operation, field.Alias}] = p
				all.size += p.size()
			}
		}
	}
	return all
}

// PlannedSize is the memory that a field of a plan takes, in bytes.
const PlannedSize = 400

// Size estimates the memory that the plans take, in bytes.
func (p *Plans) Size() int { return p.size * PlannedSize }

// plansKey is the key of a document's plans in the statistics of its operations.
const plansKey = "plans"

// Use has an operation of the plans' document use them.
func (p *Plans) Use(op *graphql.OperationContext) { op.Stats.SetExtension(plansKey, p) }

// Columns returns the columns that the field being resolved needs, as find finds them. The
// field's plan, if it has one, remembers them.
func Columns[C ~string](ctx context.Context, find func() C) C {
	p, _ := planFor(ctx, graphql.GetFieldContext(ctx))
	if p == nil {
		return find()
	}
	if known := p.columns.Load(); known != nil {
		return C(*known)
	}
	found := find()
	text := string(found)
	p.columns.Store(&text)
	return found
}

func (p *plan) size() int {
	n := len(p.fields)
	for _, f := range p.fields {
		if f.below != nil {
			n += f.below.size()
		}
	}
	return n
}

// conditional reports whether variables decide what a selection selects.
func conditional(document *ast.QueryDocument, selections ast.SelectionSet, seen map[string]bool) bool {
	return slices.ContainsFunc(selections, func(selection ast.Selection) bool {
		switch s := selection.(type) {
		case *ast.Field:
			return byVariable(s.Directives) || conditional(document, s.SelectionSet, seen)
		case *ast.InlineFragment:
			return byVariable(s.Directives) || conditional(document, s.SelectionSet, seen)
		case *ast.FragmentSpread:
			if seen[s.Name] {
				return byVariable(s.Directives)
			}
			seen[s.Name] = true
			return byVariable(s.Directives) || conditional(document, document.Fragments.ForName(s.Name).SelectionSet, seen)
		}
		return true
	})
}

func byVariable(directives ast.DirectiveList) bool {
	return slices.ContainsFunc(directives, func(d *ast.Directive) bool {
		return slices.ContainsFunc(d.Arguments, func(a *ast.Argument) bool { return a.Value.Kind == ast.Variable })
	})
}
