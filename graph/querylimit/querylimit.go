// Package querylimit limits what a GraphQL document may ask for: Check limits its
// structure before it is validated, so that neither validating nor running it takes
// long; Costs computes what an operation costs with its variables. Overlapping is
// the validator's rule on overlapping fields in a form whose work is linear in the
// document's size.
package querylimit

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/mission"
)

// Limits of a document. Fields are counted with fragments expanded where they are
// spread.
const (
	// MaxDepth is how many levels fields may be nested.
	MaxDepth = 12
	// MaxIntrospectionDepth is MaxDepth for introspection; the standard
	// introspection query needs 15.
	MaxIntrospectionDepth = 20
	// MaxAliases is under how many names a selection may have the same field.
	MaxAliases = 15
	// MaxRepeats is how many times a selection may have a field under one name.
	MaxRepeats = 100
	// MaxMutations is how many fields a mutation may have.
	MaxMutations = 10
	// MaxOperations is how many operations a document may have.
	MaxOperations = 20
	// MaxVariables is how many variables an operation may have.
	MaxVariables = 100
	// MaxDirectives is how many directives may be in one place.
	MaxDirectives = 10
	// MaxValueDepth is how many levels lists and objects may be nested.
	MaxValueDepth = 10
	// MaxFragmentDepth is how many fragments may be nested without a field between
	// them.
	MaxFragmentDepth = 20
	// MaxParts is how many fields, fragments, arguments, directives and values all
	// definitions together may have. It limits the work of everything that expands
	// fragments.
	MaxParts = 5000
)

// Check rejects a parsed document that exceeds the limits, or whose fragments form
// a cycle. The document needn't be valid: names that don't exist are left to the
// validator. Errors: invalid_request.
func Check(doc *ast.QueryDocument) error {
	_, err := check(doc)
	return err
}

// check is Check; it also returns the number of steps taken.
func check(doc *ast.QueryDocument) (steps int, err error) {
	if n := len(doc.Operations); n > MaxOperations {
		return 0, mission.Invalid("", "The document has %d operations; %d are allowed.", n, MaxOperations)
	}
	s := newScale(fragmentsOf(doc))
	if err := s.weigh(doc); err != nil {
		return s.steps, err
	}
	w := walk{merger: merger{fragments: s.fragments}}
	err = w.document(doc)
	return s.steps + w.steps, err
}

// walk visits the fields of operations as they would be answered.
type walk struct {
	merger

	depth, introspection int // the deepest levels seen
}

func (w *walk) document(doc *ast.QueryDocument) error {
	for _, op := range doc.Operations {
		root := w.root(op)
		if n := len(root); op.Operation == ast.Mutation && n > MaxMutations {
			return mission.Invalid("", "The mutation has %d fields; %d are allowed.", n, MaxMutations)
		}
		if err := w.groups(root, 1, &w.depth); err != nil {
			return err
		}
	}
	if w.depth > MaxDepth {
		return mission.Invalid("", "The document is %d levels deep; %d are allowed.", w.depth, MaxDepth)
	}
	if w.introspection > MaxIntrospectionDepth {
		return mission.Invalid("", "The introspection is %d levels deep; %d are allowed.", w.introspection, MaxIntrospectionDepth)
	}
	return nil
}

// groups visits the groups of a level; deepest is the depth that it counts towards.
func (w *walk) groups(groups []*group, level int, deepest *int) error {
	names := map[string]int{}
	for _, g := range groups {
		*deepest = max(*deepest, level)
		if n := len(g.fields); n > MaxRepeats {
			return mission.Invalid("", "The field %s is selected %d times in one place; %d are allowed.", clip(g.key), n, MaxRepeats)
		}
		name := g.fields[0].Name
		if names[name]++; names[name] > MaxAliases {
			return mission.Invalid("", "The field %s has more than %d aliases in one place.", clip(name), MaxAliases)
		}
		below := deepest
		if introspects(name) {
			below = &w.introspection
		}
		if err := w.groups(w.below(g), level+1, below); err != nil {
			return err
		}
	}
	return nil
}

// introspects reports whether a field is part of introspection.
func introspects(name string) bool { return name == "__schema" || name == "__type" }

// clip shortens a name for a message.
func clip(name string) string {
	const most = 60
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
