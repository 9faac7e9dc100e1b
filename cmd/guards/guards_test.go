package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The list stays true: each guard is where it says, leaves Go behind where it is
// removed, and has tests by that name. make guards runs them.
func TestGuardsAreThere(t *testing.T) {
	t.Chdir("../..")
	if len(guards) < 40 {
		t.Errorf("there are %d guards, want 40", len(guards))
	}
	rooms := map[string]bool{}
	names := map[string]bool{}
	for _, g := range guards {
		room, _, _ := strings.Cut(strings.TrimPrefix(g.file, "internal/"), "/")
		rooms[room] = true
		if names[g.name] {
			t.Errorf("%s is listed twice", g.name)
		}
		names[g.name] = true
		text, err := g.removed()
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), g.file, text, parser.SkipObjectResolution); err != nil {
			t.Errorf("%s: without it %v", g.name, err)
		}
		if g.tests != "." && !hasTest(t, g) {
			t.Errorf("%s: %s has no test %s", g.name, g.pkg, g.tests)
		}
	}
	for _, room := range []string{"mission", "store", "service", "graph", "rest"} {
		if !rooms[room] {
			t.Errorf("no guard of %s is listed", room)
		}
	}
}

// hasTest reports whether the package's tests have one whose name has one of the
// pattern's alternatives, up to the name of a subtest.
func hasTest(t *testing.T, g guard) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(g.pkg, "*_test.go"))
	if err != nil || len(files) == 0 {
		return false
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return slices.ContainsFunc(strings.Split(g.tests, "|"), func(name string) bool {
		name, _, _ = strings.Cut(strings.Trim(name, "^$"), "/")
		return slices.ContainsFunc(strings.Split(all.String(), "\n"), func(line string) bool {
			rest, ok := strings.CutPrefix(line, "func Test")
			return ok && strings.Contains("Test"+rest, name)
		})
	})
}
