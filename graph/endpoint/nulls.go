package endpoint

import (
	"reflect"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/mission"
)

// nullable are the fields of inputs that null means something for, though it is not simply
// left out: lists and objects, and what an update changes.
var nullable = map[string]bool{
	"CreateApiKeyInput.scopes":           true,
	"UpdateMissionInput.description":     true,
	"UpdateConstraintsInput.tone":        true,
	"UpdateConstraintsInput.language":    true,
	"UpdateConstraintsInput.visibility":  true,
	"UpdateConstraintsInput.guidance":    true,
	"UpdateConstraintsInput.evergreen":   true,
	"UpdateConstraintsInput.budgetCents": true,
	"UpdateMissionInput.editor":          true,
	"UpdateMissionInput.autonomy":        true,
	"UpdateUtmInput.source":              true,
	"UpdateUtmInput.medium":              true,
	"UpdateUtmInput.campaign":            true,
	"UpdateUtmInput.content":             true,
	"EditContentInput.firstComment":      true,
	"EditContentInput.revision":          true,
}

// changes reports whether an input object changes a record, so that what is left out stays
// as it is; null would be taken for left out.
func changes(input string) bool {
	return strings.HasPrefix(input, "Update") || strings.HasPrefix(input, "Edit") || input == "BrandInput"
}

// inputNulls finds the nulls of input objects that GraphQL's types allow, since their fields
// may be left out, and that the REST API refuses too: the service would take them for left
// out. Filters may have nulls: they filter nothing.
type inputNulls struct {
	schema *ast.Schema
	found  mission.Problems
}

// checkNulls checks the arguments of a field of a valid document. Errors: invalid_request,
// with all nulls.
func checkNulls(schema *ast.Schema, f *ast.Field, variables map[string]any) error {
	n := inputNulls{schema: schema}
	for _, arg := range f.Arguments {
		def := f.Definition.Arguments.ForName(arg.Name)
		if def == nil || !strings.HasSuffix(def.Type.Name(), "Input") {
			continue
		}
		value, err := arg.Value.Value(variables)
		if err != nil {
			continue // the argument's own decoder reports it
		}
		path := ast.Path{ast.PathName(f.Name), ast.PathName("input")}
		if def.Type.Elem != nil {
			path = ast.Path{ast.PathName("variable"), ast.PathName(arg.Name)}
		}
		n.walk(def.Type, value, path)
	}
	return n.found.Err()
}

func (n *inputNulls) walk(t *ast.Type, value any, path ast.Path) {
	if t.Elem != nil {
		list := reflect.ValueOf(value)
		for i := 0; list.Kind() == reflect.Slice && i < list.Len(); i++ {
			n.walk(t.Elem, list.Index(i).Interface(), append(slices.Clip(path), ast.PathIndex(i)))
		}
		return
	}
	def := n.schema.Types[t.NamedType]
	object, ok := value.(map[string]any)
	if !ok || def == nil || def.Kind != ast.InputObject {
		return
	}
	for _, f := range def.Fields {
		given, sent := object[f.Name]
		at := append(slices.Clip(path), ast.PathName(f.Name))
		switch {
		case !sent:
		case given != nil:
			n.walk(f.Type, given, at)
		case !n.takesNull(def.Name, f):
			n.found = append(n.found, mission.Invalid(inputParam(at), "This field can't be null."))
		}
	}
}

func (n *inputNulls) takesNull(input string, f *ast.FieldDefinition) bool {
	if nullable[input+"."+f.Name] {
		return true
	}
	inner := n.schema.Types[f.Type.Name()]
	return f.Type.Elem == nil && inner.Kind != ast.InputObject && !changes(input)
}
