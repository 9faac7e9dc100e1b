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
// executed (GraphQL specification, section 6.1.2): gqlparser takes a string for a number and
// anything for a scalar of ours, which would only fail where a resolver reads it.
type variables struct{ schema *ast.Schema }

// readers read the scalars that gqlparser checks too little.
var readers = map[string]func(v any) error{
	"Int":      reads(scalar.UnmarshalInt64),
	"Float":    reads(scalar.UnmarshalFloat),
	"DateTime": reads(scalar.UnmarshalDateTime),
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
	at := func(step ast.PathElement) ast.Path { return append(slices.Clip(path), step) }
	if value == nil {
		return nil
	}
	if t.Elem != nil {
		list := reflect.ValueOf(value)
		for i := 0; list.Kind() == reflect.Slice && i < list.Len(); i++ {
			if err := c.check(t.Elem, list.Index(i).Interface(), at(ast.PathIndex(i))); err != nil {
				return err
			}
		}
		return nil
	}
	def := c.schema.Types[t.NamedType]
	if read := readers[t.NamedType]; read != nil {
		if err := read(value); err != nil {
			return gqlerror.WrapPath(path, err)
		}
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok || def.Kind != ast.InputObject {
		return nil
	}
	for _, f := range def.Fields {
		if given, sent := object[f.Name]; sent {
			if err := c.check(f.Type, given, at(ast.PathName(f.Name))); err != nil {
				return err
			}
		}
	}
	return nil
}
