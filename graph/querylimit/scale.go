package querylimit

import (
	"github.com/vektah/gqlparser/v2/ast"

	"missiond/mission"
)

// weight is the size of a selection set with its fragments expanded.
type weight struct {
	parts int // saturates beyond MaxParts
	nest  int // how many fragments are nested without a field between them
}

func (w *weight) add(parts int) { w.parts = min(w.parts+parts, MaxParts+1) }

// addFragment adds the weight of a fragment, spread or inline.
func (w *weight) addFragment(below weight) {
	w.add(1 + below.parts)
	w.nest = max(w.nest, 1+below.nest)
}

// scale weighs a document. Each fragment is weighed once, however often it is
// spread.
type scale struct {
	fragments fragments
	weighed   map[string]weight
	open      map[string]bool // the fragments being weighed
	steps     int
}

func newScale(f fragments) *scale {
	return &scale{fragments: f, weighed: make(map[string]weight, len(f)), open: map[string]bool{}}
}

// weigh rejects a document that is too heavy.
func (s *scale) weigh(doc *ast.QueryDocument) error {
	var all weight
	for _, op := range doc.Operations {
		w, err := s.operation(op)
		if err != nil {
			return err
		}
		all.add(1 + w.parts)
	}
	for _, f := range doc.Fragments {
		w, err := s.definition(f)
		if err != nil {
			return err
		}
		all.add(1 + w.parts)
	}
	if all.parts > MaxParts {
		return mission.Invalid(
			"",
			"The document has more than %d fields, fragments, arguments, directives and values, counted wherever its fragments are spread.",
			MaxParts,
		)
	}
	return nil
}

func (s *scale) operation(op *ast.OperationDefinition) (weight, error) {
	if n := len(op.VariableDefinitions); n > MaxVariables {
		return weight{}, mission.Invalid("", "An operation has %d variables; %d are allowed.", n, MaxVariables)
	}
	w, err := s.set(op.SelectionSet)
	if err != nil {
		return w, err
	}
	if err := s.directives(&w, op.Directives); err != nil {
		return w, err
	}
	for _, v := range op.VariableDefinitions {
		w.add(1)
		if err := s.value(&w, v.DefaultValue, 0); err != nil {
			return w, err
		}
		if err := s.directives(&w, v.Directives); err != nil {
			return w, err
		}
	}
	return w, nil
}

// definition weighs a fragment by its definition, even if another fragment has its
// name.
func (s *scale) definition(f *ast.FragmentDefinition) (weight, error) {
	if s.fragments[f.Name] == f {
		return s.fragment(f)
	}
	w, err := s.set(f.SelectionSet)
	if err != nil {
		return w, err
	}
	return w, s.directives(&w, f.Directives)
}

// fragment weighs a fragment that is spread.
func (s *scale) fragment(f *ast.FragmentDefinition) (weight, error) {
	if w, ok := s.weighed[f.Name]; ok {
		return w, nil
	}
	if s.open[f.Name] {
		return weight{}, mission.Invalid("", "The fragment %s spreads itself.", clip(f.Name))
	}
	s.open[f.Name] = true
	w, err := s.set(f.SelectionSet)
	if err != nil {
		return w, err
	}
	s.open[f.Name] = false
	if err := s.directives(&w, f.Directives); err != nil {
		return w, err
	}
	s.weighed[f.Name] = w
	return w, nil
}

func (s *scale) set(set ast.SelectionSet) (weight, error) {
	var w weight
	for _, selection := range set {
		s.steps++
		if err := s.selection(&w, selection); err != nil {
			return w, err
		}
	}
	if w.nest > MaxFragmentDepth {
		return w, mission.Invalid("", "Fragments are nested %d deep without a field between them; %d are allowed.", w.nest, MaxFragmentDepth)
	}
	return w, nil
}

// selection adds a selection to the weight of its set.
func (s *scale) selection(w *weight, selection ast.Selection) error {
	switch sel := selection.(type) {
	case *ast.Field:
		below, err := s.set(sel.SelectionSet)
		if err != nil {
			return err
		}
		w.add(1 + below.parts)
		if err := s.arguments(w, sel.Arguments); err != nil {
			return err
		}
		return s.directives(w, sel.Directives)
	case *ast.InlineFragment:
		below, err := s.set(sel.SelectionSet)
		if err != nil {
			return err
		}
		w.addFragment(below)
		return s.directives(w, sel.Directives)
	case *ast.FragmentSpread:
		var below weight
		if f := s.fragments[sel.Name]; f != nil {
			var err error
			if below, err = s.fragment(f); err != nil {
				return err
			}
		}
		w.addFragment(below)
		return s.directives(w, sel.Directives)
	}
	return nil
}

func (s *scale) directives(w *weight, list ast.DirectiveList) error {
	if n := len(list); n > MaxDirectives {
		return mission.Invalid("", "There are %d directives in one place; %d are allowed.", n, MaxDirectives)
	}
	for _, d := range list {
		if d.Name == "defer" {
			return mission.Invalid("", "@defer isn't supported.")
		}
		s.steps++
		w.add(1)
		if err := s.arguments(w, d.Arguments); err != nil {
			return err
		}
	}
	return nil
}

func (s *scale) arguments(w *weight, list ast.ArgumentList) error {
	for _, a := range list {
		w.add(1)
		if err := s.value(w, a.Value, 0); err != nil {
			return err
		}
	}
	return nil
}

// value adds a value that is nested in some levels of lists and objects.
func (s *scale) value(w *weight, v *ast.Value, level int) error {
	if v == nil {
		return nil
	}
	s.steps++
	w.add(1)
	if v.Kind == ast.ListValue || v.Kind == ast.ObjectValue {
		level++
	}
	if level > MaxValueDepth {
		return mission.Invalid("", "Lists and objects are nested more than %d levels deep.", MaxValueDepth)
	}
	for _, child := range v.Children {
		if err := s.value(w, child.Value, level); err != nil {
			return err
		}
	}
	return nil
}
