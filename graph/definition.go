package graph

import (
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"missiond/graph/exec"
	"missiond/internal/httpserver"
	"missiond/mission"
)

// Definition returns a handler that serves the schema in GraphQL's schema
// definition language.
func Definition() http.Handler {
	text := definition()
	return httpserver.Public(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/graphql; charset=utf-8")
		_, _ = io.WriteString(w, text) // fails only if the client is gone
	}))
}

var definition = sync.OnceValue(func() string { return printed(exec.Schema()) })

// bound is the directive that binds a field to an operation.
const bound = "operation"

// printed returns a schema with its descriptions, its types and directives sorted by
// name. Operations are internal to the service: instead of the directive, which
// introspection doesn't show either, a field's description names the scope that it
// needs.
func printed(s *ast.Schema) string {
	public := *s
	public.Directives = maps.Clone(s.Directives)
	delete(public.Directives, bound)
	public.Types = make(map[string]*ast.Definition, len(s.Types))
	for name, d := range s.Types {
		public.Types[name] = unbound(d)
	}
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatSchema(&public)
	return text.String()
}

// enumScope returns a scope's name in the enum Scope.
func enumScope(s mission.Scope) string {
	return strings.ToUpper(strings.ReplaceAll(string(s), ":", "_"))
}

// unbound returns a copy of a type whose fields name scopes instead of operations.
func unbound(d *ast.Definition) *ast.Definition {
	public := *d
	public.Fields = make(ast.FieldList, len(d.Fields))
	for i, f := range d.Fields {
		field := *f
		field.Directives = nil
		for _, directive := range f.Directives {
			if directive.Name != bound {
				field.Directives = append(field.Directives, directive)
				continue
			}
			p, _ := mission.PolicyOf(mission.Operation(directive.Arguments.ForName("is").Value.Raw))
			if p.Scope != mission.ScopeAny {
				field.Description = strings.TrimPrefix(f.Description+"\n"+p.Needs(enumScope), "\n")
			}
		}
		public.Fields[i] = &field
	}
	return &public
}
