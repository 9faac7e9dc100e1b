package endpoint

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/graph/exec"
)

// Every scalar that a client sends has a reader.
func TestScalarsHaveReaders(t *testing.T) {
	for name, def := range exec.NewExecutableSchema(exec.Config{}).Schema().Types {
		if def.Kind == ast.Scalar && name != "JSON" && readers[name] == nil {
			t.Errorf("variables of %s aren't checked", name)
		}
	}
}
