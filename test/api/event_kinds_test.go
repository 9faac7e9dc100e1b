package api

import (
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"missiond/internal/testkit"
	"missiond/mission"
)

// Each kind of events has an example that is valid by its own schema.
func TestEventKinds(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	kinds := graphAPI{s}.query(`{ eventKinds { type description schema example } }`)["eventKinds"].([]any)
	if len(kinds) != len(mission.AllEventTypes()) {
		t.Errorf("got %d kinds, want %d", len(kinds), len(mission.AllEventTypes()))
	}
	for _, each := range kinds {
		kind := each.(map[string]any)
		compiler := jsonschema.NewCompiler()
		s.must(compiler.AddResource("kind.json", kind["schema"]))
		schema, err := compiler.Compile("kind.json")
		s.must(err)
		if err := schema.Validate(kind["example"]); err != nil {
			text, _ := json.Marshal(kind["example"])
			t.Errorf("%v has the example %s: %v", kind["type"], text, err)
		}
	}
}
