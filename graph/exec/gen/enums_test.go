package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"testing"

	"github.com/99designs/gqlgen/codegen/config"
	schema "github.com/vektah/gqlparser/v2/ast"
)

// Each value of an enum is one constant of its type, and each constant a value.
func TestEnumValues(t *testing.T) {
	const source = `package color
		type Color string
		const (
			DeepBlue Color = "blue.deep"
			PaleBlue Color = "blue:pale-ish"
			hidden = DeepBlue
			Other string = "other"
		)`
	for _, c := range []struct {
		more, wrong string
		values      []string
	}{
		{values: []string{"BLUE_DEEP", "BLUE_PALE_ISH"}},
		{values: []string{"BLUE_DEEP"}, wrong: "enum Color: it has no BLUE_PALE_ISH, which is x/color.PaleBlue"},
		{values: []string{"BLUE_DEEP", "BLUE_PALE_ISH", "RED"}, wrong: "enum Color: no constant of Color is RED"},
		{values: []string{"BLUE_DEEP", "BLUE_PALE_ISH"}, more: `; const Navy Color = "blue_deep"`, wrong: "enum Color: BLUE_DEEP is x/color.DeepBlue and x/color.Navy"},
	} {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, "color.go", source+c.more, 0)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := (&types.Config{}).Check("x/color", files, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		enum := &schema.Definition{Name: "Color"}
		for _, v := range c.values {
			enum.EnumValues = append(enum.EnumValues, &schema.EnumValueDefinition{Name: v})
		}
		got, err := enumValues(enum, pkg.Scope().Lookup("Color"))
		want := map[string]config.EnumValue{"BLUE_DEEP": {Value: "x/color.DeepBlue"}, "BLUE_PALE_ISH": {Value: "x/color.PaleBlue"}}
		switch {
		case c.wrong != "" && (err == nil || err.Error() != c.wrong):
			t.Errorf("%v: %v, want %s", c.values, err, c.wrong)
		case c.wrong == "" && (err != nil || !maps.Equal(got, want)):
			t.Errorf("%v: %v, %v, want %v", c.values, got, err, want)
		}
	}
}

// A type that isn't there, or has no texts, is said to be so.
func TestTypeNamed(t *testing.T) {
	c := new(config.Config)
	c.Packages = zero(c.Packages)
	for path, wrong := range map[string]string{
		"missiond/internal/topic.Level": "there is no type missiond/internal/topic.Level",
		"missiond/internal/no.Level":    "there is no type missiond/internal/no.Level",
		"Level":                         `"Level" isn't a package's path with the name of a type`,
		"time.Month":                    "time.Month isn't a type of texts",
		"time.UTC":                      "there is no type time.UTC",
		"github.com/vektah/gqlparser/v2/ast.DefinitionKind": "",
	} {
		got, err := typeNamed(c, path)
		switch {
		case wrong != "" && (err == nil || err.Error() != wrong):
			t.Errorf("%s: %v, want %s", path, err, wrong)
		case wrong == "" && (err != nil || got.Name() != "DefinitionKind"):
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
}

// zero returns a new T, for a type that can't be named here.
func zero[T any](*T) *T { return new(T) }
