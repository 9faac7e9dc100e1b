package querylimit

import "github.com/vektah/gqlparser/v2/ast"

// group is the fields of a selection set that share a response key, with fragments
// expanded: they are answered as one.
type group struct {
	key    string
	fields []*ast.Field

	merged bool
	below  []*group
}

// leaf reports whether the group has no selections below it.
func (g *group) leaf() bool {
	for _, f := range g.fields {
		if len(f.SelectionSet) > 0 {
			return false
		}
	}
	return true
}

// merger merges selection sets as an executor does.
type merger struct {
	fragments fragments
	// included reports whether a selection with these directives is included; nil
	// includes all.
	included func(ast.DirectiveList) bool
	steps    int
}

// below returns the groups of what is selected below a group.
func (m *merger) below(g *group) []*group {
	if !g.merged {
		g.merged = true
		g.below = m.merge(g.fields...)
	}
	return g.below
}

// merge returns the groups of the selection sets of some fields together, in order.
// A fragment that is spread several times is included once.
func (m *merger) merge(fields ...*ast.Field) []*group {
	p := pass{merger: m, at: map[string]*group{}, spread: map[string]bool{}}
	for _, f := range fields {
		p.take(f.SelectionSet)
	}
	return p.groups
}

// root returns the groups of an operation.
func (m *merger) root(op *ast.OperationDefinition) []*group {
	return m.merge(&ast.Field{SelectionSet: op.SelectionSet})
}

// pass is a merge in progress.
type pass struct {
	*merger

	groups []*group
	at     map[string]*group
	spread map[string]bool
}

func (p *pass) take(set ast.SelectionSet) {
	for _, selection := range set {
		p.steps++
		switch s := selection.(type) {
		case *ast.Field:
			if p.takes(s.Directives) {
				p.add(s)
			}
		case *ast.InlineFragment:
			if p.takes(s.Directives) {
				p.take(s.SelectionSet)
			}
		case *ast.FragmentSpread:
			if f := p.fragments[s.Name]; f != nil && !p.spread[s.Name] && p.takes(s.Directives) {
				p.spread[s.Name] = true
				p.take(f.SelectionSet)
			}
		}
	}
}

func (p *pass) takes(d ast.DirectiveList) bool { return p.included == nil || p.included(d) }

func (p *pass) add(f *ast.Field) {
	g := p.at[f.Alias]
	if g == nil {
		g = &group{key: f.Alias}
		p.at[f.Alias] = g
		p.groups = append(p.groups, g)
	}
	g.fields = append(g.fields, f)
}

// fragments are a document's fragments by name.
type fragments map[string]*ast.FragmentDefinition

// fragmentsOf returns a document's fragments by name. Of several with one name the
// first counts, as it does for the validator, which rejects the others.
func fragmentsOf(doc *ast.QueryDocument) fragments {
	index := make(fragments, len(doc.Fragments))
	for _, f := range doc.Fragments {
		if index[f.Name] == nil {
			index[f.Name] = f
		}
	}
	return index
}
