// Package guard bounds what a GraphQL document may ask for: its structure,
// before it is validated, so that neither validating nor running it takes long
// (Check); and what an operation costs with its variables (Costs). It also has
// the validator's rule on overlapping fields in a form whose work is linear
// (Overlapping).
package guard

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/mission"
)

// Bounds of a document. What counts fields counts them with the fragments
// spread where they are used.
const (
	// MaxDepth is how many levels fields may be nested.
	MaxDepth = 12
	// MaxIntrospectionDepth is MaxDepth for what asks about the schema; the
	// standard introspection query needs 15.
	MaxIntrospectionDepth = 20
	// MaxAliases is under how many names a selection may have one field.
	MaxAliases = 15
	// MaxRepeats is how often a selection may have a field under one name.
	MaxRepeats = 100
	// MaxMutations is how many fields a mutation may have.
	MaxMutations = 10
	// MaxOperations is how many operations a document may have.
	MaxOperations = 20
	// MaxVariables is how many variables an operation may have.
	MaxVariables = 100
	// MaxDirectives is how many directives may stand in one place.
	MaxDirectives = 10
	// MaxValueDepth is how many levels lists and objects may be nested.
	MaxValueDepth = 10
	// MaxFragmentDepth is how many fragments may be nested with no field
	// between them.
	MaxFragmentDepth = 20
	// MaxParts is how many fields, fragments, arguments, directives and values
	// there may be in all definitions together. It bounds the work of whatever
	// spreads fragments.
	MaxParts = 5000
)

// Check refuses a parsed document that is beyond the bounds, or whose fragments
// spread themselves. The document needn't be valid: what it names that doesn't
// exist is left to the validator. Errors: invalid_request.
func Check(doc *ast.QueryDocument) error {
	_, err := check(doc)
	return err
}

// check is Check, with the number of steps that it took.
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

// walk goes through operations as they are answered.
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

// groups walks what is selected at a level; deepest is the depth that it
// counts for.
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

// introspects reports whether a field asks about the schema.
func introspects(name string) bool { return name == "__schema" || name == "__type" }

// clip shortens a name for a message.
func clip(name string) string {
	const most = 60
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
