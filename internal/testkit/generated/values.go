package generated

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// word is a value of an enum.
type word string

// value returns a value of a type for an argument of a field, or for a member of one.
func (d *document) value(f *ast.FieldDefinition, name string, t *ast.Type, depth int) any {
	if !t.NonNull && d.one(12) {
		return nil
	}
	if t.Elem != nil {
		list := []any{}
		for range 1 + d.rand.IntN(3) {
			list = append(list, d.value(f, name, t.Elem, depth+1))
		}
		return list
	}
	switch of := d.schema.Types[t.Name()]; of.Kind {
	case ast.Enum:
		return word(pick(d, of.EnumValues).Name)
	case ast.InputObject:
		members := map[string]any{}
		for _, m := range of.Fields {
			if m.Type.NonNull || depth < 3 && d.one(3) {
				members[m.Name] = d.value(f, m.Name, m.Type, depth+1)
			}
		}
		return members
	default:
		return d.scalar(f, name, t.Name())
	}
}

// scalar returns a value of a scalar type.
func (d *document) scalar(f *ast.FieldDefinition, name, of string) any {
	switch of {
	case "Boolean":
		return d.one(2)
	case "Int":
		return pick(d, []any{1, 2, 2, 3, 3, 5, 20, 0, 101})
	case "Float":
		return pick(d, []any{0.5, 2})
	case "Date":
		return pick(d, []any{"2026-11-20", "2026-11-21", "2026-11-22", "2026"})
	case "DateTime":
		return pick(d, []any{"2026-11-20T08:00:00.000Z", "2026-11-21T09:00:00.000Z", "never"})
	}
	switch name {
	case "search":
		return pick(d, []any{"active", "draft", "!"})
	case "text", "parts":
		return "A text <b> & \" \n\u2028"
	case "id", "ids", "after", "before", "missionId", "contentId", "integrationId":
		return d.id(f, name)
	}
	return "x"
}

// id returns the id of a record that an argument may name, mostly.
func (d *document) id(f *ast.FieldDefinition, name string) string {
	of := strings.TrimSuffix(f.Type.Name(), "Connection")
	switch name {
	case "missionId":
		of = "Mission"
	case "contentId":
		of = "Content"
	case "integrationId":
		of = "Integration"
	}
	if len(d.ids[of]) == 0 || d.one(12) {
		of = pick(d, d.types)
	}
	return pick(d, d.ids[of])
}

// literal returns a value as a document has it.
func literal(v any) string {
	switch v := v.(type) {
	case word:
		return string(v)
	case []any:
		each := make([]string, len(v))
		for i := range v {
			each[i] = literal(v[i])
		}
		return "[" + strings.Join(each, ", ") + "]"
	case map[string]any:
		var each []string
		for name, value := range v {
			each = append(each, name+": "+literal(value))
		}
		slices.Sort(each)
		return "{" + strings.Join(each, ", ") + "}"
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic("bug: a value that JSON can't hold")
	}
	return string(text)
}

// plain returns a value as JSON has it.
func plain(v any) any {
	switch v := v.(type) {
	case word:
		return string(v)
	case []any:
		each := make([]any, len(v))
		for i := range v {
			each[i] = plain(v[i])
		}
		return each
	case map[string]any:
		members := map[string]any{}
		for name, value := range v {
			members[name] = plain(value)
		}
		return members
	}
	return v
}
