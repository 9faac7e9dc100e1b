package main

import (
	"errors"
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"
)

// enums binds the values of the schema's enums to the constants of their Go types. A
// value's name is its constant's text in capitals, with "_" for what a name can't
// have: CONTENT_CREATED is "content.created". An enum whose values gqlgen.yml lists is
// left alone.
type enums struct{}

// Name is the plugin's name for gqlgen.
func (enums) Name() string { return "enums" }

// MutateConfig binds each enum.
func (enums) MutateConfig(c *config.Config) error {
	var wrong []error
	for _, enum := range c.Schema.Types {
		model := c.Models[enum.Name]
		if enum.Kind != ast.Enum || strings.HasPrefix(enum.Name, "__") || len(model.EnumValues) > 0 {
			continue
		}
		if len(model.Model) != 1 {
			wrong = append(wrong, fmt.Errorf("enum %s: no Go type has its name, and gqlgen.yml names none", enum.Name))
			continue
		}
		of, err := typeNamed(c, model.Model[0])
		if err != nil {
			wrong = append(wrong, fmt.Errorf("enum %s: %w", enum.Name, err))
			continue
		}
		values, err := enumValues(enum, of)
		wrong = append(wrong, err)
		model.EnumValues = values
		c.Models[enum.Name] = model
	}
	return errors.Join(wrong...)
}

// typeNamed returns the type whose constants are an enum's values, by its package's path and its
// name. It fails unless that is a type of texts.
func typeNamed(c *config.Config, path string) (types.Object, error) {
	dot := strings.LastIndex(path, ".")
	if dot < 0 {
		return nil, fmt.Errorf("%q isn't a package's path with the name of a type", path)
	}
	var of *types.TypeName
	if in := c.Packages.LoadWithTypes(path[:dot]); in != nil && in.Types != nil {
		of, _ = in.Types.Scope().Lookup(path[dot+1:]).(*types.TypeName)
	}
	if of == nil {
		return nil, fmt.Errorf("there is no type %s", path)
	}
	if basic, ok := of.Type().Underlying().(*types.Basic); !ok || basic.Kind() != types.String {
		return nil, fmt.Errorf("%s isn't a type of texts", path)
	}
	return of, nil
}

// unshown are constants that the API shows to nobody.
var unshown = []string{
	"missiond/mission.EveryPlatform", "missiond/mission.MediaLink", "missiond/mission.MediaUploading", "missiond/mission.MediaDeleting",
	"missiond/mission.ScopeAny",
}

// enumValues returns the constants of a type by the names of the enum's values. It
// fails unless each value has one, and each constant is a value.
func enumValues(enum *ast.Definition, of types.Object) (map[string]config.EnumValue, error) {
	values := map[string]config.EnumValue{}
	var wrong []error
	for _, name := range of.Pkg().Scope().Names() {
		v, isConst := of.Pkg().Scope().Lookup(name).(*types.Const)
		path := of.Pkg().Path() + "." + name
		if !isConst || !v.Exported() || !types.Identical(v.Type(), of.Type()) || slices.Contains(unshown, path) {
			continue
		}
		value := nameOf(constant.StringVal(v.Val()))
		switch other, twice := values[value]; {
		case twice:
			wrong = append(wrong, fmt.Errorf("enum %s: %s is %s and %s", enum.Name, value, other.Value, path))
		case enum.EnumValues.ForName(value) == nil:
			wrong = append(wrong, fmt.Errorf("enum %s: it has no %s, which is %s", enum.Name, value, path))
		}
		values[value] = config.EnumValue{Value: path}
	}
	for _, v := range enum.EnumValues {
		if _, known := values[v.Name]; !known {
			wrong = append(wrong, fmt.Errorf("enum %s: no constant of %s is %s", enum.Name, of.Name(), v.Name))
		}
	}
	return values, errors.Join(wrong...)
}

// nameOf returns the name of the value that a constant with a text is.
func nameOf(text string) string {
	return strings.NewReplacer(".", "_", ":", "_", "-", "_").Replace(strings.ToUpper(text))
}
