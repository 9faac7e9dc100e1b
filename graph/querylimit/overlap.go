package querylimit

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// maxComparisons limits Overlapping's steps in one operation. A document that
// passed Check comes near it only if interfaces select interfaces many times over.
const maxComparisons = 4 * MaxParts

// Overlapping is the validator's rule OverlappingFieldsCanBeMerged (GraphQL,
// section 5.3.2): all values under one response key must come from one field with
// one set of arguments, or from fields of different objects with one shape. It
// compares each field with the first of its group instead of with every other one,
// which is equivalent, since both relations are equivalence relations: its work
// grows linearly with the document's size, the validator's own quadratically: the
// worst document of internal/testkit/hostile that passes Check is validated by it in 1
// ms, and by the validator's own in 350. The document must have passed Check.
var Overlapping = core.Rule{
	Name: "OverlappingFieldsCanBeMerged",
	RuleFunc: func(observers *core.Events, report core.AddErrFunc) {
		observers.OnOperation(func(w *core.Walker, op *ast.OperationDefinition) {
			o := overlaps{merger: merger{fragments: fragmentsOf(w.Document)}, schema: w.Schema, report: report}
			root := o.root(op)
			o.sameField(root)
			o.sameShape(root)
		})
	},
}

type overlaps struct {
	merger

	schema *ast.Schema
	report core.AddErrFunc
	failed bool // one conflict is enough
}

// sameShape checks that the fields of each group have one shape, whatever their
// objects.
func (o *overlaps) sameShape(groups []*group) {
	for _, g := range groups {
		first := g.fields[0]
		for _, f := range g.fields[1:] {
			if first.Definition != nil && f.Definition != nil && !o.alike(first.Definition.Type, f.Definition.Type) {
				o.conflict(f, `they return conflicting types "%s" and "%s"`, first.Definition.Type, f.Definition.Type)
			}
		}
		if o.failed {
			return
		}
		o.sameShape(o.below(g))
	}
}

// alike reports whether values of two types have one shape: lists and non-null must
// match, and so must leaves. The selections below objects are compared separately.
func (o *overlaps) alike(a, b *ast.Type) bool {
	if a.NonNull != b.NonNull || (a.Elem == nil) != (b.Elem == nil) {
		return false
	}
	if a.Elem != nil {
		return o.alike(a.Elem, b.Elem)
	}
	return a.NamedType == b.NamedType || !o.schema.Types[a.NamedType].IsLeafType() && !o.schema.Types[b.NamedType].IsLeafType()
}

// sameField checks that the fields of each group that may belong to one object are
// one field with the same arguments.
func (o *overlaps) sameField(groups []*group) {
	for _, g := range groups {
		for _, together := range byObject(g.fields) {
			first := together[0]
			for _, f := range together[1:] {
				if f.Name != first.Name {
					o.conflict(f, `"%s" and "%s" are different fields`, first.Name, f.Name)
				} else if !sameArguments(first.Arguments, f.Arguments) {
					o.conflict(f, "they have differing arguments")
				}
			}
			if o.steps > maxComparisons {
				o.conflict(first, "they are too many to compare")
			}
			if o.failed {
				return
			}
			o.sameField(o.merge(together...))
		}
	}
}

// byObject returns the sets of fields that may belong to one object: a field
// selected on an interface or a union is in each of them.
func byObject(fields []*ast.Field) [][]*ast.Field {
	var anywhere []*ast.Field
	var objects []string
	of := map[string][]*ast.Field{}
	for _, f := range fields {
		d := f.ObjectDefinition
		if d == nil || d.Kind != ast.Object {
			anywhere = append(anywhere, f)
			continue
		}
		if of[d.Name] == nil {
			objects = append(objects, d.Name)
		}
		of[d.Name] = append(of[d.Name], f)
	}
	if len(objects) == 0 {
		return [][]*ast.Field{anywhere}
	}
	sets := make([][]*ast.Field, len(objects))
	for i, name := range objects {
		sets[i] = slices.Concat(of[name], anywhere)
	}
	return sets
}

func (o *overlaps) conflict(f *ast.Field, reason string, args ...any) {
	if o.failed {
		return
	}
	o.failed = true
	o.report(
		core.Message(
			`Fields "%s" conflict because `+reason+`. Use different aliases on the fields to fetch both if this was intentional.`,
			append([]any{clip(f.Alias)}, args...)...,
		),
		core.At(f.Position),
	)
}

func sameArguments(a, b ast.ArgumentList) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x *ast.Argument) bool {
		y := b.ForName(x.Name)
		return y == nil || !sameValue(x.Value, y.Value)
	})
}

// sameValue reports whether two values are equal; the order of an object's fields
// doesn't matter.
func sameValue(a, b *ast.Value) bool {
	if a.Kind != b.Kind || a.Raw != b.Raw || len(a.Children) != len(b.Children) {
		return false
	}
	return slices.EqualFunc(inOrder(a), inOrder(b), func(x, y *ast.ChildValue) bool {
		return x.Name == y.Name && sameValue(x.Value, y.Value)
	})
}

func inOrder(v *ast.Value) ast.ChildValueList {
	if v.Kind != ast.ObjectValue {
		return v.Children
	}
	return slices.SortedStableFunc(slices.Values(v.Children), func(x, y *ast.ChildValue) int { return cmp.Compare(x.Name, y.Name) })
}
