package pages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"missiond/test/internal/document"
)

// documents returns the paths of the documentation.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/adr/*.md", "examples/typescript/*.md", "test/chaos/*.md"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d documents, %v", pattern, len(paths), err)
		}
		all = append(all, paths...)
	}
	return all
}

var target = regexp.MustCompile(`(?m)^(?:\$ )?make ([a-z-]+)`)

// checkTargets fails the test if the Makefile lacks a target of the example.
func checkTargets(t *testing.T, e document.Example) {
	t.Helper()
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range target.FindAllStringSubmatch(e.Text, -1) {
		if !strings.Contains(string(makefile), "\n"+m[1]+":") {
			t.Errorf("%s: there is no target %s", e.Place, m[1])
		}
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pairIDs adds to ids what stands in got for each string that want has in a field "id".
func pairIDs(want, got any, ids map[string]string) {
	w, ok := want.(map[string]any)
	g, gok := got.(map[string]any)
	if !ok || !gok {
		return
	}
	if printed, ok := w["id"].(string); ok {
		ids[printed], _ = g["id"].(string)
	}
}
