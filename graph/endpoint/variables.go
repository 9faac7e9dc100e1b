package endpoint

import (
	"context"
	"reflect"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"missiond/graph/scalar"
)

// variables refuses values of variables that aren't of their types before the operation is
// executed (GraphQL specification, section 6.1.2). gqlparser checks less: it takes a string for
// a number, a number for a string, an enum's value in any case, and anything for a scalar of
// ours, which would only fail where a resolver reads it, after others have changed something.
type variables struct{ schema *ast.Schema }

// readers read the scalars, but for JSON, which is anything.
var readers = map[string]func(v any) error{
	"Int":       reads(scalar.UnmarshalInt64),
	"Float":     reads(scalar.UnmarshalFloat),
	"String":    reads(scalar.UnmarshalString),
	"ID":        reads(scalar.UnmarshalID),
	"Boolean":   reads(scalar.UnmarshalBoolean),
	"DateTime":  reads(scalar.UnmarshalDateTime),
	"Date":      reads(scalar.UnmarshalString),
	"LocalTime": reads(scalar.UnmarshalString),
	"TimeZone":  reads(scalar.UnmarshalString),
}

func reads[T any](read func(v any) (T, error)) func(v any) error {
	return func(v any) error {
		_, err := read(v)
		return err
	}
}

// ExtensionName is the extension's name for gqlgen.
func (*variables) ExtensionName() string { return "Variables" }

// Validate receives the schema.
func (c *variables) Validate(s graphql.ExecutableSchema) error {
	c.schema = s.Schema()
	return nil
}

// MutateOperationContext checks the operation's variables.
func (c *variables) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	for _, v := range op.Operation.VariableDefinitions {
		if value, ok := op.Variables[v.Variable]; ok {
			if err := c.check(v.Type, value, ast.Path{ast.PathName("variable"), ast.PathName(v.Variable)}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *variables) check(t *ast.Type, value any, path ast.Path) *gqlerror.Error {
	if value == nil {
		return nil
	}
	if t.Elem != nil {
		list := reflect.ValueOf(value)
		for i := 0; list.Kind() == reflect.Slice && i < list.Len(); i++ {
			if err := c.check(t.Elem, list.Index(i).Interface(), append(slices.Clip(path), ast.PathIndex(i))); err != nil {
				return err
			}
		}
		return nil
	}
	def := c.schema.Types[t.NamedType]
	if object, ok := value.(map[string]any); ok && def.Kind == ast.InputObject {
		for _, f := range def.Fields {
			if err := c.check(f.Type, object[f.Name], append(slices.Clip(path), ast.PathName(f.Name))); err != nil {
				return err
			}
		}
		return nil
	}
	return checkLeaf(def, value, path)
}

// checkLeaf checks the value of a scalar or an enum.
func checkLeaf(def *ast.Definition, value any, path ast.Path) *gqlerror.Error {
	if read := readers[def.Name]; read != nil {
		if err := read(value); err != nil {
			return gqlerror.WrapPath(path, err)
		}
	}
	if def.Kind == ast.Enum {
		if name, ok := value.(string); !ok || def.EnumValues.ForName(name) == nil {
			return gqlerror.ErrorPathf(path, "%v is not a valid %s", value, def.Name)
		}
	}
	return nil
}
