package graph

import (
	"bytes"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"missiond/graph/endpoint"
	"missiond/graph/exec"
	"missiond/graph/querylimit"
	"missiond/mission"
	"missiond/store"
	"missiond/web"
)

// The console's documents can be run, with pages of fifty and calendars of six weeks, by tenants of every plan.
func TestConsoleDocuments(t *testing.T) {
	documents, err := endpoint.ReadDocuments(bytes.NewReader(web.ConsoleDocuments()))
	if err != nil || len(documents) == 0 {
		t.Fatalf("there are %d documents: %v", len(documents), err)
	}
	schema := exec.Schema()
	costs := querylimit.NewCosts(schema, store.DefaultPage, store.MaxPage)
	for name, text := range documents {
		doc, errs := gqlparser.LoadQueryWithRules(schema, text, querylimit.Rules())
		if errs != nil {
			t.Fatal(errs)
		}
		for _, op := range doc.Operations {
			given := map[string]any{"from": "2026-11-01", "to": "2026-12-12"}
			for _, v := range op.VariableDefinitions {
				if v.Type.Name() == "Int" && v.DefaultValue == nil {
					given[v.Variable] = int64(50)
				}
			}
			values, err := validator.VariableValues(schema, withoutRequired(op), given)
			if err != nil {
				t.Fatalf("%s: %v", op.Name, err)
			}
			cost, costErr := costs.Of(doc, op, values)
			if costErr != nil || cost > (mission.Principal{}).CostLimit() {
				t.Errorf("%s (%s) costs %d: %v", op.Name, name, cost, costErr)
			}
		}
	}
}

// withoutRequired returns an operation whose variables may all be left out.
func withoutRequired(op *ast.OperationDefinition) *ast.OperationDefinition {
	lax := *op
	lax.VariableDefinitions = nil
	for _, v := range op.VariableDefinitions {
		optional, of := *v, *v.Type
		of.NonNull = false
		optional.Type = &of
		lax.VariableDefinitions = append(lax.VariableDefinitions, &optional)
	}
	return &lax
}
